"""What libc keeps between calls, per thread: the same C program, compiled plainly and
run as processes of one thread each, says what eight UPC threads must get."""

import glob
import os
import random
import threading

from harness import case

THREADS = 8
TESTS = ("rand", "initstate", "drand48", "strtok", "l64a", "cvt", "time", "getdate", "multibyte", "hsearch",
         "lgamma", "tmpnam", "terminals", "users", "user_lists", "user_files", "mounts", "hosts", "rpc", "atfork", "ether",
         "messages")
KINDS = {
    "plain": ["gcc", "-O0"],
    "fortified": ["gcc", "-O2", "-D_FORTIFY_SOURCE=2", "-fPIC"],
    "clang": ["clang", "-O2"],
}
_lock = threading.Lock()
_linked = set()


def programs(t, name, kind):
    """The paths of tests/fixtures/libc/NAME.c, or of the files in NAME, compiled plainly, and of it in threads."""
    folder = os.path.join(t.build, "tests", "libc-programs")
    plain, threads = (os.path.join(folder, f"{name}-{kind}-{what}") for what in ("plain", "threads"))
    sources = sorted(glob.glob(t.fixture(f"libc/{name}.c")) + glob.glob(t.fixture(f"libc/{name}/*.c")))
    compile_it = [*KINDS[kind], "-D_GNU_SOURCE", "-g", "-w"]
    with _lock:
        if (name, kind) not in _linked:
            os.makedirs(folder, exist_ok=True)
            t.good([*compile_it, *sources, "-o", plain, "-lm"])
            compiled = []
            for source in sources:
                compiled.append(t.path(f"{name}-{len(compiled)}.o"))
                t.good([*compile_it, "-DUPCT", "-c", source, "-o", compiled[-1]])
            t.good([t.tool("upcc"), *compiled, "-lm", "-o", threads])
            _linked.add((name, kind))
    return plain, threads


def outputs(t, folder, name, numbers):
    texts = []
    for n in numbers:
        with open(os.path.join(folder, f"{name}.{n}"), encoding="utf-8", errors="replace") as f:
            texts.append(f.read())
    return texts


@case(each=[(name, kind) for name in TESTS for kind in KINDS])
def each_thread_gets_what_a_process_gets(t, name, kind):
    plain, threads = programs(t, "calls", kind)
    environment = {
        "TZ": "CET-1CEST,M3.5.0,M10.5.0/3",
        "DATEMSK": t.write("datemsk", "%Y-%m-%d\n"),
        # glibc's lock around what it knows of /etc/resolv.conf, which the tool cannot see; and
        # a fork takes the locks of all arenas, more than its deadlock detector has room for.
        "TSAN_OPTIONS": "detect_deadlocks=0:suppressions=" + t.write("suppressions", "race:libc_dynarray\nrace:resolv\n"),
    }
    wanted_folder, got_folder = t.path("wanted"), t.path("got")
    os.mkdir(wanted_folder)
    os.mkdir(got_folder)
    for n in range(THREADS):
        t.good([plain, name, wanted_folder, n], **environment)
    wanted = outputs(t, wanted_folder, name, range(THREADS))
    t.check(all(wanted), "a plain program said nothing")
    t.good([threads, "-n", THREADS, name, got_folder], **environment)
    for n, (got, want) in enumerate(zip(outputs(t, got_folder, name, range(THREADS)), wanted)):
        t.equal(got.splitlines(), want.splitlines(), f"thread {n}")


LETTERS = ("ab:c::f:o::h", "+ab:c", "-ab:c::", ":ab:c", "+:a:b", "-:ab:", "abW;c:", "W;f:", "", ":", "a:-b", "a;b", "W:a",
           "bfho")
WORDS = ("-a", "-b", "-ab", "-ba", "-bX", "-c", "-cX", "-abc", "-", "--", "x", "y", "z.c", "-z", "-:", "-;", "-W",
         "-Wfile=q", "-Wfi", "-Whelp", "file", "file=1", "--file", "--file=1", "--file=", "--fi", "--fi=2", "--fil",
         "--filt", "--filt=3", "--ver", "--verb", "--verbose", "--verbose=1", "--version", "--opt", "--opt=1", "--opti",
         "--op", "--option=x", "--help", "--hel", "--h", "--helper", "--b", "--ba", "--bar", "--bar=", "--nothing",
         "--nothing=1", "--=", "-file", "-fi", "-fil", "-f", "-fX", "-h", "-he", "-b=1", "-bar", "-o", "-opt", "-op=1",
         "-nothing", "-v", "")


def option_cases(count):
    """Lines of the fixture: each with letters and words chosen at random, always the same."""
    choose = random.Random(1)
    lines = []
    for _ in range(count):
        words = [choose.choice(WORDS) for _ in range(choose.randrange(8))]
        flags = choose.choice(["-", "-", "q", "r"])
        lines.append("\t".join([choose.choice("gpllloo"), flags, choose.choice(LETTERS), *words]) + "\n")
    return "".join(lines)


@case(each=[(kind, posixly) for kind in KINDS for posixly in (None, "1")])
def options_are_read_as_by_glibc(t, kind, posixly):
    plain, threads = programs(t, "options", kind)
    cases = t.write("cases", option_cases(4000))
    wanted_folder, got_folder = t.path("wanted"), t.path("got")
    os.mkdir(wanted_folder)
    os.mkdir(got_folder)
    messages = t.run([plain, cases, wanted_folder, -1], POSIXLY_CORRECT=posixly)
    result = t.run([threads, "-n", 1, cases, got_folder], POSIXLY_CORRECT=posixly)
    t.equal((result.returncode, messages.returncode), (0, 0))
    compare_lines(t, outputs(t, got_folder, "options", [-1])[0], outputs(t, wanted_folder, "options", [-1])[0])
    t.check(len(messages.stderr) > 10000, "hardly a message")
    compare_lines(t, result.stderr, messages.stderr)
    # All at once, on different lines.
    for n in range(THREADS):
        t.run([plain, cases, wanted_folder, n], POSIXLY_CORRECT=posixly)
    t.good([threads, "-n", THREADS, cases, got_folder], POSIXLY_CORRECT=posixly)
    for got, want in zip(*(outputs(t, f, "options", range(THREADS)) for f in (got_folder, wanted_folder))):
        compare_lines(t, got, want)


def compare_lines(t, got, wanted):
    got, wanted = got.splitlines(), wanted.splitlines()
    for i, (a, b) in enumerate(zip(got, wanted)):
        t.equal(a, b, f"line {i + 1}")
    t.equal(len(got), len(wanted), "lines")
