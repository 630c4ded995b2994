"""Non-blocking transfers that are not completed, or twice, in programs that check their accesses. One
program, which makes the error that its argument names."""

import re

import pytest

PROGRAM = """#include <upc.h>
#include <upc_nb.h>
#include <string.h>
shared [8] char data[8 * THREADS];
upc_handle_t shared handed;

int
main (int argc, char **argv)
{
  const char *error = argv[1];
  char room[8];
  upc_handle_t first, second;

#define IS(name) (MYTHREAD == 1 && strcmp (error, name) == 0)
  first = upc_memget_nb (room, data, 8);
  second = upc_memput_nb (data + 8 * MYTHREAD, room, 4);
  upc_memset_nbi (data + 8 * MYTHREAD, 0, 4);
  if (IS ("handed"))
    handed = first;
  upc_barrier;
  if (MYTHREAD == 0 && handed)
    upc_sync (handed);
  upc_sync (first);
  if (IS ("twice"))
    upc_sync (first);
  if (IS ("never"))
    return 0;
  while (!upc_sync_attempt (second))
    ;
  if (IS ("implicit"))
    return 0;
  upc_synci ();
  upc_sync (upc_memset_nb (data + 8 * MYTHREAD, 1, 8));
  return 0;
}
"""

CONSUMED = "handle already completed, or another thread's"
ERRORS = {
    "twice": [f"transfers.upc:LINE: error: thread 1: upc_sync: {CONSUMED}"],
    "handed": [f"transfers.upc:LINE: error: thread 0: upc_sync: {CONSUMED}"],
    "never": ["transfers: error: thread 1: upc_memset_nbi at transfers.upc:LINE was never completed by upc_synci",
              "transfers: error: thread 1: upc_memput_nb at transfers.upc:LINE was never completed by upc_sync"],
    "implicit": ["transfers: error: thread 1: upc_memset_nbi at transfers.upc:LINE was never completed by upc_synci"],
}
LINES = {"twice": ["upc_sync (first);\n  if (IS (\"never"], "handed": ["upc_sync (handed)"],
         "never": ["upc_memset_nbi", "second = upc"], "implicit": ["upc_memset_nbi"]}


def line_of(text):
    return str(1 + PROGRAM[:PROGRAM.index(text)].count("\n"))


def test_transfers(upct):
    upct.write("transfers.upc", PROGRAM)
    program = upct.compile("-g", "-fupc-check", "transfers.upc", output="transfers")
    for error, lines in ERRORS.items():
        wanted = [line.replace("LINE", line_of(text)) for line, text in zip(lines, LINES[error])]
        result = upct.run([program, error], THREADS=2)
        assert result.stderr.replace(upct.folder + "/", "").splitlines() == wanted
        assert (result.stdout, result.returncode) == ("", 1)
    result = upct.run([program, "good"], THREADS=2)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


HELD = """#include <upc.h>
#include <upc_nb.h>
shared [8] char data[8 * THREADS];

int
main (int argc, char **argv)
{
  char room[8];
  upc_handle_t handle = upc_memget_nb (room, data, 8);

  if (argc == 1)
    upc_barrier;
  upc_sync (handle);
  upc_memset_nbi (data + 8 * MYTHREAD, 0, 4);
  if (argc == 2)
    upc_notify;
  upc_synci ();
  upc_notify;
  upc_sync (upc_memset_nb (data + 8 * MYTHREAD, 1, 8));
  upc_wait;
  return 0;
}
"""


