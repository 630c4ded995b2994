/* The end of MPI's engine: all processes leave it together. */

#include "runtime/net/engine.h"
#include "runtime/net/mpi.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum
{
  LEAVING_MS = 4000,   /* how long a process may take to come to the end */
  MOST_ROUNDS = 10000, /* of the end, with a nap behind each */
  NAP_NS = 100000,
  NAPS_PER_MS = 1000000 / NAP_NS
};

static MPI_Comm ends;

void
upcr_mpi_prepare_end (MPI_Comm world)
{
  MPI_Comm_dup (world, &ends);
}

static void
nap (void)
{
  nanosleep (&(struct timespec){ .tv_nsec = NAP_NS }, NULL);
}

/* What others have still asked is heard meanwhile. */
static bool
is_complete_within (MPI_Request *request, int milliseconds)
{
  for (int i = 0, is_done = 0; i < NAPS_PER_MS * milliseconds; i++)
    {
      upcr_engine_poll ();
      MPI_Test (request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        return true;
      nap ();
    }
  return false;
}

/* MPI need not end where operations of a run that was cut short are left. */
static void *
limit_time (void *status)
{
  nanosleep (&(struct timespec){ .tv_sec = LEAVING_MS / 1000 }, NULL);
  _exit (*(int *) status);
}

/* Waits for all, and until all messages have come, so that MPI has nothing to complain of. A process only answers by
   now. A round adds up what each has sent and received. If all that is sent by this round had come by the one before,
   nothing was on its way between the two, and nothing will be. In a run that was cut short something may never come. */
static bool
meet_for_the_end (void)
{
  int64_t had_come = -1;

  for (int round = 0; round < MOST_ROUNDS; round++, nap ())
    {
      struct upcr_mpi_counts mine = upcr_mpi_count_messages ();
      int64_t counts[] = { mine.sent, mine.come }, all[2];
      MPI_Request request;

      MPI_Iallreduce (counts, all, 2, MPI_INT64_T, MPI_SUM, ends, &request);
      if (!is_complete_within (&request, LEAVING_MS))
        return false;
      if (all[0] == had_come)
        break;
      had_come = all[1];
    }
  return true;
}

bool
upcr_engine_end (int status)
{
  static int limit_status;
  pthread_t thread;

  if (!meet_for_the_end ())
    return false;
  limit_status = status;
  pthread_create (&thread, NULL, limit_time, &limit_status);
  upcr_mpi_drop_all ();
  MPI_Finalize ();
  return true;
}

void
upcr_engine_abort (int status)
{
  MPI_Abort (MPI_COMM_WORLD, status);
  _exit (status);
}
