"""UPC-IO in programs of several processes: the programs of tests/io, and what concerns processes alone."""

import os
import re

import pytest

from support import FULL, ROOT
from support.io import DIFFERENCES
from support.network import MPIS, SHAPES, compile_for, environment_of, nodes_of, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

FOLDER = os.path.join(ROOT, "tests", "fixtures", "io")
PROGRAMS = ("moves", "control", "strong", "closed", "rules", "mixes")


def build(upct, name, mpi="mpich", *switches):
    return upct.build_once(f"network-io-{name}-{mpi}{''.join(switches)}", lambda path: compile_for(
        upct, mpi, os.path.join(FOLDER, name + ".upc"), *switches, output=path))


def cases():
    """All programs in all shapes, by turns with each MPI unless full=1 asks for all."""
    for turn, name in enumerate(PROGRAMS):
        for i, (processes, threads) in enumerate(SHAPES):
            for k, node in enumerate(nodes_of(processes)):
                for m, mpi in enumerate(MPIS):
                    if FULL or (turn + i + k) % 2 == m:
                        yield mpi, name, processes, threads, node


@pytest.mark.sample(1, plain=3)
@pytest.mark.parametrize("mpi, name, processes, threads, node", cases())
def test_program_checks_itself(upct, mpi, name, processes, threads, node):
    step = [7 if FULL else 997] if name == "mixes" else []
    result = run(upct, processes, threads, build(upct, name, mpi), upct.path("file"), *step, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("node", ["all", 1])
def test_other_representation_and_checks(upct, node):
    program = build(upct, "moves", "mpich", "-fupc-pts=struct")
    result = run(upct, 2, 3, program, upct.path("file"), UPC_CHECK=1, **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)
    for name in ("control", "strong", "rules"):
        result = run(upct, 2, 3, build(upct, name), upct.path(name + ".data"), UPC_CHECK=1, **environment_of(node))
        assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("how", ["return", "exit", "global"])
def test_open_files_are_closed_at_the_end(upct, how):
    result = run(upct, 2, 3, build(upct, "end"), "file", "gone", how)
    assert (result.stderr, result.returncode) == ("", 0)
    with open(upct.path("file"), "rb") as f:
        assert f.read() == b"end" * 3
    assert not os.path.exists(upct.path("gone")), "the file is removed"


def errors_of(result):
    return [line for line in result.stderr.splitlines() if "error: " in line]


def test_single_valued_arguments(upct):
    program = build(upct, "different")
    upct.write("other", "")
    for k, message in enumerate(DIFFERENCES):
        result = run(upct, 2, 2, program, upct.path("file"), k, UPC_CHECK=1)
        (error,) = errors_of(result)
        assert re.fullmatch(rf".*: error: thread [01]: {message}", error), f"{k}: {result.stderr}"
        assert result.returncode == 1
    result = run(upct, 2, 2, program, upct.path("file"), len(DIFFERENCES), UPC_CHECK=1)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)


# What each process has by the name is another file, as where each node has a file system of its own: with UPC_CHECK=1 or
# without. By the last case's name process 1 has none.
APART = """#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <upc_io.h>
int main (int argc, char **argv)
{
  upc_file_t *file = upc_all_fopen (argv[1 + MYTHREAD], UPC_RDWR | UPC_CREATE | UPC_DELETE_ON_CLOSE | UPC_COMMON_FP, 0, NULL);
  if (!file)
    puts (strerror (errno));
  return file != NULL;
}
"""


def test_another_file_in_each_process(upct):
    program = compile_for(upct, "mpich", upct.write("apart.upc", APART))
    for name in ("one", "two"):
        upct.write(name, name)
    for check in (0, 1):
        result = run(upct, 2, 2, program, "one", "two", UPC_CHECK=check)
        (error,) = errors_of(result)
        assert error == "prog: error: thread 1: upc_all_fopen: fname leads to another file than on thread 0"
        assert result.returncode == 1
    result = run(upct, 2, 2, program, "one", "nowhere/two")
    assert (result.stdout, result.stderr, result.returncode) == ("No such file or directory\n" * 2, "", 0)
    assert os.path.exists(upct.path("one")), "a file that was not opened is not removed"


# Each thread's write of pages, larger than what the system takes at once, is whole among those of other processes.
FAR = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upc.h>
#include <upc_io.h>
#define BYTES 3000000
shared [7] char data[3000000 * THREADS];
int main (int argc, char **argv)
{
  upc_file_t *file = upc_all_fopen (argv[1], UPC_RDWR | UPC_CREATE | UPC_TRUNC | UPC_INDIVIDUAL_FP, 0, NULL);
  char *mine = malloc (BYTES);
  struct upc_shared_memvec all = { &data[7 * ((MYTHREAD + 1) % THREADS)], 7, BYTES };
  struct upc_filevec place = { (long) MYTHREAD * BYTES, BYTES };
  for (int i = 0; i < BYTES; i++)
    mine[i] = i * 31 + i / 257;
  upc_memput (data, mine, 1);
  if (upc_all_fwrite_list_local (file, 1, &(struct upc_local_memvec){ mine, BYTES }, 1, &place, 0) != BYTES)
    return 3;
  for (int round = 0; round < 2; round++)
    for (int t = 0; t < THREADS; t++)
      {
        if (upc_all_fread_list_shared (file, t == MYTHREAD, &all, t == MYTHREAD, &place, 0) != (t == MYTHREAD ? BYTES : 0))
          return 4;
        if (upc_all_fwrite_list_shared (file, t == MYTHREAD, &all, t == MYTHREAD, &place, 0)
            != (t == MYTHREAD ? BYTES : 0))
          return 5;
      }
  upc_all_fsync (file);
  upc_all_fseek (file, (long) (THREADS - 1 - MYTHREAD) * BYTES, UPC_SEEK_SET);
  memset (mine, 0, BYTES);
  if (upc_all_fread_local (file, mine, 1, BYTES, 0) != BYTES)
    return 6;
  for (int i = 0; i < BYTES; i++)
    if (mine[i] != (char) (i * 31 + i / 257))
      return 7;
  return upc_all_fclose (file);
}
"""


@pytest.mark.parametrize("node", ["all", 1])
def test_long_transfers_of_small_blocks(upct, node):
    program = compile_for(upct, "mpich", upct.write("far.upc", FAR))
    result = run(upct, 3, 4, program, upct.path("file"), **environment_of(node))
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
