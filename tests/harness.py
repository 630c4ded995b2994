"""What a test module uses: @case registers a test, its argument T runs programs
and compares.

    from harness import case

    @case
    def hello_prints_in_order(t):
        program = t.link("hello.O0.s")
        result = t.run([program], THREADS=3)
        t.equal(result.stdout, …)

    @case(each=[(opt, n) for opt in ("O0", "O2") for n in (1, 4)])
    def heat_is_the_same(t, opt, threads): …

A test fails by an exception, most often t.equal's or t.check's. Each has a
temporary folder, t.folder, that goes away after it.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = []


class Failure(Exception):
    """A comparison that did not hold."""


STRESS = os.environ.get("UPCT_TEST_STRESS") == "1"


def case(function=None, *, each=None, stress=False):
    """Registers FUNCTION once, or once for each tuple of arguments in EACH. With STRESS it
    is one of `scons stress` alone, which runs no others."""

    def register(function):
        if stress != STRESS:
            return function
        module = function.__module__
        for arguments in each if each is not None else [()]:
            if not isinstance(arguments, tuple):
                arguments = (arguments,)
            name = "/".join([module, function.__name__, *map(str, arguments)])
            CASES.append((name, function, arguments))
        return function

    return register(function) if function else register


class Test:
    """One run of one case."""

    def __init__(self, build):
        self.build = os.path.join(ROOT, build)
        self.bin = os.path.join(self.build, "bin")
        self.sanitizers = [s for s in ("address", "undefined", "thread") if s in os.path.basename(build)]
        self.folder = tempfile.mkdtemp(prefix="upct-test-")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def fixture(self, name):
        return os.path.join(ROOT, "tests", "fixtures", name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "wb" if isinstance(text, bytes) else "w") as f:
            f.write(text)
        return path

    def tool(self, name):
        return os.path.join(self.bin, name)

    def run(self, command, stdin="", timeout=120, cwd=None, pass_fds=(), **environment):
        """Runs COMMAND; the result has returncode, stdout, stderr as text. Keyword
        arguments are environment variables; None takes one away."""
        env = dict(os.environ)
        for name in ("THREADS", "UPC_THREADS"):
            env.pop(name, None)
        for name, value in environment.items():
            if value is None:
                env.pop(name, None)
            else:
                env[name] = str(value)
        process = subprocess.Popen(
            [str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=env, cwd=cwd or self.folder, start_new_session=True,
            pass_fds=pass_fds)
        try:
            out, err = process.communicate(stdin.encode(), timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            raise Failure(f"{command} did not end in {timeout} s\n{out.decode(errors='replace')}"
                          f"\n{err.decode(errors='replace')}")
        return subprocess.CompletedProcess(command, process.returncode,
                                           out.decode(errors="replace"), err.decode(errors="replace"))

    def good(self, command, **options):
        """Runs COMMAND, which must succeed; returns its standard output."""
        result = self.run(command, **options)
        if result.returncode != 0:
            raise Failure(f"{' '.join(map(str, command))}: status {result.returncode}\n"
                          f"{result.stdout}{result.stderr}")
        return result.stdout

    def link(self, *inputs, output="prog", flags=()):
        """Links with upcc: a plain name with a suffix is a file of tests/fixtures/abi; .c is C."""
        files = []
        for name in inputs:
            path = name if "/" in name or name.startswith("-") else self.fixture(f"abi/{name}")
            files += ["-x", "c", path, "-x", "none"] if name.endswith(".c") else [path]
        program = self.path(output)
        self.good([self.tool("upcc"), *flags, *files, "-o", program])
        return program

    def check(self, condition, message):
        if not condition:
            raise Failure(message)

    def equal(self, got, wanted, what="result"):
        if got != wanted:
            raise Failure(f"{what}: got {got!r}\n  wanted {wanted!r}")


def run_case(build, name, function, arguments):
    """Returns None, or the text of the failure."""
    test = Test(build)
    try:
        function(test, *arguments)
    except Failure as failure:
        return f"{name}: {failure}"
    except Exception:
        return f"{name}: {traceback.format_exc()}"
    finally:
        test.close()
    return None
