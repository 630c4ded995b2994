"""The program of tests/fixtures/behave, linked once for each run of the tests."""

import glob
import os


def behave(upct):
    """The path of the program."""
    def link(program):
        compiled = []
        for source in sorted(glob.glob(upct.fixture("behave/*.c"))):
            compiled.append(upct.path("behave-" + os.path.basename(source)[:-2] + ".o"))
            upct.check_output(["gcc", "-D_GNU_SOURCE", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-c", source,
                               "-o", compiled[-1]])
        upct.check_output([upct.tool("upcc"), *compiled, "-o", program])

    return upct.build_once("behave", link)


def run(upct, *arguments, threads=3, **options):
    """Runs `behave ARGUMENT…` on THREADS threads; options are those of t.run."""
    return upct.run([behave(upct), "-n", threads, *arguments], **options)


def expect(upct, *arguments, status=0, stdout="", stderr="", **options):
    """The same, and compares all that can be seen of the end."""
    result = run(upct, *arguments, **options)
    assert result.stderr == stderr, "stderr"
    assert result.stdout == stdout, "stdout"
    assert result.returncode == status, "status"
