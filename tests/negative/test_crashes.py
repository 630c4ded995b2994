"""What a crash report says of the address: the block of the plain heap that is nearest, or what is
mapped there. One program, which makes the error that its argument names."""

import os
import re

import pytest

PROGRAM = """#include <upc.h>
#include <string.h>
#include <sys/mman.h>

int
main (int argc, char **argv)
{
  shared [] char *p = upc_alloc (3000000);
  shared [] char *all = (shared [] char *) upc_all_alloc (THREADS, 1000);
  char *page = mmap (0, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

#define CRASH(name, statement) \\
  if (MYTHREAD == 1 && strcmp (argv[1], name) == 0) statement;

  upc_barrier;
  CRASH ("before", p[-3000000] = 1)
  CRASH ("behind", all[4000000] = 1)
  CRASH ("wild", p[-100000000] = 1)
  CRASH ("null", *(volatile int *) 8 = 1)
  CRASH ("no address", *(volatile int *) (1ul << 63) = 1)
  CRASH ("code", *(volatile char *) main = 1)
  CRASH ("page", *page = 1)
  CRASH ("nothing", *(volatile int *) (1ul << 30) = 1)
  upc_barrier;
  return 0;
}
"""

CRASHES = {
    "before": r"access \d+ bytes before a block of up to 3\d{6} bytes with affinity to thread 1",
    "behind": r"access 399\d{4} bytes past the end of thread 0's piece of a block of up to 1024 bytes per thread",
    "wild": r"access outside of the shared data: thread 1, offset 0x[0-9a-f]+, 100000000 bytes before a block of up to 3\d{6} "
            "bytes with affinity to thread 1",
    "null": "Segmentation fault: address 0x8, through a null pointer",
    "no address": "Segmentation fault: access through a pointer that is no address; an index below 0 or far outside of a shared "
                  "array leads to one",
    "code": "Segmentation fault: address 0x[0-9a-f]+, mapped r-x from crash",
    "page": "Segmentation fault: address 0x[0-9a-f]+, mapped r--",
    "nothing": "Segmentation fault: address 0x40000000, where nothing is mapped",
}


@pytest.mark.host_only("qemu says address 0 of what is no address")
@pytest.mark.no_sanitizers("they report crashes themselves")
def test_an_address_is_never_alone(upct):
    upct.write("crash.upc", PROGRAM)
    program = upct.compile("-g", "crash.upc", output="crash")
    for crash, message in CRASHES.items():
        result = upct.run([program, crash], THREADS=2)
        assert re.match(f"crash: error: thread 1: {message}\n", result.stderr), result.stderr
        # Of the program, and nothing of who called it.
        assert re.fullmatch(r"  #0  main at .*crash\.upc:\d+\n", result.stderr.partition("\n")[2]), result.stderr
        assert result.returncode == -11


@pytest.mark.no_sanitizers("they report crashes themselves")
@pytest.mark.parametrize("heap", ["1M", "256M"])
def test_a_plain_null_pointer_is_told_whatever_the_heap_has(upct, heap):
    upct.write("null.upc", "#include <upc.h>\nint main (void) { upc_all_lock_alloc (); upc_barrier; *(volatile int *) 8 = 1; return 0; }\n")
    result = upct.run([upct.compile("null.upc", output="null")], THREADS=1, UPC_SHARED_HEAP_SIZE=heap)
    assert result.stderr.startswith(f"null: error: thread 0: {CRASHES['null']}\n"), result.stderr


