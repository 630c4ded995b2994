"""What libc keeps between calls, per thread: the same C program, compiled plainly and
run as processes of one thread each, says what eight UPC threads must get."""

import glob
import os
import random

import pytest

pytestmark = pytest.mark.tsan

THREADS = 8
TESTS = ("rand", "initstate", "drand48", "strtok", "l64a", "cvt", "time", "getdate", "multibyte", "hsearch",
         "lgamma", "tmpnam", "terminals", "users", "user_lists", "user_files", "mounts", "hosts", "rpc", "atfork", "ether",
         "messages")
KINDS = {
    "plain": ["gcc", "-O0"],
    "fortified": ["gcc", "-O2", "-D_FORTIFY_SOURCE=2", "-fPIC"],
    "clang": ["clang", "-O2"],
}


def programs(upct, name, kind):
    """The paths of tests/fixtures/libc/NAME.c, or of the files in NAME, compiled plainly, and of it in threads."""
    sources = sorted(glob.glob(upct.fixture(f"libc/{name}.c")) + glob.glob(upct.fixture(f"libc/{name}/*.c")))
    compile_it = [*KINDS[kind], "-D_GNU_SOURCE", "-g", "-w"]

    def link_plain(program):
        upct.check_output([*compile_it, *sources, "-o", program, "-lm"])

    def link_threads(program):
        compiled = []
        for source in sources:
            compiled.append(upct.path(f"{name}-{len(compiled)}.o"))
            upct.check_output([*compile_it, "-DUPCT", "-c", source, "-o", compiled[-1]])
        upct.check_output([upct.tool("upcc"), *compiled, "-lm", "-o", program])

    return (upct.build_once(f"libc-programs/{name}-{kind}-plain", link_plain),
            upct.build_once(f"libc-programs/{name}-{kind}-threads", link_threads))


def outputs(upct, folder, name, numbers):
    texts = []
    for n in numbers:
        with open(os.path.join(folder, f"{name}.{n}"), encoding="utf-8", errors="replace") as f:
            texts.append(f.read())
    return texts


@pytest.mark.parametrize("name, kind", [(name, kind) for name in TESTS for kind in KINDS])
def test_each_thread_gets_what_a_process_gets(upct, name, kind):
    plain, threads = programs(upct, "calls", kind)
    environment = {
        "TZ": "CET-1CEST,M3.5.0,M10.5.0/3",
        "DATEMSK": upct.write("datemsk", "%Y-%m-%d\n"),
        # glibc's lock around what it knows of /etc/resolv.conf, which the tool cannot see; and
        # a fork takes the locks of all arenas, more than its deadlock detector has room for.
        "TSAN_OPTIONS": "detect_deadlocks=0:suppressions=" + upct.write("suppressions", "race:libc_dynarray\nrace:resolv\n"),
    }
    wanted_folder, got_folder = upct.path("wanted"), upct.path("got")
    os.mkdir(wanted_folder)
    os.mkdir(got_folder)
    for n in range(THREADS):
        upct.check_output([plain, name, wanted_folder, n], **environment)
    wanted = outputs(upct, wanted_folder, name, range(THREADS))
    assert all(wanted), "a plain program said nothing"
    upct.check_output([threads, "-n", THREADS, name, got_folder], **environment)
    for n, (got, want) in enumerate(zip(outputs(upct, got_folder, name, range(THREADS)), wanted)):
        assert got.splitlines() == want.splitlines(), f"thread {n}"


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


@pytest.mark.parametrize("kind, posixly", [(kind, posixly) for kind in KINDS for posixly in (None, "1")])
def test_options_are_read_as_by_glibc(upct, kind, posixly):
    plain, threads = programs(upct, "options", kind)
    cases = upct.write("cases", option_cases(4000))
    wanted_folder, got_folder = upct.path("wanted"), upct.path("got")
    os.mkdir(wanted_folder)
    os.mkdir(got_folder)
    messages = upct.run([plain, cases, wanted_folder, -1], POSIXLY_CORRECT=posixly)
    result = upct.run([threads, "-n", 1, cases, got_folder], POSIXLY_CORRECT=posixly)
    assert (result.returncode, messages.returncode) == (0, 0)
    compare_lines(upct, outputs(upct, got_folder, "options", [-1])[0], outputs(upct, wanted_folder, "options", [-1])[0])
    assert len(messages.stderr) > 10000, "hardly a message"
    compare_lines(upct, result.stderr, messages.stderr)
    # All at once, on different lines.
    for n in range(THREADS):
        upct.run([plain, cases, wanted_folder, n], POSIXLY_CORRECT=posixly)
    upct.check_output([threads, "-n", THREADS, cases, got_folder], POSIXLY_CORRECT=posixly)
    for got, want in zip(*(outputs(upct, f, "options", range(THREADS)) for f in (got_folder, wanted_folder))):
        compare_lines(upct, got, want)


def compare_lines(upct, got, wanted):
    got, wanted = got.splitlines(), wanted.splitlines()
    for i, (a, b) in enumerate(zip(got, wanted)):
        assert a == b, f"line {i + 1}"
    assert len(got) == len(wanted), "lines"
