"""Programs of objects with and without instrumentation, and of both kinds of it."""

import pytest

from gasp.common import check_nesting, record

pytestmark = pytest.mark.tsan

# What upcc makes: it raises the event and calls the plain function. The callback has events
# of its own in between.
COMPILED = """
#include <gasp_upc.h>
#include <upct/gasp.h>
#include "calls.h"

static const struct upct_site site = { "compiled.upc", 7, 3 };

static int
add (int a, int b)
{
  struct upct_gasp_frame frame;

  if (upct_gasp_tool)
    upct_gasp_enter (&frame, &site, "int add (int, int)");
  __upc_fence ();
  if (upct_gasp_tool)
    upct_gasp_leave (&frame, &site);
  return a + b;
}

void
compiled (shared_pointer dst, shared_pointer src)
{
  if (upct_gasp_tool)
    upct_gasp_event (&site, GASP_UPC_ALL_BROADCAST, GASP_START, &dst, &src, 4ul, 9);
  upc_all_broadcast (dst, src, 4, 9);
  if (upct_gasp_tool)
    upct_gasp_event (&site, GASP_UPC_ALL_BROADCAST, GASP_END, &dst, &src, 4ul, 9);
  if (upct_gasp_tool)
    upct_gasp_event (&site, GASP_UPC_ALL_REDUCE, GASP_START, &dst, &src, 1 << 16, 2ul, 0ul, (void *) add, 9, 4);
  upc_all_reduceI (dst, src, 1 << 16, 2, 0, add, 9);
  if (upct_gasp_tool)
    upct_gasp_event (&site, GASP_UPC_ALL_REDUCE, GASP_END, &dst, &src, 1 << 16, 2ul, 0ul, (void *) add, 9, 4);
}
"""
# What is not instrumented calls plain functions only.
PLAIN = """
#include "calls.h"

void __putsi2 (shared_pointer p, uint32_t value);
void upc_free (shared_pointer p);
void compiled (shared_pointer dst, shared_pointer src);

int
main (void)
{
  shared_pointer p = upc_all_alloc (1, 64);

  if (MYTHREAD == 0)
    __putsi2 (p, 3);
  __upc_fence ();
  upc_all_broadcast (p + (32ul << 30), p, 4, 9);
  compiled (p + (32ul << 30), p);
#ifdef WITH_PLACE
  __upc_barrierg (INT_MIN, "other.upc", 5);
#endif
  return 0;
}
"""


def link(upct, *flags):
    files = [upct.write(name, text) for name, text in (("compiled.c", COMPILED), ("plain.c", PLAIN))]
    return upct.link("-I" + upct.fixture("gasp"), *flags, *files, upct.fixture("gasp/record.c"))


def starts(lines):
    return [" ".join(line.split()[1:3]) for line in lines if line.startswith("start")]


def test_compiled_code_raises_its_events_once(upct):
    """Objects without `g` entry points: plain functions raise nothing."""
    _, records = record(upct, link(upct), 3)
    for thread, lines in enumerate(records):
        check_nesting(upct, lines)
        # Some thread calls the function of the reduction.
        seen = [start for start in starts(lines) if start != "C_FUNC compiled.upc:7:3"]
        assert seen == ["ALL_BROADCAST compiled.upc:7:3", "ALL_REDUCE compiled.upc:7:3", "COLLECTIVE_EXIT :0:0"]


def test_plain_functions_raise_what_no_code_does(upct):
    """With an object of another compiler they raise events, but for those of upcc's code."""
    _, records = record(upct, link(upct, "-DWITH_PLACE"), 1)
    check_nesting(upct, records[0])
    assert starts(records[0]) == ["FENCE :0:0", "ALL_BROADCAST :0:0", "ALL_BROADCAST compiled.upc:7:3",
                                  "ALL_REDUCE compiled.upc:7:3", "C_FUNC compiled.upc:7:3", "FENCE :0:0",
                                  "BARRIER other.upc:5:0", "COLLECTIVE_EXIT :0:0"]


def test_only_wanted_events_are_raised(upct):
    """What --profile-only gives the program at link."""
    wanted = upct.write("wanted.c", """#include <gasp_upc.h>
const unsigned char upct_gasp_only[GASP_UPC_USEREVT_START] = { [GASP_C_FUNC] = 1, [GASP_UPC_ALLOC] = 1 };
""")
    tool = upct.fixture("gasp/record.c")
    _, records = record(upct, upct.link(upct.fixture("gasp/calls.c"), wanted, tool), 3, 3)
    for lines in records:
        check_nesting(upct, lines)
        kinds = {line.split()[1] for line in lines if line.startswith(("start", "end", "atomic"))}
        assert kinds == {"C_FUNC", "ALLOC", "event-1000", "event-1001"}


def test_pointers_of_16_bytes_have_events(upct):
    files = [upct.fixture("gasp/few.c"), upct.fixture("gasp/record.c")]
    _, records = record(upct, upct.link("-fupc-pts=struct", "-DSTRUCT", *files), 2)
    for lines in records:
        check_nesting(upct, lines)
        alloc = next(line for line in lines if line.startswith("end ALLOC")).split()[-1]
        for line in lines:
            if line.split()[1] in ("GET", "PUT", "FREE"):
                assert alloc in line.split(), f"{alloc} in {line}"
        assert len(lines) == 14
