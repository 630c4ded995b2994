/* Runs a function in a child process and keeps what it wrote: for what ends the
   process, and for what can be set up only once in one. */

#ifndef UPCR_TEST_CHILD_H
#define UPCR_TEST_CHILD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct child
{
  int status;      /* as exit had it, or 128 + the signal that ended it */
  char text[4096]; /* standard output and error, in the order written */
};

typedef void child_body (const void *argument);

static inline struct child
run_child (child_body *body, const void *argument)
{
  struct child child = { 0 };
  size_t length = 0;
  ssize_t got;
  int ends[2], status;
  pid_t pid;

  fflush (NULL);
  assert_int_equal (pipe (ends), 0);
  /* Not fork: jemalloc's handlers around it make its locks anew in the child, which
     ThreadSanitizer takes for locked. This process has one thread: no lock is held. */
  pid = _Fork ();
  assert_true (pid >= 0);
  if (pid == 0)
    {
      dup2 (ends[1], STDOUT_FILENO);
      dup2 (ends[1], STDERR_FILENO);
      close (ends[0]);
      close (ends[1]);
      body (argument);
      fflush (NULL);
      _exit (0);
    }
  close (ends[1]);
  while (length < sizeof child.text - 1
         && (got = read (ends[0], child.text + length, sizeof child.text - 1 - length)) > 0)
    length += got;
  close (ends[0]);
  assert_int_equal (waitpid (pid, &status, 0), pid);
  child.status = WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status);
  return child;
}

static inline void
expect_child (child_body *body, const void *argument, int status, const char *text)
{
  struct child child = run_child (body, argument);

  assert_string_equal (child.text, text);
  assert_int_equal (child.status, status);
}

/* May a program set limits for itself? qemu keeps those that it began with. */
static inline bool
takes_limits (__rlimit_resource_t resource)
{
  struct rlimit before, now;

  getrlimit (resource, &before);
  now = before;
  now.rlim_cur = (rlim_t) 1 << 40;
  if (now.rlim_cur > now.rlim_max)
    now.rlim_cur = now.rlim_max / 2;
  setrlimit (resource, &now);
  now.rlim_cur = 0;
  getrlimit (resource, &now);
  setrlimit (resource, &before);
  return now.rlim_cur != before.rlim_cur;
}

#endif
