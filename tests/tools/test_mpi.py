"""Programs of UPC and MPI: processes of MPICH and Open MPI, each with UPC threads of its own."""

import shutil

import pytest

from support.upcc import links, upcc

pytestmark = pytest.mark.host_only("MPI is installed for the host alone")

# How each starts two processes, also where there are fewer CPUs, for root too.
STARTS = {"mpich": ["-n", "2"], "openmpi": ["--allow-run-as-root", "--oversubscribe", "-n", "2"]}

# The function of the reduction counts in a static of the UPC thread that calls; each thread has its
# partner in the other process.
PROGRAM = """#include <upc.h>
#include <mpi.h>
#include <stdio.h>
shared int part[THREADS];
static int calls;
int rank_in_c (void);
static void add (void *from, void *to, int *count, MPI_Datatype *type)
{
  calls++, (void) type;
  for (int i = 0; i < *count; i++)
    ((int *) to)[i] += ((int *) from)[i];
}
static int sum_of_all (void)
{
  int mine = 0, all = 0;
  MPI_Op sum;
  for (int i = 0; i < THREADS; i++)
    mine += part[i];
  MPI_Op_create (add, 1, &sum);
  MPI_Allreduce (&mine, &all, 1, MPI_INT, sum, MPI_COMM_WORLD);
  MPI_Op_free (&sum);
  return all;
}
int main (int argc, char **argv)
{
  int level, processes, got, other, mine;
  if (MYTHREAD == 0)
    MPI_Init_thread (&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  part[MYTHREAD] = MYTHREAD + 1;
  upc_barrier;
  MPI_Comm_size (MPI_COMM_WORLD, &processes);
  other = processes - 1 - rank_in_c (), mine = 10 * rank_in_c () + MYTHREAD;
  MPI_Sendrecv (&mine, 1, MPI_INT, other, MYTHREAD, &got, 1, MPI_INT, other, MYTHREAD, MPI_COMM_WORLD,
                MPI_STATUS_IGNORE);
  if (got != 10 * other + MYTHREAD)
    printf ("%d instead of %d\\n", got, 10 * other + MYTHREAD);
  upc_barrier;
  if (MYTHREAD == 0)
    {
      int all = sum_of_all ();
      printf ("%d of %d: %d, private %d\\n", rank_in_c (), processes, all, calls > 0 || processes == 1);
      fflush (stdout);
    }
  else if (calls != 0)
    printf ("calls of another thread\\n");
  upc_barrier;
  if (MYTHREAD == 0)
    MPI_Finalize ();
  return 0;
}
"""
PLAIN = """#include <mpi.h>
int rank_in_c (void) { int rank; MPI_Comm_rank (MPI_COMM_WORLD, &rank); return rank; }
"""


def compiler_of(mpi):
    if not shutil.which(f"mpicc.{mpi}") or not shutil.which(f"mpirun.{mpi}"):
        pytest.skip(f"no {mpi}")
    return f"mpicc.{mpi}"


@pytest.mark.no_sanitizers("MPI's libraries are not built for them")
@pytest.mark.parametrize("way", ["uses-mpi", "compiler", "driver"])
@pytest.mark.parametrize("mpi", STARTS)
def test_processes_have_threads(upct, mpi, way):
    mpicc = compiler_of(mpi)
    source, plain = upct.write("a.upc", PROGRAM), upct.write("plain.c", PLAIN)
    upct.check_output([mpicc, "-c", plain, "-o", upct.path("plain.o")])
    if way == "uses-mpi":
        program = links(upct, "-uses-mpi", source, "plain.o", UPCC_MPICC=mpicc)
    elif way == "compiler":
        program = links(upct, source, "plain.o", UPCC_CC=mpicc)
    else:
        # Each has a variable of its own for the compiler that its driver calls.
        program = upct.path("prog")
        upct.check_output([mpicc, source, upct.path("plain.o"), "-o", program],
                          MPICH_CC=upct.tool("upcc"), OMPI_CC=upct.tool("upcc"))
    assert upct.check_output([program], THREADS=2) == "0 of 1: 3, private 1\n"
    out = upct.check_output([f"mpirun.{mpi}", *STARTS[mpi], program], THREADS=3)
    assert sorted(out.splitlines()) == ["0 of 2: 12, private 1", "1 of 2: 12, private 1"]


def test_a_compiler_for_mpi_that_is_not_there_is_named(upct):
    source = upct.write("a.upc", "int main (void) { return 0; }\n")
    result = upcc(upct, "-uses-mpi", source, UPCC_MPICC="no-mpicc")
    assert result.returncode == 2 and "'-uses-mpi': cannot run 'no-mpicc -show'" in result.stderr
