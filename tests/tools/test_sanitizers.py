"""upcc -fsanitize: one installation has libraries for every sanitizer."""

import os
import re
import shutil

import pytest

from support.upcc import RETURNS_42, compiled, links, refuses
from support.upct import ROOT

pytestmark = pytest.mark.host_only("there are no sanitizers' libraries for other processors")


def installation(upct, upcc, sanitizer=None):
    """Of UPCC with the libraries of the build, which are also those for the SANITIZER."""
    for folder in "bin", "lib/upct", "include":
        os.makedirs(upct.path(folder))
    shutil.copy(upcc, upct.path("bin/upcc"))
    for name in "upc2c", "upc-privatize":
        os.symlink(upct.tool(name), upct.path("bin/" + name))
    libraries = os.path.join(upct.build, "lib/upct")
    for name in os.listdir(libraries):
        if not os.path.isdir(os.path.join(libraries, name)):
            os.symlink(os.path.join(libraries, name), upct.path("lib/upct/" + name))
    if sanitizer:
        os.symlink(libraries, upct.path("lib/upct/" + sanitizer))
    os.symlink(os.path.join(ROOT, "include"), upct.path("include/upct"))
    return upct.path("bin/upcc")


@pytest.mark.no_sanitizers("its upcc has libraries for them")
def test_sanitizers_without_libraries_are_named(upct):
    compiled(upct, "a", RETURNS_42)
    upcc = installation(upct, upct.tool("upcc"))
    for name in "address", "thread":
        result = upct.run([upcc, f"-fsanitize=undefined,{name}", "a.o"])
        assert (result.stderr, result.returncode) == (
            f"upcc: error: '-fsanitize={name}': no libraries for it in {upct.path('lib/upct')}; 'scons all' makes them\n", 1)


def test_sanitizers_that_cannot_be(upct):
    compiled(upct, "a", RETURNS_42)
    refuses(upct, ["-fsanitize=memory", "a.o"], "'-fsanitize=memory': takes a C library compiled with it; valgrind finds "
            "what it would find", status=2)
    refuses(upct, ["-fsanitize=hwaddress", "a.o"], "'-fsanitize=hwaddress': not supported; use address", status=2)


@pytest.mark.no_sanitizers("others get in their way")
def test_sanitizers_that_need_no_libraries(upct):
    upct.write("a.upc", """#include <stdlib.h>
int *volatile kept; shared struct { int *own; } used[THREADS];
int main (void) { int k = MYTHREAD + 40; kept = malloc (4); kept = 0; used[MYTHREAD].own = malloc (8); return 1 << k == 3; }
""")
    result = upct.run([links(upct, "-g", "-fsanitize=undefined,leak", "a.upc"), "-n", 2])
    assert "a.upc:3:113: runtime error: shift exponent 41 is too large for 32-bit type 'int'" in result.stderr
    assert "SUMMARY: LeakSanitizer: 8 byte(s) leaked in 2 allocation(s)" in result.stderr
    assert result.returncode != 0
    assert upct.run([links(upct, "-fsanitize=undefined,address", "-fno-sanitize=all", "a.upc"), "-n", 2]).stderr == ""


SANITIZED = """#include <upc.h>
#include <stdlib.h>
shared int total;
int main (void)
{
  int *volatile p = malloc (4);
  p[MYTHREAD] = 1;
  total++;
  free (p);
  return 0;
}
"""


@pytest.mark.tsan
@pytest.mark.parametrize("pts", ["packed", "struct"])
@pytest.mark.parametrize("sanitizer, what, line", [
    ("address", "AddressSanitizer: heap-buffer-overflow", 7), ("thread", "ThreadSanitizer: data race", 8)])
def test_one_installation_has_all_sanitizers(upct, sanitizer, what, line, pts):
    if sanitizer not in upct.sanitizers:
        pytest.skip(f"of the libraries of the build with sanitize={sanitizer}")
    upct.write("a.upc", SANITIZED)
    upcc = installation(upct, os.path.join(upct.build, "obj/tools/upcc-plain"), sanitizer)
    result = upct.run([upcc, "-g", "-fsanitize=" + ",".join(upct.sanitizers), f"-fupc-pts={pts}", "a.upc", "-o", "a"])
    assert (result.stderr, result.returncode) == ("", 0)
    result = upct.run([upct.path("a"), "-n", 2])
    assert what in result.stderr and f"a.upc:{line}" in result.stderr and result.returncode != 0


CRASHES = """#include <upc.h>
#include <stdlib.h>
shared int a[THREADS];
shared int *shared nowhere;

int
main (int argc, char **argv)
{
  if (MYTHREAD == 1 && argc > 1)
    *nowhere = 1;
  for (int i = 0; MYTHREAD == 1 && argc == 1; i += THREADS)
    a[i] = 1;
  upc_barrier;
  return 0;
}
"""


@pytest.mark.parametrize("arguments, what, line", [
    ([], r"access \d+ bytes past the end of thread 0's piece of 'shared int a\[THREADS\]', declared at a\.upc:3", 12),
    (["null"], "access through a null pointer-to-shared", 10)])
def test_thread_sanitizer_reports_of_crashes_have_names(upct, arguments, what, line):
    if "thread" not in upct.sanitizers and not os.path.exists(upct.library("thread/libupc.a")):
        pytest.skip("no libraries for ThreadSanitizer; 'scons all' makes them")
    upct.write("a.upc", CRASHES)
    program = upct.compile("-g", "-O1", "-fsanitize=thread", "a.upc", output="a")
    result = upct.run([program, *arguments], THREADS=2)
    assert re.search(f"^a: error: thread 1: {what}$", result.stderr, re.M), result.stderr
    assert re.search(fr"ThreadSanitizer: SEGV on unknown address.*\n(?:.*\n)*?    #0 main .*a\.upc:{line}\b", result.stderr), result.stderr
    assert result.returncode != 0