BEYOND = """#include <upc.h>
shared int cyclic[100 * THREADS];
int
main (void)
{
  volatile unsigned long i = (1ul << 32) + 1;

  cyclic[i] = 1;
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
def test_beyond_the_last_partition(upct):
    upct.write("beyond.upc", BEYOND)
    result = upct.run([upct.compile("-g", "beyond.upc", output="beyond")], THREADS=1)
    assert result.stderr.startswith("beyond: error: thread 0: access outside of the shared data: thread 0, offset 0x400001004, 17179868789 bytes past "
                                    "the end of 'shared int cyclic[100*THREADS]', declared at beyond.upc:2\n"), result.stderr
    assert result.returncode == -11


LEFT = """#include <upc.h>
shared [12] float old[12 * THREADS], new[12 * THREADS];
int
main (void)
{
  upc_forall (int i = 0; i < 12 * THREADS; i++; &old[i])
    new[i] = old[i - 1];
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
@pytest.mark.parametrize("switch", ["-O2", "-fupc-check=race"])
def test_before_the_first_object(upct, switch):
    upct.write("left.upc", LEFT)
    result = upct.run([upct.compile("-g", switch, "left.upc", output="left")], THREADS=2)
    assert result.stderr.startswith("left: error: thread 0: access before thread 0's piece of 'shared [12] float old[12*THREADS]', "
                                    "declared at left.upc:2\n"), result.stderr
    assert result.returncode == -11


THIRDS = """#include <upc.h>
#include <stdlib.h>
shared [3] float three[3 * THREADS];
shared [24] float more[24 * THREADS];
int
main (int argc, char **argv)
{
  int i = atoi (argv[1]);

  if (i % 2)
    three[i] = 1;
  else
    more[i] = 1;
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
@pytest.mark.parametrize("switch", ["-O2", "-O0", "-fsanitize=address"])
def test_below_all_objects(upct, switch):
    """Indexes below 0 in blocks whose number of elements is no power of two lead where no thread would be."""
    if "address" in switch and not os.path.exists(upct.library("address/libupc.a")):
        pytest.skip("no libraries for -fsanitize=address; 'scons all' makes them")
    upct.write("thirds.upc", THIRDS)
    program = upct.compile("-g", switch, "thirds.upc", output="thirds")
    for index in -1, -2, -30, -301:
        result = upct.run([program, str(index)], THREADS=1)
        assert "thirds: error: thread 0: access before all shared data; an index below 0 leads there\n" in result.stderr, (index, result.stderr)
        assert result.returncode != 0


ROUND = """#include <upc.h>
#include <stdlib.h>
shared int flags[THREADS];
shared [3] float three[3 * THREADS];
shared [*] double spread[5 * THREADS];
int
main (int argc, char **argv)
{
  long i = atol (argv[2]);

  if (MYTHREAD == 0)
    switch (*argv[1])
      {
      case 'f': flags[i] = 1; break;
      case 't': three[i] = 1; break;
      case 's': spread[i] = 1; break;
      }
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
@pytest.mark.parametrize("switches", ["-O2", "-O0 -fupc-pts=struct", "-O1 -fsanitize=address", "-O2 -T 2"])
def test_beyond_the_last_thread(upct, switches):
    """Arrays with a block for each thread find the thread by a division. An index past the end leads to no thread's memory."""
    if "address" in switches and not os.path.exists(upct.library("address/libupc.a")):
        pytest.skip("no libraries for -fsanitize=address; 'scons all' makes them")
    upct.write("round.upc", ROUND)
    program = upct.compile("-g", *switches.split(), "round.upc", output="round")
    objects = {"f": (1, f"shared int flags[{2 if '-T' in switches else 'THREADS'}]", 3),
               "t": (3, f"shared [3] float three[{6 if '-T' in switches else '3*THREADS'}]", 4),
               "s": (5, f"shared [5] double spread[{10 if '-T' in switches else '5*THREADS'}]", 5)}
    for name, (block, text, line) in objects.items():
        for thread in 2, 900, 3000, 6000:
            result = upct.run([program, name, block * thread], THREADS=2)
            assert (f"round: error: thread 0: access through a pointer-to-shared with affinity to thread {thread} of 2, "
                    f"beyond '{text}', declared at round.upc:{line}\n") in result.stderr, (name, thread, result.stderr)
            assert result.returncode != 0


INLINED = """#include <upc.h>
union words { shared [] int *p; unsigned long bits[2]; };
static inline __attribute__ ((always_inline)) void set (shared [] int *p) { *p = 1; }

int
main (void)
{
  volatile union words x = { .p = upc_alloc (4) };

  x.bits[0] += 0x12345ul << 20;
  set (x.p);
  return 0;
}
"""


@pytest.mark.no_sanitizers("they report crashes themselves")
@pytest.mark.parametrize("switch", ["-O0", "-O2", "-O2 -fupc-check", "-O2 -fupc-check=race"])
def test_inlined_functions_have_lines_of_their_own(upct, switch):
    """Also what calls the checks, which look before the access and are inlined themselves."""
    upct.write("inlined.upc", INLINED)
    result = upct.run([upct.compile("-g", *switch.split(), "inlined.upc", output="inlined")], THREADS=1)
    message, frames = result.stderr.split("\n", 1)
    assert message == "inlined: error: thread 0: access through a pointer-to-shared with affinity to thread 837 of 1"
    assert re.fullmatch(r"  #0  set at .*inlined\.upc:3\n  #1  main at .*inlined\.upc:1[01]\n", frames), frames
    assert result.returncode == -11