@pytest.mark.parametrize("switch", ["-fupc-check", "-O2", "--profile"])
def test_a_barrier_completes_no_transfer(upct, switch):
    """It is valid to hold a transfer over it (upc_nb.h), so only UPC_CHECK=1 takes it for an error."""
    upct.write("held.upc", HELD)
    program = upct.compile("-g", switch, "held.upc", output="held")
    for words, message in (((), "held.upc:12: error: thread 0: upc_barrier: upc_memget_nb at held.upc:9 is not "
                                "completed yet, by upc_sync\n"),
                           (("x",), "held.upc:16: error: thread 0: upc_notify: upc_memset_nbi at held.upc:14 is not "
                                    "completed yet, by upc_synci\n")):
        result = upct.run([program, *words], THREADS=1, UPC_CHECK=1)
        assert (result.stderr.replace(upct.folder + "/", ""), result.returncode) == (message, 1)
    assert upct.run([program], THREADS=2).stderr == ""
    result = upct.run([program, "right", "one"], THREADS=2, UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


OPEN = """#include <upc.h>
#include <upc_nb.h>
shared [8] char data[8 * THREADS];

int
main (int argc, char **argv)
{
  char room[8] = { 0 };
  upc_handle_t handle = upc_memput_nb (data, room, 8);

  if (argc == 1)
    return 0;
  upc_sync (handle);
  if (argc == 2)
    upc_sync (handle);
  upc_memset_nbi (data, 1, 8);
  if (argc == 3)
    return 0;
  upc_synci ();
  return 0;
}
"""


@pytest.mark.parametrize("switch", ["-O0", "-O2"])
def test_unchecked_objects_have_handles_in_a_checked_run(upct, switch):
    upct.write("open.upc", OPEN)
    program = upct.compile("-g", switch, "open.upc", output="open")
    told = ["open: error: thread 0: upc_memput_nb at open.upc:9 was never completed by upc_sync\n",
            f"open.upc:15: error: thread 0: upc_sync: {CONSUMED}\n",
            "open: error: thread 0: upc_memset_nbi at open.upc:16 was never completed by upc_synci\n", ""]
    for words, message in enumerate(told):
        result = upct.run([program, *["x"] * words], THREADS=1, UPC_CHECK=1)
        assert (result.stderr, result.returncode) == (message, 1 if message else 0)
        if "address" not in upct.sanitizers:
            upct.check_prints("", [program, *["x"] * words], THREADS=1)


FREED = """#include <upc.h>
#include <upc_nb.h>
shared [] char *shared common;

int
main (int argc, char **argv)
{
  char room[8] = { 0 }, error = **++argv;
  shared [] char *before = upc_alloc (16), *block = upc_alloc (16), *behind = upc_alloc (16);
  shared [8] char *all = upc_all_alloc (THREADS, 8);
  upc_handle_t handle = upc_memget_nb (room, error == 's' ? (shared [] char *) (all + 8) : block + 8, error == 'n' ? 0 : 8);

  if (error == 'i')
    upc_memput_nbi (behind, room, 8);
  if (error == 'r')
    upc_sync (handle);
  if (MYTHREAD == 1)
    common = block;
  upc_barrier;
  if (error == 'o' && MYTHREAD == 0)
    upc_free (common);
  upc_free (before);
  if (MYTHREAD == 0 && error == 's')
    upc_free (all);
  if (error != 'o')
    upc_free (behind);
  if (error != 'o' && error != 's')
    upc_free (block);
  upc_barrier;
  if (error != 'r')
    upc_sync (handle);
  upc_synci ();
  return 0;
}
"""


@pytest.mark.parametrize("switch", ["-O0 -fupc-check", "-O2 -fupc-pts=struct -fupc-check"])
def test_blocks_that_transfers_access_are_not_freed(upct, switch):
    """By whichever thread, to or from whichever piece."""
    upct.write("freed.upc", FREED)
    program = upct.compile("-g", *switch.split(), "freed.upc", output="freed")
    get = "has not completed upc_memget_nb at freed.upc:11, which accesses the block, by upc_sync"
    for error, threads, message in (("block", 1, f"freed.upc:28: error: thread 0: upc_free: thread 0 {get}\n"),
                                    ("other", 2, f"freed.upc:21: error: thread 0: upc_free: thread 1 {get}\n"),
                                    ("implicit", 1, "freed.upc:26: error: thread 0: upc_free: thread 0 has not completed "
                                                    "upc_memput_nbi at freed.upc:14, which accesses the block, by upc_synci\n"),
                                    ("right", 2, ""), ("none", 2, "")):
        result = upct.run([program, error], THREADS=threads)
        assert (result.stderr.replace(upct.folder + "/", ""), result.returncode) == (message, 1 if message else 0), error
    result = upct.run([program, "symmetric"], THREADS=2)
    assert re.fullmatch(rf"freed.upc:24: error: thread 0: upc_free: thread [01] {get}\n",
                        result.stderr.replace(upct.folder + "/", "")), result.stderr
