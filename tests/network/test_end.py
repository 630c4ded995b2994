"""What is on its way when all processes end arrives before they do: no message is left for MPI to complain of. The
deadlock search of process 0 asks while that still writes its files, and each answer takes longer than the rest."""

import pytest

from support.network import MPIS, compile_for, compiler_of, run

pytestmark = [pytest.mark.host_only("MPI is installed for the host alone"),
              pytest.mark.no_sanitizers("MPI's libraries are not built for them")]

SLOW_FILE = """#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
#include <upc.h>

extern void delay_messages (void);

static ssize_t
write_slowly (void *cookie, const char *text, size_t bytes)
{
  usleep (500000);
  return bytes;
}

int
main ()
{
  if (MYTHREAD == 0)
    fputs ("text", fopencookie (NULL, "w", (cookie_io_functions_t){ .write = write_slowly }));
  else
    delay_messages ();
  return 0;
}
"""

# In front of MPI's functions. What it has not delivered is looked for when all have left.
SLOW_MESSAGES = """#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static MPI_Comm messages;
static atomic_int are_slow;

void
delay_messages (void)
{
  are_slow = 1;
}

int
MPI_Irecv (void *to, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request)
{
  messages = comm;
  return PMPI_Irecv (to, count, type, source, tag, comm, request);
}

int
MPI_Isend (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
  if (are_slow)
    usleep (1000000);
  return PMPI_Isend (from, count, type, to, tag, comm, request);
}

int
MPI_Finalize (void)
{
  int is_left = 0;

  PMPI_Barrier (MPI_COMM_WORLD);
  for (int i = 0; i < 100 && !is_left; i++, usleep (1000))
    PMPI_Iprobe (MPI_ANY_SOURCE, MPI_ANY_TAG, messages, &is_left, MPI_STATUS_IGNORE);
  if (is_left)
    fprintf (stderr, "a message is left\\n");
  return PMPI_Finalize ();
}
"""


@pytest.mark.parametrize("mpi", MPIS)
def test_no_message_is_left(upct, mpi):
    upct.check_output([compiler_of(upct, mpi), "-O2", "-c", upct.write("messages.c", SLOW_MESSAGES), "-o", "messages.o"])
    program = compile_for(upct, mpi, upct.write("file.upc", SLOW_FILE), "messages.o")
    result = run(upct, 2, 2, program)
    assert (result.stdout, result.stderr, result.returncode) == ("", "", 0)
