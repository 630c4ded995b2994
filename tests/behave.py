"""The program of tests/fixtures/behave, linked once for each run of the tests."""

import glob
import os
import threading

_lock = threading.Lock()
_linked = set()


def behave(t):
    """The path of the program."""
    program = os.path.join(t.build, "tests", "behave")
    with _lock:
        if program not in _linked:
            compiled = []
            for source in sorted(glob.glob(t.fixture("behave/*.c"))):
                compiled.append(t.path("behave-" + os.path.basename(source)[:-2] + ".o"))
                t.good(["gcc", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-c", source,
                        "-o", compiled[-1]])
            os.makedirs(os.path.dirname(program), exist_ok=True)
            t.good([t.tool("upcc"), *compiled, "-o", program])
            _linked.add(program)
    return program


def run(t, *arguments, threads=3, **options):
    """Runs `behave ARGUMENT…` on THREADS threads; options are those of t.run."""
    return t.run([behave(t), "-n", threads, *arguments], **options)


def expect(t, *arguments, status=0, stdout="", stderr="", **options):
    """The same, and compares all that can be seen of the end."""
    result = run(t, *arguments, **options)
    t.equal(result.stderr, stderr, "stderr")
    t.equal(result.stdout, stdout, "stdout")
    t.equal(result.returncode, status, "status")
