"""Whoever makes a thread, it belongs to the UPC thread that asked for it: the statics are those
of the UPC thread, at the same addresses."""

import os

import pytest

from privatize.common import COMPILERS
from support import FULL
from threads.common import UPC_THREADS, check_threads, compiled

pytestmark = pytest.mark.tsan

BUILDS = [(cc, level, link) for cc in COMPILERS for level in ("-O0", "-O2") for link in ("-no-pie", "-pie", "-static")]


def sample():
    """Each compiler, level and way to link with each of the others, not all three."""
    return BUILDS if FULL else [BUILDS[i] for i in (0, 4, 5, 7, 8, 9)]


def library(upct):
    """The path of a shared library that makes threads."""
    return upct.build_once("libmaker.so", lambda path: upct.check_output(
        ["g++", "-shared", "-fPIC", "-O1", upct.fixture("threads/maker.cc"), "-o", path]))


@pytest.mark.no_tsan("libstdc++ is not built for it")
@pytest.mark.parametrize("cc, level, link", sample())
def test_threads_share_the_statics_of_their_upc_thread(upct, cc, level, link):
    if link == "-static" and upct.sanitizers:
        pytest.skip("sanitizers do not link into static programs")
    model = "-fPIE" if link == "-pie" else "-fno-pie"
    if link == "-static":
        program = upct.link(compiled(upct, "makers.c", cc, level, model), flags=[link])
    else:
        maker = library(upct)
        program = upct.link(compiled(upct, "makers.c", cc, level, model, f'-DOPENED="{maker}"'), maker, flags=[link])
    check_threads(upct.check_output([program], THREADS=UPC_THREADS))


def test_sanitized_threads(upct):
    """Compiled by upcc, so that a sanitizer sees all of it."""
    program = upct.compile("-x", "c", "-O1", upct.fixture("threads/makers.c"))
    check_threads(upct.check_output([program], THREADS=UPC_THREADS))


@pytest.mark.only_x86_64("on ARM it is upc-threads.o that hands the data on")
@pytest.mark.no_sanitizers("a program linked by hand has no sanitizer's runtime")
@pytest.mark.parametrize("link", ["-no-pie", "-static"])
def test_linked_without_the_object_for_shared_libraries(upct, link):
    """As docs/compiling.md links by hand, but without upc-threads.o: threads of a shared library
    share the statics all the same."""
    lib = os.path.join(upct.build, "lib/upct")
    maker = [library(upct)] if link == "-no-pie" else []
    program, merged, private = upct.path("prog"), upct.path("all.o"), upct.path("private.o")
    upct.check_output(["ld", "-r", "--unique=.rodata", "-u", "main", "-T", f"{lib}/upc-far.ld", "-o", merged,
                       f"{lib}/upc-crtbegin.o",
                       compiled(upct, "makers.c", "gcc", "-O1", "-fno-pie", "-DWITHOUT_THREAD_LOCAL_POINTERS"),
                       f"{lib}/upc-crtend.o"])
    upct.check_output([upct.tool("upc-privatize"), merged, "-o", private])
    upct.check_output(["gcc", link, private, f"{lib}/libupc.a", *maker, "-l:liburcu-cds.a", "-l:liburcu-bp.a",
                       f"{lib}/libupc-jemalloc.a", "-o", program])
    check_threads(upct.check_output([program], THREADS=UPC_THREADS))


NOTIFIED = """
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <upc.h>
static strict shared int whose[THREADS];
static void notify (union sigval asker)
{
  whose[asker.sival_int] = MYTHREAD + 1;
}
static void use_timer (void)
{
  struct sigevent event = { .sigev_notify = SIGEV_THREAD, .sigev_notify_function = notify,
                            .sigev_value.sival_int = MYTHREAD };
  struct itimerspec soon = { .it_value.tv_nsec = 1 };
  timer_t timer;

  if (timer_create (CLOCK_MONOTONIC, &event, &timer) || timer_settime (timer, 0, &soon, NULL))
    upc_global_exit (1);
  while (!whose[MYTHREAD])
    sched_yield ();
}
int main (void)
{
  if (MYTHREAD == 1)
    use_timer ();
  upc_barrier;
  if (MYTHREAD != 1)
    use_timer ();
  upc_barrier;
  if (MYTHREAD == 0)
    for (int t = 0; t < THREADS; t++)
      printf ("%d %d\\n", t, whose[t] - 1);
  return 0;
}
"""


@pytest.mark.only_x86_64("on ARM it has the data of UPC thread 0 (docs/compiling.md)")
@pytest.mark.no_tsan("what glibc's own threads do is unknown to it")
def test_notifications_run_in_the_first_that_asked_for_any(upct):
    """The thread of glibc that makes them is made by its first user (docs/private-data.md)."""
    program = upct.compile("-O1", upct.write("notified.upc", NOTIFIED))
    assert upct.check_output([program], THREADS=3) == "0 1\n1 1\n2 1\n"
