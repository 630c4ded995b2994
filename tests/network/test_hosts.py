"""Programs on two hosts, with TCP between them."""

import os
import re
import time

import pytest

from support import ROOT
from support.hosts import connected
from support.network import MPIS, compile_for
from support.stuck import SOURCE

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

FIXTURES = os.path.join(ROOT, "tests", "fixtures")
PROGRAMS = ("network/memory", "network/litmus", "network/blocks", "network/batches")


@pytest.fixture(name="hosts")
def fixture_hosts(upct):
    yield from connected(upct)


@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_right(upct, hosts, mpi, name):
    program = upct.build_once(f"{name.replace('/', '-')}-{mpi}", lambda path: compile_for(
        upct, mpi, os.path.join(FIXTURES, name + ".upc"), output=path))
    result = hosts.run(mpi, 2, 4, program)
    assert (result.stdout, result.stderr, result.returncode) == ("ok\n", "", 0)


@pytest.mark.parametrize("mpi", MPIS)
def test_processes_of_a_host_share_memory(upct, hosts, mpi):
    """Four processes, which the launcher deals out by turns: those of a host have consecutive threads, and each other's
    memory."""
    program = compile_for(upct, mpi, upct.write("a.upc", """#include <stdio.h>
#include <unistd.h>
#include <upc.h>
#include <upc_castable.h>
shared int a[THREADS];
int main (void)
{
  char name[64];
  gethostname (name, sizeof name);
  printf ("%d on %s:", MYTHREAD, name);
  for (int t = 0; t < THREADS; t++)
    if (upc_cast (&a[t]))
      printf (" %d", t);
  puts ("");
  return 0;
}
"""))
    result = hosts.run(mpi, 4, 4, program)
    assert (sorted(result.stdout.splitlines()), result.stderr, result.returncode) == (
        ["0 on hosta: 0 1", "1 on hosta: 0 1", "2 on hostb: 2 3", "3 on hostb: 2 3"], "", 0)


@pytest.mark.parametrize("mpi", MPIS)
def test_deadlocks_name_the_hosts(upct, hosts, mpi):
    program = upct.build_once(f"network-stuck-{mpi}", lambda path: compile_for(
        upct, mpi, upct.fixture(SOURCE), "-g", "-O0", output=path))
    result = hosts.run(mpi, 2, 4, program, "ring")
    places = [re.sub(r"pid \d+", "pid N", line) for line in result.stderr.splitlines() if line.startswith("  on ")]
    assert "error: deadlock: " in result.stderr and result.returncode == 1, result.stderr
    assert places == ["  on hosta: threads 0, 1 in process 0 (pid N)", "  on hostb: threads 2, 3 in process 1 (pid N)"]


@pytest.mark.parametrize("mpi", MPIS)
def test_a_process_of_the_other_host_is_killed(upct, hosts, mpi):
    program = compile_for(upct, mpi, upct.write("a.upc", """#include <signal.h>
#include <unistd.h>
#include <upc.h>
int main (void)
{
  upc_barrier;
  if (MYTHREAD == THREADS - 1)
    kill (getpid (), SIGKILL);
  upc_barrier;
  return 0;
}
"""))
    begin = time.monotonic()
    result = hosts.run(mpi, 2, 4, program, UPC_NETWORK_PARENT="yes")
    assert result.returncode != 0 and time.monotonic() - begin < 60
    assert re.search("signal 9|EXIT CODE: 9", result.stdout + result.stderr)
    assert re.search(r"error: threads 2-3 of process 1 on hostb \(pid \d+\) are lost: Killed$", result.stderr, re.MULTILINE)
