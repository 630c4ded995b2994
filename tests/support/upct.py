"""The type of the fixture `upct`: runs commands in the test's own folder, links programs."""

import fcntl
import os
import signal
import subprocess

from support import cross

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# The words in the name of a listing, where they are not the switch itself.
SWITCHES = {"threads4": "-fupc-threads-4", "struct": "-fupc-pts=struct", "debug": "-g", "pic": "-fPIC"}
SANITIZERS = ("address", "undefined", "thread")


class CommandFailed(AssertionError):
    """A command did not end with status 0."""


class Upct:
    """The build under test and the folder of one test, which goes away after it."""

    def __init__(self, build, folder, run_id, target=""):
        self.build = os.path.join(ROOT, build)
        self.bin = os.path.join(self.build, "bin")
        self.sanitizers = [s for s in SANITIZERS if s in os.path.basename(build)]
        self.use_target(target)
        self.folder = str(folder)
        self.run_id = run_id
        self.transcript = []

    def use_target(self, target):
        """What follows is for programs of TARGET, "" for those of this processor."""
        self.target = target
        self.environment = cross.environment(self.build, target) if target else {}

    @property
    def processor(self):
        """Of the programs."""
        return self.target.split("-")[0] or os.uname().machine

    @property
    def binutils(self):
        """What their names begin with, where upcc calls them."""
        return self.target and f"{self.target}-"

    def fixture(self, name):
        return os.path.join(ROOT, "tests", "fixtures", name)

    def read_fixture(self, name):
        with open(self.fixture(name), encoding="utf-8") as f:
            return f.read()

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        path = self.path(name)
        with open(path, "wb" if isinstance(text, bytes) else "w") as f:
            f.write(text)
        return path

    def tool(self, name):
        if self.target and name == "upc-privatize":
            return self.library(name)
        folder = os.path.join(self.build, "tests", self.target, "bin")
        is_for_target = self.target and name in cross.WITH_SWITCH
        return os.path.join(folder if is_for_target else self.bin, name)

    def library(self, name):
        """A file that programs are linked with."""
        return os.path.join(self.build, "lib", "upct", self.target, name)

    def started(self, command):
        """COMMAND as it is started, in an emulator if need be."""
        return cross.emulated(command, self.target) if self.target else command

    def run(self, command, stdin="", cwd=None, pass_fds=(), **environment):
        """Runs COMMAND; the result has returncode, stdout, stderr as text. Keyword
        arguments are environment variables; None unsets one."""
        command = [str(word) for word in command]
        if self.target:
            command = [cross.NATIVE[self.target] if word == "-march=native" else word for word in command]
            environment = {**self.environment, **environment}
            if environment.get("LD_LIBRARY_PATH"):
                environment["QEMU_SET_ENV"] = self.environment["QEMU_SET_ENV"] + ":" + environment["LD_LIBRARY_PATH"]
        command = self.started(command)
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=changed_environment(environment), cwd=cwd or self.folder, start_new_session=True, pass_fds=pass_fds)
        try:
            out, err = process.communicate(stdin.encode())
        except BaseException:
            # The time limit of the test, or an interrupt.
            os.killpg(process.pid, signal.SIGKILL)
            self.record(command, "killed", *process.communicate())
            raise
        self.record(command, f"status {process.returncode}", out, err)
        return subprocess.CompletedProcess(command, process.returncode, decode(out), decode(err))

    def check_output(self, command, **options):
        """Runs COMMAND, which must succeed; returns its standard output."""
        result = self.run(command, **options)
        if result.returncode != 0:
            raise CommandFailed(f"{' '.join(result.args)}: status {result.returncode}\n"
                                f"{result.stdout}{result.stderr}")
        return result.stdout

    def compile(self, *words, output="prog", **environment):
        """Compiles and links with upcc; returns the path of the program."""
        program = self.path(output)
        self.check_output([self.tool("upcc"), *words, "-o", program], **environment)
        return program

    def check_prints(self, stdout, command, **options):
        """COMMAND succeeds, prints STDOUT, and has nothing to complain of."""
        result = self.run(command, **options)
        assert (result.stdout, result.stderr, result.returncode) == (stdout, "", 0), " ".join(result.args)

    def link(self, *inputs, output="prog", flags=()):
        """Links with upcc: a plain name with a suffix is a file of tests/fixtures/abi; .c is C. A listing
        there is x86-64 code: for another processor its program is compiled as its name says."""
        files, flags = [], [*flags]
        for name in inputs:
            if self.target and "/" not in name and name.endswith(".s"):
                program, *words = name.split(".")[:-1]
                flags += [SWITCHES.get(word, f"-{word}") for word in words]
                name = f"{program}.upc"
            path = name if "/" in name or name.startswith("-") else self.fixture(f"abi/{name}")
            files += ["-x", "c", path, "-x", "none"] if name.endswith(".c") else [path]
        program = self.path(output)
        self.check_output([self.tool("upcc"), *flags, *files, "-o", program])
        return program

    def build_once(self, name, make):
        """The path of NAME in the build's folder tests/, for which MAKE (PATH) is called once
        in each run of the tests, whatever number of processes they run in."""
        path = os.path.join(self.build, "tests", self.target, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".made-by", "a+") as stamp:
            fcntl.flock(stamp, fcntl.LOCK_EX)
            stamp.seek(0)
            if stamp.read() != self.run_id:
                make(path)
                stamp.truncate(0)
                stamp.write(self.run_id)
        return path

    def record(self, command, end, out, err):
        """The last commands are shown, with all they said, when the test fails."""
        self.transcript.append(f"$ {' '.join(command)}\n{decode(out)}{decode(err)}[{end}]")
        del self.transcript[:-3]


def changed_environment(changes):
    env = dict(os.environ)
    for name, value in {"THREADS": None, "UPC_THREADS": None, **changes}.items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = str(value)
    return env


def decode(output):
    return output.decode(errors="replace")
