/* --top: a table of the UPC threads each second, on standard error, until the process ends:

     heat, process 4711: 4 UPC threads, 1.9 CPUs busy
     20.4 MiB/s between threads: 0 to 1 12.3 MiB/s, 1 to 0 8.1 MiB/s
     thread  CPU  busy  queued      time  
          0    1   98%      0%   12.31 s  runs
          1    0    2%      1%    0.22 s  sleeps in upc_lock, which thread 0 holds

   busy is the part of the last second that the thread ran, queued the part that it could have run and had
   no CPU. On a terminal each table takes the place of the last one. */

#include "tools/upcrun/top.h"

#include "tools/common/common.h"
#include "tools/upcrun/upcrun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum
{
  AROUND = 4, /* lines of a table beside those of threads, and of the prompt */
  PERCENT = 100
};

static struct task *before; /* of the last table */
static size_t before_count;
static uint64_t before_ns;
static int lines; /* of the last table on a terminal */

static uint64_t
now_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

static void
remember (const struct task *tasks, size_t count)
{
  static size_t capacity;

  before = arena_grow (before, count, &capacity, sizeof *before);
  if (count)
    memcpy (before, tasks, count * sizeof *tasks);
  before_count = count;
  before_ns = now_ns ();
}

/* The task as it was in the last table: all zeros, if it is new. */
static struct task
earlier (const struct task *task)
{
  for (size_t i = 0; i < before_count; i++)
    if (before[i].id == task->id)
      return before[i];
  return (struct task){ 0 };
}

static void
print_state (pid_t process, const struct task *task)
{
  struct wait wait;

  if (task->state == 'R')
    fputs ("runs", stderr);
  else if (!read_wait (process, task->thread, &wait))
    fputs (task->state == 'D'                         ? "waits for a device"
           : task->state == 'T' || task->state == 't' ? "is stopped"
           : task->state == 'Z'                       ? "has ended"
                                                      : "sleeps",
           stderr);
  else
    fprintf (stderr, "sleeps in %s", *wait.what ? wait.what : "a wait");
  if (task->state == 'S' && wait.holder >= 0)
    fprintf (stderr, ", which thread %d holds", wait.holder);
  fputc ('\n', stderr);
}

static void
print_row (pid_t process, const struct task *task, double elapsed)
{
  struct task last = earlier (task);

  fprintf (stderr, "%6d %4d %4.0f%% %6.0f%% %7.2f s  ", task->thread, task->cpu,
           PERCENT * (double) (task->run_ns - last.run_ns) / elapsed,
           PERCENT * (double) (task->queue_ns - last.queue_ns) / elapsed,
           (double) task->run_ns / 1e9);
  print_state (process, task);
}

/* How many rows of threads a terminal has room for, beside so many lines more than are always there. */
static size_t
most_rows (int more)
{
  struct winsize size;

  if (!isatty (STDERR_FILENO) || ioctl (STDERR_FILENO, TIOCGWINSZ, &size) != 0
      || size.ws_row <= AROUND + more)
    return SIZE_MAX;
  return size.ws_row - AROUND - more;
}

static void
print_others (const struct task *tasks, size_t count, double elapsed)
{
  double busy = 0;

  for (size_t i = 0; i < count; i++)
    busy += (double) (tasks[i].run_ns - earlier (&tasks[i]).run_ns);
  fprintf (stderr, "and %zu other thread%s, %.0f%% busy\n", count, count > 1 ? "s" : "",
           PERCENT * busy / elapsed);
}

/* False: there is no such process any more. */
static bool
print_table (pid_t process)
{
  const struct task *tasks;
  size_t count = read_tasks (process, &tasks), own = 0, rows;
  double elapsed = (double) (now_ns () - before_ns), busy = 0;
  bool on_terminal = isatty (STDERR_FILENO);
  char name[32], path[64];

  if (!count || (count == 1 && tasks[0].state == 'Z'))
    return false;
  snprintf (path, sizeof path, "/proc/%d/comm", (int) process);
  read_file (path, name, sizeof name);
  name[strcspn (name, "\n")] = 0;
  for (size_t i = 0; i < count; i++)
    {
      own += tasks[i].thread >= 0;
      busy += (double) (tasks[i].run_ns - earlier (&tasks[i]).run_ns);
    }
  /* What is wider than the terminal is cut: each line is one of its rows. */
  if (on_terminal)
    fputs ("\033[?7l", stderr);
  if (lines && on_terminal)
    fprintf (stderr, "\033[%dA\033[J", lines);
  fprintf (stderr, "%s, process %d: %zu UPC thread%s, %.1f CPUs busy\n", name, (int) process, own,
           own > 1 ? "s" : "", busy / elapsed);
  lines = 2 + print_traffic (process, elapsed);
  fputs ("thread  CPU  busy  queued      time\n", stderr);
  rows = own < most_rows (lines - 2) ? own : most_rows (lines - 2);
  for (size_t i = 0; i < rows; i++)
    print_row (process, &tasks[i], elapsed);
  lines += (int) rows;
  if (rows < count)
    {
      print_others (tasks + rows, count - rows, elapsed);
      lines++;
    }
  if (on_terminal)
    fputs ("\033[?7h", stderr);
  remember (tasks, count);
  return true;
}

static void
print_next (pid_t process)
{
  print_table (process);
}

static void
remember_all (pid_t process)
{
  const struct task *tasks;
  size_t count = read_tasks (process, &tasks);

  remember (tasks, count);
}

void
watch_child (pid_t child)
{
  remember_all (child);
  follow_child (child, print_next, NULL);
}

void
watch (pid_t process)
{
  static const struct timespec second = { .tv_sec = 1 };

  remember_all (process);
  if (!before_count)
    fail ("--top: no process %d", (int) process);
  do
    nanosleep (&second, NULL);
  while (print_table (process));
  exit (0);
}
