/* The end of all processes: the hook of upcr_end_process, in whatever thread calls that.

   If the threads of a process have all ended, it waits for the others, and the status is the first
   nonzero one. Otherwise it tells the others, which end as soon as their progress threads receive
   that. In either case all leave the engine together, so that no launcher takes the end of one process
   for a failure. If one process does not arrive, as it was killed, the others are ended by force. */

#include "runtime/net/finish.h"

#include "runtime/net/engine.h"
#include "runtime/net/leaks.h"
#include "runtime/net/net.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum
{
  CLOSING_LOOKS = 1000 /* milliseconds that a thread may be in the engine */
};

bool upcr_net_is_done;

/* Both with seq_cst: a thread counts itself, then looks; who closes says so, then counts. */
static _Atomic bool is_closed;
static _Atomic int inside;
static __thread int depth;
static __thread bool is_closer;

static bool has_left; /* this process, the engine */
static pid_t process; /* what forks from it is none of the run's */

static void
sleep_for_good (void)
{
  for (;;)
    pause ();
}

void
upcr_gate_enter (void)
{
  if (depth++ > 0 || is_closer)
    return;
  atomic_fetch_add (&inside, 1);
  if (!atomic_load (&is_closed))
    return;
  atomic_fetch_sub (&inside, 1);
  sleep_for_good ();
}

void
upcr_gate_leave (void)
{
  if (--depth > 0 || is_closer)
    return;
  atomic_fetch_sub (&inside, 1);
}

static void
close_gate (void)
{
  is_closer = true;
  atomic_store (&is_closed, true);
  for (int looks = 0; atomic_load (&inside) > 0 && looks < CLOSING_LOOKS; looks++)
    usleep (1000);
}

/* The status of all: that of the lowest rank that has one. */
static int
agree (int status)
{
  struct upcr_net_place place = upcr_net_place ();
  struct upcr_net_most most = { { status ? ((int64_t) (place.size - place.rank) << 8) | status
                                         : 0 } };
  unsigned looks = 0;

  upcr_net_barrier_begin (most);
  while (!upcr_net_barrier_try (&most))
    {
      if (upcr_net_ending)
        return upcr_net_ending - 1;
      upcr_net_relax (&looks);
    }
  return most.value[0] & 0xff;
}

/* exit flushes streams too, without locks; but where the others are gone there is no exit. Standard input
   may be locked for good, by a thread that reads there. */
static void
flush_streams (void)
{
  if (ftrylockfile (stdin) == 0)
    {
      fflush (NULL);
      funlockfile (stdin);
    }
  else if (ftrylockfile (stdout) == 0)
    {
      fflush (stdout);
      funlockfile (stdout);
    }
}

/* What MPI has to say of a run that was cut short, with operations left, is of no use to anybody. */
static void
drop_output (void)
{
  int nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);

  if (nowhere < 0)
    return;
  dup2 (nowhere, STDOUT_FILENO);
  dup2 (nowhere, STDERR_FILENO);
}

static void
leave (int status)
{
  has_left = true;
  flush_streams ();
  close_gate ();
  /* Maybe while it waited for the others. */
  if (!upcr_net_is_done || upcr_net_ending)
    drop_output ();
  if (!upcr_engine_end (status))
    upcr_engine_abort (status);
}

static void
finish (int status)
{
  /* What aborts has still to say so, and is a crash then: the launcher ends the others. */
  if (getpid () != process || upcr_is_aborting)
    return;
  if (upcr_net_is_done && upcr_has_leaks () && status == 0)
    status = 1;
  if (upcr_net_ending)
    status = upcr_net_ending - 1;
  else if (upcr_net_is_done)
    status = agree (status);
  else
    upcr_net_send_end (status);
  leave (status);
  exit (status);
}

/* A sanitizer has reported an error, and ends the process when this returns. */
static void
end_others (void)
{
  if (getpid () != process || has_left)
    return;
  if (!upcr_net_ending)
    upcr_net_send_end (1);
  leave (1);
}

void __sanitizer_set_death_callback (void (*function) (void)) __attribute__ ((weak));

void
upcr_net_follow_end (void)
{
  if (upcr_net_ending)
    upcr_end_process (upcr_net_ending - 1);
}

void
upcr_net_hook_end (void)
{
  process = getpid ();
  upcr_before_end = finish;
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback (end_others);
}
