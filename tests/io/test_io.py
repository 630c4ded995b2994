"""UPC-IO: programs of tests/fixtures/io, each given the name of a file."""

import os
import re

import pytest

from support import FULL, ROOT
from support.io import DIFFERENCES

pytestmark = [pytest.mark.tsan, pytest.mark.emulated, pytest.mark.sample(4)]

FOLDER = os.path.join(ROOT, "tests", "fixtures", "io")
THREADS = (1, 2, 3, 7, 16)


def build(upct, name, pts="packed"):
    return upct.build_once(f"io/{pts}/{name}", lambda program: upct.check_output(
        [upct.tool("upcc"), "-O2", f"-fupc-pts={pts}", os.path.join(FOLDER, name + ".upc"), "-o", program]))


@pytest.mark.parametrize("name, pts, threads", [(name, pts, n) for name in ("moves", "control", "strong", "closed", "rules")
                                                for pts, n in [("packed", n) for n in THREADS] + [("struct", 3)]])
def test_program_checks_itself(upct, name, pts, threads):
    upct.check_prints("ok\n", [build(upct, name, pts), upct.path("file")], THREADS=threads)


@pytest.mark.parametrize("threads, step, check", [(1, 1, 0), (2, 1, 0), (3, 13, 0), (3, 29, 1), (5, 1999, 0),
                                                  (16, 9 ** 16 // 12 + 2, 0)])
def test_flags_of_lists_are_each_thread_s_own(upct, threads, step, check):
    """Each STEP-th mix; all mixes of three threads, too, where all cases are run. The checks find nothing wrong."""
    upct.check_prints("ok\n", [build(upct, "mixes"), upct.path("file"), 1 if FULL and threads == 3 else step],
                      THREADS=threads, UPC_CHECK=check)


@pytest.mark.no_tsan("the samples of the detector are taken without order")
def test_lists_order_threads_as_their_flags_say(upct):
    """What has an order by flags is no race."""
    program = upct.compile("-O1", "-g", "-fupc-check=race", os.path.join(FOLDER, "mixes.upc"), output="mixes")
    upct.check_prints("ok\n", [program, upct.path("file"), 29], THREADS=3, UPC_RACE_SAMPLE=1)


ALONE = """#include <upc_io.h>

int
main (int argc, char **argv)
{
  upc_file_t *file = upc_all_fopen (argv[1], UPC_RDWR | UPC_INDIVIDUAL_FP | UPC_CREATE, 0, NULL);

  if (MYTHREAD == 0)
    upc_all_fread_list_local (file, 0, NULL, 0, NULL, UPC_IN_NOSYNC);
  return upc_all_fclose (file);
}
"""


@pytest.mark.host_only("deadlocks are not looked for in an emulator")
def test_call_that_one_thread_makes_alone(upct):
    program = upct.compile("-O1", upct.write("alone.upc", ALONE), output="alone")
    result = upct.run([program, upct.path("file")], THREADS=2)
    assert result.stderr.startswith("alone: error: deadlock: thread 0 waits in upc_all_fread_list_local for thread 1, "
                                    "thread 1 in upc_all_fclose for thread 0\n")
    assert result.returncode == 1


@pytest.mark.parametrize("how", ["return", "exit", "global"])
def test_open_files_are_closed_at_the_end(upct, how):
    result = upct.run([build(upct, "end"), "file", "gone", how], cwd=upct.folder, THREADS=3)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
    with open(upct.path("file"), "rb") as f:
        assert f.read() == b"end" * 3
    assert not os.path.exists(upct.path("gone")), "the file is removed"


def test_permissions_are_those_of_the_hint(upct):
    upct.check_output([build(upct, "control"), upct.path("file")], THREADS=2)
    assert os.stat(upct.path("file")).st_mode & 0o777 == 0o600


def test_second_operation_ends_the_run(upct):
    result = upct.run([build(upct, "twice"), upct.path("file")], THREADS=1)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == ("twice: error: thread 0: upc_all_fwrite_local_async: an asynchronous operation on the file "
                             "is under way\n")


BETWEEN = ["fwait_async", "ftest_async", "fwrite_local", "fread_list_local", "fwrite_list_shared_async", "fseek", "fcntl",
           "fget_size", "fopen", "fclose"]


def test_no_call_between_notify_and_wait(upct):
    for number, name in enumerate(BETWEEN):
        result = upct.run([build(upct, "between"), upct.path("file"), number], THREADS=1)
        assert result.stderr == f"between: error: thread 0: upc_all_{name} between upc_notify and upc_wait\n"
        assert (result.returncode, result.stdout) == (1, "")


def test_library_is_announced(upct):
    with open(upct.path("a.upc"), "w", encoding="ascii") as f:
        f.write("#if __UPC_IO__ != 1\n#error no UPC-IO\n#endif\n#include <upc_io.h>\n"
                "upc_flag_t f = UPC_IN_NOSYNC;\nupc_off_t o;\nint main (void) { return 0; }\n")
    upct.check_output([upct.tool("upcc"), "-c", upct.path("a.upc"), "-o", upct.path("a.o")])


def test_single_valued_arguments(upct):
    program = build(upct, "different")
    for k, message in enumerate(DIFFERENCES):
        result = upct.run([program, upct.path("file"), k], THREADS=2, UPC_CHECK=1, cwd=upct.folder)
        assert re.fullmatch(rf"different: error: thread [01]: {message}\n", result.stderr), f"{k}: {result.stderr}"
        assert result.returncode == 1
    result = upct.run([program, upct.path("file"), len(DIFFERENCES)], THREADS=2, UPC_CHECK=1, cwd=upct.folder)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


WRONG = """#include <upc.h>
#include <upc_io.h>
#include <stdlib.h>
shared [2] char data[10 * THREADS];

int
main (int argc, char **argv)
{
  char c[8] = "";
  int k = atoi (argv[2]), in = UPC_IN_NOSYNC, out = UPC_OUT_NOSYNC;
  struct upc_local_memvec apart[3] = { { c + 4, 4 }, { c + 2, 0 }, { c, 4 } }, both[3] = { { c + 3, 1 }, { c + 7, 1 }, { c, 6 } };
  /* Blocks of 2, on thread 0 and 1: the first has bytes 0 to 1 of both, and on thread 0 bytes 2 to 3, too. */
  struct upc_shared_memvec blocks[2] = { { data, 2, 6 }, { &data[4 + k % 2], 0, 2 } };
  struct upc_filevec places[2] = { { 2, 4 }, { 6, 4 } }, overlap[2] = { { 2, 4 }, { 5, 4 } };
  upc_file_t *file = upc_all_fopen (argv[1], UPC_CREATE | UPC_RDWR | UPC_INDIVIDUAL_FP | (k == 9 ? UPC_STRONG_CA : 0), 0, NULL);

  switch (k)
    {
    case 0: upc_all_fread_local (file, c, 1, 1, in | out | UPC_IN_MYSYNC); break;
    case 1: upc_all_fwrite_list_local (file, 0, NULL, 0, NULL, UPC_OUT_ALLSYNC | out); break;
    case 2: upc_all_fwrite_shared_async (file, data, 0, 1, 1, 1 << 7); break;
    case 3: upc_all_fwrite_list_local (file, 3, apart, 2, overlap, in | out); break;
    case 4: upc_all_fread_list_local (file, 3, both, 2, places, in | out); break;
    case 5: case 6: upc_all_fread_list_shared (file, 2, blocks, 2, places, in | out); break;
    case 7: upc_all_fopen (argv[1], UPC_RDONLY | UPC_COMMON_FP, 0, NULL); break;
    case 8:
      upc_all_fread_list_local (file, 3, apart, 2, overlap, 0);
      upc_all_fwrite_list_local (file, 3, both, 2, places, in | out);
      break;
    case 9: upc_all_fwrite_local (file, c, 1, 1, in | out | UPC_IN_MYSYNC); break;
    }
  upc_all_fclose (file);
  return 0;
}
"""

# What each thread does wrong by itself; the last two are right.
WRONGS = ["invalid flags for upc_all_fread_local: 0x26", "invalid flags for upc_all_fwrite_list_local: 0x28",
          "invalid flags for upc_all_fwrite_shared_async: 0x80",
          "upc_all_fwrite_list_local: filevec has regions that overlap",
          "upc_all_fread_list_local: memvec has regions that overlap",
          "upc_all_fread_list_shared: memvec has regions that overlap",
          "upc_all_fread_list_shared: memvec has regions that overlap",
          "upc_all_fopen: {file} is open already", None, None]


def test_wrong_calls(upct):
    program = upct.compile("-O1", upct.write("wrong.upc", WRONG), output="wrong")
    for k, message in enumerate(WRONGS):
        result = upct.run([program, upct.path("file"), k], THREADS=2, UPC_CHECK=1)
        wanted = rf"wrong: error: thread [01]: {message}\n".format(file=upct.path("file")) if message else ""
        assert re.fullmatch(wanted, result.stderr), f"{k}: {result.stderr}"
        assert result.returncode == (1 if message else 0)


NAMES = """#include <upc.h>
#include <upc_io.h>
#include <stdio.h>
#include <string.h>

int
main (int argc, char **argv)
{
  const char *own = argv[1 + MYTHREAD % (argc - 1)], *name = NULL;
  char text[2] = "-";
  upc_file_t *file = upc_all_fopen (own, UPC_RDWR | UPC_CREATE | UPC_INDIVIDUAL_FP, 0, NULL);

  if (!file || upc_all_fcntl (file, UPC_GET_FN, &name) != 0 || strcmp (name, own))
    return 2;
  upc_all_fseek (file, MYTHREAD, UPC_SEEK_SET);
  upc_all_fwrite_local (file, &"abcd"[MYTHREAD], 1, 1, 0);
  upc_all_fsync (file);
  upc_all_fseek (file, THREADS - 1 - MYTHREAD, UPC_SEEK_SET);
  upc_all_fread_local (file, text, 1, 1, 0);
  return upc_all_fclose (file) != 0 || text[0] != "abcd"[THREADS - 1 - MYTHREAD];
}
"""


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_file_may_have_another_name_on_each_thread(upct, threads):
    program = upct.compile("-O1", upct.write("names.upc", NAMES), output="names")
    os.symlink("file", upct.path("link"))
    for check in (0, 1):
        result = upct.run([program, "file", "./file", upct.path("file"), "link"], cwd=upct.folder, THREADS=threads,
                          UPC_CHECK=check)
        assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
        with open(upct.path("file"), "rb") as f:
            assert f.read() == b"abcd"[:threads]
        os.remove(upct.path("file"))


CLOSED = ["fclose", "fclose", "fsync", "fseek", "fcntl", "fread_local", "ftest_async", "fwrite_local_async"]


def test_files_that_are_not_open(upct):
    program = build(upct, "closed")
    for number, name in enumerate(CLOSED):
        result = upct.run([program, upct.path("file"), number], THREADS=1, UPC_CHECK=1)
        what = "the file is closed, or was never opened" if number else "null pointer in place of a file"
        assert result.stderr == f"closed: error: thread 0: upc_all_{name}: {what}\n"
        assert (result.stdout, result.returncode) == ("", 1)


BUSY = """#include <upc_io.h>
#include <stdlib.h>
shared [4] int buffer[4 * THREADS];

int
main (int argc, char **argv)
{
  int flag = 0, call = atoi (argv[2]);
  upc_file_t *file = upc_all_fopen (argv[1], UPC_RDWR | UPC_COMMON_FP | UPC_CREATE, 0, NULL);

  if (call == 0)
    upc_all_fwait_async (file);
  if (call == 1)
    upc_all_ftest_async (file, &flag);
  upc_all_fwrite_shared_async (file, buffer, 4, sizeof (int), 4 * THREADS, 0);
  if (call == 2)
    upc_all_fseek (file, 0, UPC_SEEK_SET);
  if (call == 3)
    upc_all_fcntl (file, UPC_GET_FP, NULL);
  if (call == 4)
    upc_all_fclose (file);
  if (call == 5)
    upc_all_fread_shared (file, buffer, 4, sizeof (int), 4 * THREADS, 0);
  if (upc_all_fcntl (file, UPC_ASYNC_OUTSTANDING, NULL) != 1)
    return 2;
  upc_all_fwait_async (file);
  if (call == 6)
    upc_all_fwait_async (file);
  upc_all_fclose (file);
  return 0;
}
"""
BUSY_CALLS = ["fwait_async", "ftest_async", "fseek", "fcntl", "fclose", "fread_shared", "fwait_async"]


def test_asynchronous_operations_that_are_under_way_or_not(upct):
    program = upct.compile("-O1", upct.write("busy.upc", BUSY), output="busy")
    for number, name in enumerate(BUSY_CALLS):
        result = upct.run([program, upct.path("file"), number], THREADS=1, UPC_CHECK=1)
        what = "an" if 2 <= number <= 5 else "no"
        assert result.stderr == f"busy: error: thread 0: upc_all_{name}: {what} asynchronous operation on the file is under way\n"
        assert result.returncode == 1
    result = upct.run([program, upct.path("file"), 7], THREADS=2, UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


ARGUMENTS = """#include <upc.h>
#include <upc_io.h>
#include <stdlib.h>
shared [4] char data[4 * THREADS];

int
main (int argc, char **argv)
{
  int k = atoi (argv[2]), kind = k % 2 ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP;
  char byte[4] = "";
  struct upc_local_memvec memory[2] = { { byte, 4 }, { k == 14 ? NULL : byte, k == 14 ? 4 : 0 } };
  struct upc_filevec places[2] = { { 4, 2 }, { k == 10 ? 2 : 6, 2 } };
  upc_file_t *file = upc_all_fopen (argv[1], UPC_CREATE | kind | (k / 4 == 1 ? UPC_RDONLY : k == 8 ? UPC_WRONLY : UPC_RDWR), 0, NULL);

  switch (k)
    {
    case 0: upc_all_fread_local (file, NULL, 1, 4, 0); break;
    case 1: upc_all_fwrite_local (file, byte, 1, 4, 0); break;
    case 2: upc_all_fwrite_local (file, (char *) 64, 1, 4, 0); break;
    case 3: upc_all_fwrite_shared (file, NULL, 4, 1, 4, 0); break;
    case 4: upc_all_fwrite_local_async (file, byte, 1, 4, 0); break;
    case 5: upc_all_fwrite_shared (file, data, 4, 1, 4, 0); break;
    case 6: upc_all_fset_size (file, 4); break;
    case 8: upc_all_fread_local (file, byte, 1, 4, 0); break;
    case 9: upc_all_fread_shared (file, data, 4, 1ul << 62, 8, 0); break;
    case 10: upc_all_fread_list_local (file, 1, memory, 2, places, 0); break;
    case 12: upc_all_fread_list_local (file, 1, memory, 1, places, 0); break;
    case 14: upc_all_fread_list_local (file, 2, memory, 2, places, 0); break;
    case 16: upc_all_fread_list_local (file, 2, NULL, 2, places, 0); break;
    case 18: upc_all_fread_list_local (file, 1, memory, 2, NULL, 0); break;
    case 20: upc_all_fseek (file, -1, UPC_SEEK_SET); break;
    case 22: upc_all_fseek (file, 0, 3); break;
    case 24: upc_all_fset_size (file, -1); break;
    case 26: upc_all_fcntl (file, 99, NULL); break;
    }
  upc_all_fclose (file);
  return 0;
}
"""

ARGUMENT_ERRORS = {
    0: "read_local: buffer is a null pointer", 1: "write_local: the file has a common position, for shared buffers alone",
    2: "write_local: memory that the program does not have", 3: "write_shared: buffer is a null pointer",
    4: "write_local_async: the file is open for reading alone", 5: "write_shared: the file is open for reading alone",
    6: "set_size: the file is open for reading alone", 8: "read_local: the file is open for writing alone",
    9: "read_shared: size \\* nmemb bytes are more than a file can have",
    10: "read_list_local: the offsets of filevec decrease, or are negative",
    12: "read_list_local: memvec and filevec differ in bytes", 14: "read_list_local: memvec has a null pointer",
    16: "read_list_local: memvec is a null pointer", 18: "read_list_local: filevec is a null pointer",
    20: "seek: the position would be negative, or too large",
    22: "seek: origin is none of UPC_SEEK_SET, UPC_SEEK_CUR, UPC_SEEK_END", 24: "set_size: size is negative",
    26: "cntl: cmd is none of the commands"}


def test_arguments_that_are_wrong(upct):
    """Otherwise they are told by the result and errno: control.upc and rules.upc."""
    program = upct.compile("-O1", upct.write("arguments.upc", ARGUMENTS), output="arguments")
    for k, message in ARGUMENT_ERRORS.items():
        result = upct.run([program, upct.path("file"), k], THREADS=2, UPC_CHECK=1)
        assert re.fullmatch(rf"arguments: error: thread [01]: upc_all_f{message}\n", result.stderr), f"{k}: {result.stderr}"
        assert result.returncode == 1
        assert upct.run([program, upct.path("file"), k], THREADS=2).stderr == ""


LEFT = """#include <upc_io.h>
shared [4] char data[4 * THREADS];

int
main (int argc, char **argv)
{
  upc_file_t *file = upc_all_fopen (argv[1], UPC_CREATE | UPC_RDWR | UPC_COMMON_FP, 0, NULL);

  if (argc > 2)
    upc_all_fread_shared_async (file, data, 4, 1, 4, 0);
  upc_barrier;
  return 0;
}
"""


def test_files_and_operations_that_are_left(upct):
    """A file is closed by the end of a run (UPC 1.3, 7.8.2). An operation is under way still."""
    upct.write("left.upc", LEFT)
    program = upct.compile("-O1", "-g", "left.upc", output="left")
    result = upct.run([program, upct.path("file")], THREADS=2, UPC_CHECK=1)
    assert (result.stderr, result.returncode) == ("", 0)
    result = upct.run([program, upct.path("file")], THREADS=2, UPC_CHECK="leaks")
    assert (result.stderr, result.returncode) == ("left: note: 1 file, opened at left.upc:7 by upc_all_fopen, was never closed\n", 0)
    result = upct.run([program, upct.path("file"), 1], THREADS=2, UPC_CHECK=1)
    assert sorted(result.stderr.splitlines()) == [
        f"left: error: thread {t}: upc_all_fread_shared_async at left.upc:10 was never completed by upc_all_fwait_async" for t in (0, 1)]
    assert result.returncode == 1


MIXED = """#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <upc_io.h>
shared [4] int buffer[4 * THREADS];

int
main (int argc, char **argv)
{
  int k = atoi (argv[2]), own[4] = { MYTHREAD }, flag = 0;
  int none = UPC_IN_NOSYNC | UPC_OUT_NOSYNC, late = MYTHREAD == THREADS - 1 ? UPC_ASYNC : 0;
  struct upc_local_memvec memory = { own, sizeof own };
  struct upc_filevec extent = { MYTHREAD * sizeof own, sizeof own };
  upc_file_t *file = upc_all_fopen (argv[1], UPC_CREATE | UPC_RDWR | (k % 4 < 2 ? UPC_COMMON_FP : UPC_INDIVIDUAL_FP), 0, NULL);
  long moved = 0;

  upc_all_fset_size (file, 16 * THREADS);
  switch (k % 4)
    {
    case 0: upc_all_fread_shared (file, buffer, 4, 4, 4 * THREADS, none | late); break;
    case 1: upc_all_fwrite_shared (file, buffer, 4, 4, 4 * THREADS, late); break;
    case 2: upc_all_fread_local (file, own, 4, 4, none | late); break;
    case 3: upc_all_fwrite_list_local (file, 1, &memory, 1, &extent, late); break;
    }
  if (k < 4)
    moved = upc_all_fwait_async (file);
  while (k >= 4 && !flag)
    moved = upc_all_ftest_async (file, &flag);
  if (late ? moved != (k < 2 ? 16 * THREADS : 16) : moved != -1 || errno != EINVAL)
    return 2;
  return upc_all_fclose (file);
}
"""
MIXED_TESTS = ["(ftest_async, but thread [0-9] calls upc_all_fread_shared|fread_shared, but thread [0-9] calls upc_all_ftest_async)",
               "fwrite_shared", "ftest_async: this thread has begun an asynchronous operation on the file, but not all have",
               "fwrite_list_local"]


@pytest.mark.parametrize("threads", [2, 3])
def test_asynchronous_operations_that_some_threads_begin(upct, threads):
    """A wrong program: those without one are told that they have none, or the run ends."""
    program = upct.compile("-O1", upct.write("mixed.upc", MIXED), output="mixed")
    for k in range(4):
        upct.check_prints("", [program, upct.path("file"), k], THREADS=threads)
    for k in (0, 2):
        result = upct.run([program, upct.path("file"), 4 + k], THREADS=threads)
        assert re.fullmatch(f"mixed: error: thread [0-9]: upc_all_{MIXED_TESTS[k]}\\n", result.stderr)
        assert (result.stdout, result.returncode) == ("", 1)


@pytest.mark.host_only("deadlocks are not looked for in an emulator")
def test_some_threads_wait_for_asynchronous_operations_of_others(upct):
    program = upct.compile("-O1", upct.write("mixed.upc", MIXED), output="mixed")
    for k in (1, 3):
        result = upct.run([program, upct.path("file"), 4 + k], THREADS=2)
        assert result.stderr.startswith(f"mixed: error: deadlock: thread 0 waits in upc_all_{MIXED_TESTS[k]} for thread 1, "
                                        "thread 1 in upc_all_ftest_async for thread 0\n")
        assert result.returncode == 1


def test_checks_find_nothing_in_right_programs(upct):
    for name in ("moves", "control", "strong", "rules"):
        upct.check_prints("ok\n", [build(upct, name), upct.path(name + ".data")], THREADS=3, UPC_CHECK=1)
