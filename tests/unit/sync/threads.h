/* What the tests of this room share: UPC threads made by hand, and bodies that
   must end the run with one line. */

#ifndef TESTS_SYNC_THREADS_H
#define TESTS_SYNC_THREADS_H

#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"
#include "tests/unit/require.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum
{
  CPUS = 2,
  MESSAGE_BYTES = 4096,
  NOT_DEAD = 99
};

struct start
{
  int thread;
  void (*body) (void);
};

static inline void *
thread_main (void *argument)
{
  struct start *start = argument;

  upcr_block_begin (start->thread);
  start->body ();
  return NULL;
}

/* Runs BODY on N threads; the calling one is thread 0. The room is as new. */
static inline void
run_threads (int n, void (*body) (void))
{
  static struct start starts[UPCR_MAX_THREADS];
  static pthread_t handles[UPCR_MAX_THREADS];

  THREADS = n;
  upcr_sync_init (n, CPUS);
  upcr_blocks_map (n);
  for (int t = 1; t < n; t++)
    {
      starts[t] = (struct start){ t, body };
      if (pthread_create (&handles[t], NULL, thread_main, &starts[t]) != 0)
        abort ();
    }
  body ();
  for (int t = 1; t < n; t++)
    pthread_join (handles[t], NULL);
}

static inline void
sleep_us (long us)
{
  struct timespec time = { us / 1000000, us % 1000000 * 1000 };

  nanosleep (&time, NULL);
}

static inline double
seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

/* A small generator of each thread's own: the state is the caller's. */
static inline unsigned
next_random (unsigned *state)
{
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static inline void
read_all (int fd, char *text, size_t size)
{
  size_t used = 0;
  ssize_t n;

  while (used < size - 1 && (n = read (fd, text + used, size - 1 - used)) > 0)
    used += n;
  text[used] = '\0';
}

/* Runs BODY on N threads of a child; gives its status and what it wrote on
   stderr. */
static inline int
run_child (int n, void (*body) (void), char text[MESSAGE_BYTES])
{
  int pipe_ends[2], status;
  pid_t child;

  assert_int_equal (pipe (pipe_ends), 0);
  fflush (NULL);
  child = fork ();
  assert_true (child >= 0);
  if (child == 0)
    {
      upcr_program = "prog";
      dup2 (pipe_ends[1], STDERR_FILENO);
      close (pipe_ends[0]);
      close (pipe_ends[1]);
      run_threads (n, body);
      _exit (NOT_DEAD);
    }
  close (pipe_ends[1]);
  read_all (pipe_ends[0], text, MESSAGE_BYTES);
  close (pipe_ends[0]);
  assert_int_equal (waitpid (child, &status, 0), child);
  assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

/* The child must end with status 1 and exactly MESSAGE. */
static inline void
expect_fatal (int n, void (*body) (void), const char *message)
{
  char text[MESSAGE_BYTES];
  int status = run_child (n, body, text);

  assert_string_equal (text, message);
  assert_int_equal (status, 1);
}

static inline void
at (const char *file, int line)
{
  upcr_here = (struct upcr_location){ file, line };
}

#endif
