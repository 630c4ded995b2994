/* What the threads do, for people: a line for each, threads with the same line joined; and
   the circle of a deadlock.

   Called in signal handlers of a program that goes on, so no malloc; the owner of the samples is
   the only one to use its memory. */

#include "runtime/sync/diagnosis/report.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/sync/diagnosis/polling.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/primitives/barrier.h"
#include "runtime/sync/primitives/lock_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum
{
  LINE_BYTES = 1024,
  MOST_ADDRESSES = 1024,
  MOST_IN_CIRCLE = 8
};

/* A text that is cut off where it is full. */
struct text
{
  char *bytes;
  size_t size;
  size_t used;
};

static void __attribute__ ((format (printf, 2, 3))) add (struct text *text, const char *format, ...)
{
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (text->bytes + text->used, text->size - text->used, format, args);
  va_end (args);
  if (n > 0)
    text->used += n;
  if (text->used > text->size - 1)
    text->used = text->size - 1;
}

static const char *
waits_in (int thread)
{
  const char *what = atomic_load_explicit (&upcr_wait_records[thread].what, memory_order_relaxed);

  return what ? what : "the runtime";
}

/* What a report needs. */
struct work
{
  struct upcr_symbol symbols[MOST_ADDRESSES];
  char lines[UPCR_MAX_THREADS][LINE_BYTES / 2]; /* of each thread */
  bool unprinted[UPCR_MAX_THREADS];
};

/* Made at the first report: static, it would be a quarter of the memory that every program needs to
   start. Where there is no memory, a report has no lines of threads. */
static struct work *work;
static int symbol_count;

static bool
make_work (void)
{
  void *memory;

  if (work)
    return true;
  memory = mmap (NULL, sizeof *work, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return false;
  work = memory;
  return true;
}

static int
symbol_index (const void *address)
{
  for (int i = 0; i < symbol_count; i++)
    if (work->symbols[i].address == address)
      return i;
  return -1;
}

static void
add_symbol (const void *address)
{
  if (symbol_count < MOST_ADDRESSES && upcr_is_program_code (address) && symbol_index (address) < 0)
    work->symbols[symbol_count++].address = address;
}

/* The lock that the thread sleeps for, or NULL. */
static const struct upcr_lock *
lock_of (int thread)
{
  if (upcr_thread_has_ended (thread) || !upcr_is_asleep (thread))
    return NULL;
  return atomic_load_explicit (&upcr_wait_records[thread].lock, memory_order_relaxed);
}

/* The lock that a report has to tell of, or NULL. */
static const struct upcr_lock *
lock_in_report (int thread)
{
  struct upcr_polling polling;

  return upcr_is_polling (thread, &polling) ? polling.lock : lock_of (thread);
}

/* All addresses in the program's code, each once: where the threads are, and where locks were
   allocated. */
static void
find_symbols (void)
{
  symbol_count = 0;
  for (int t = 0; t < THREADS; t++)
    {
      const struct upcr_sample *sample = upcr_sample_of (t);
      const struct upcr_lock *lock = lock_in_report (t);
      for (int i = 0; sample->is_given && i < sample->n; i++)
        add_symbol (sample->frames[i]);
      if (lock && lock->origin.line == 0)
        add_symbol (lock->origin.place);
    }
  upcr_symbolize (work->symbols, symbol_count);
}

/* Where the program is: its innermost call in code that is not the runtime's; one with
   a line is preferred to one without. */
static const struct upcr_symbol *
symbol_of (const struct upcr_sample *sample)
{
  const struct upcr_symbol *nameless = NULL;

  for (int i = 0; sample->is_given && i < sample->n; i++)
    {
      int at = symbol_index (sample->frames[i]);
      const struct upcr_symbol *symbol = at < 0 ? NULL : &work->symbols[at];
      if (!symbol || symbol->is_runtime)
        continue;
      if (symbol->line)
        return symbol;
      if (!nameless && symbol->function[0])
        nameless = symbol;
    }
  return nameless;
}

static void
add_location (struct text *text, int thread)
{
  const struct upcr_sample *sample = upcr_sample_of (thread);
  const struct upcr_symbol *symbol = symbol_of (sample);

  if (sample->is_given && sample->location.file)
    add (text, " at %s:%d", sample->location.file, sample->location.line);
  else if (symbol && symbol->line)
    add (text, " at %s:%d", symbol->file, symbol->line);
  if (symbol && symbol->function[0])
    add (text, " in %s", symbol->function);
}

static const char *
call_name (int call)
{
  switch (call)
    {
#ifdef SYS_pause
    case SYS_pause:
      return "pause";
    case SYS_poll:
      return "poll";
    case SYS_select:
      return "select";
    case SYS_epoll_wait:
      return "epoll_wait";
#endif
    /* Newer processors lack the calls above. */
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return "nanosleep";
    case SYS_ppoll:
      return "poll";
    case SYS_pselect6:
      return "select";
    case SYS_epoll_pwait:
      return "epoll_wait";
    case SYS_read:
      return "read";
    case SYS_write:
      return "write";
    case SYS_recvfrom:
      return "recv";
    case SYS_accept:
      return "accept";
    case SYS_wait4:
      return "wait";
    case SYS_futex:
      return "futex";
    default:
      return "a system call";
    }
}

static void
add_origin (struct text *text, const struct upcr_lock_origin *origin)
{
  int at = origin->line ? -1 : symbol_index (origin->place);

  if (!origin->what)
    return;
  if (origin->line)
    add (text, ", allocated at %s:%d by %s", (const char *) origin->place, origin->line,
         origin->what);
  else if (at >= 0 && work->symbols[at].line)
    add (text, ", allocated at %s:%d by %s", work->symbols[at].file, work->symbols[at].line,
         origin->what);
  else
    add (text, ", allocated by %s", origin->what);
}

static void
add_lock (struct text *text, const struct upcr_lock *lock, int thread)
{
  char name[UPCR_LOCK_NAME_BYTES];
  int holder = upcr_lock_holder (lock);

  upcr_lock_name (lock, thread, name, sizeof name);
  add (text, " for %s", name);
  add_origin (text, &lock->origin);
  if (holder >= 0)
    add (text, ", held by thread %d", holder);
}

static void
add_polling (struct text *text, int thread, const struct upcr_polling *polling)
{
  add (text, polling->lock ? "polling in upc_lock_attempt" : "polling");
  add_location (text, thread);
  if (polling->lock)
    add_lock (text, polling->lock, thread);
  if (polling->seconds > 0)
    add (text, ", for %d s at least", polling->seconds);
}

/* What a thread does, in words that fit several threads too. */
static void
describe (struct text *text, int thread)
{
  const struct upcr_lock *lock = lock_of (thread);
  struct upcr_polling polling;

  if (upcr_thread_has_ended (thread))
    add (text, "ended");
  else if (upcr_is_asleep (thread))
    {
      add (text, "waiting in %s", waits_in (thread));
      add_location (text, thread);
      if (lock)
        add_lock (text, lock, thread);
    }
  else if (upcr_sample_syscall (thread) >= 0)
    {
      add (text, "sleeping in %s", call_name (upcr_sample_syscall (thread)));
      add_location (text, thread);
    }
  else if (upcr_is_polling (thread, &polling))
    add_polling (text, thread, &polling);
  else
    {
      add (text, "running");
      add_location (text, thread);
    }
}

/* "threads 0, 3-5": those in SET. */
static void
add_threads (struct text *text, const bool *set)
{
  int count = 0;
  bool is_first = true;

  for (int t = 0; t < THREADS; t++)
    count += set[t];
  add (text, count == 1 ? "thread " : "threads ");
  for (int t = 0; t < THREADS; t++)
    if (set[t])
      {
        int last = t;
        while (last + 1 < THREADS && set[last + 1])
          last++;
        add (text, "%s%d", is_first ? "" : ", ", t);
        if (last > t)
          add (text, last == t + 1 ? ", %d" : "-%d", last);
        is_first = false;
        t = last;
      }
}

static void
print_line (struct text *text)
{
  text->bytes[text->used++] = '\n';
  if (write (STDERR_FILENO, text->bytes, text->used) < 0)
    return;
}

/* The line that thread FIRST has and the others of UNSAID with the same. */
static void
print_joined (int first)
{
  char bytes[2 * LINE_BYTES];
  struct text text = { bytes, sizeof bytes - 1, 0 };
  bool same[UPCR_MAX_THREADS] = { false };

  for (int t = first; t < THREADS; t++)
    if (work->unprinted[t] && strcmp (work->lines[t], work->lines[first]) == 0)
      {
        same[t] = true;
        work->unprinted[t] = false;
      }
  add (&text, "  ");
  add_threads (&text, same);
  add (&text, ": %s", work->lines[first]);
  print_line (&text);
}

static bool
waits_in_barrier (int thread)
{
  return !upcr_thread_has_ended (thread) && upcr_is_asleep (thread) && upcr_has_notified (thread)
         && !lock_of (thread);
}

/* Who is not at the barrier that threads wait in. */
static void
print_barrier (void)
{
  char bytes[LINE_BYTES];
  struct text text = { bytes, sizeof bytes - 1, 0 };
  bool missing[UPCR_MAX_THREADS];
  int waiting = 0, there = 0;

  while (waiting < THREADS && !waits_in_barrier (waiting))
    waiting++;
  if (waiting == THREADS)
    return;
  for (int t = 0; t < THREADS; t++)
    {
      missing[t] = !upcr_has_arrived (t, waiting);
      there += !missing[t];
    }
  add (&text, "  the barrier: %d of %d threads have come", there, THREADS);
  if (there < THREADS)
    {
      add (&text, ", not ");
      add_threads (&text, missing);
    }
  print_line (&text);
}

static void
describe_all (void)
{
  find_symbols ();
  for (int t = 0; t < THREADS; t++)
    {
      struct text text = { work->lines[t], sizeof work->lines[t], 0 };
      describe (&text, t);
      work->unprinted[t] = true;
    }
  for (int t = 0; t < THREADS; t++)
    if (work->unprinted[t])
      print_joined (t);
}

void
upcr_report_threads (void)
{
  if (!upcr_samples_take ())
    return;
  if (make_work ())
    describe_all ();
  print_barrier ();
  upcr_samples_release ();
}

static bool
is_elsewhere (int thread, const char *what)
{
  return upcr_thread_has_ended (thread) || strcmp (waits_in (thread), what) != 0;
}

/* The thread that THREAD waits for, all being in a deadlock: who holds its lock, or the lowest
   one that is not where it is; -1: none is found. */
static int
waits_for (int thread)
{
  const struct upcr_wait_record *record = &upcr_wait_records[thread];
  const struct upcr_lock *lock = atomic_load_explicit (&record->lock, memory_order_relaxed);

  if (lock)
    return upcr_lock_holder (lock);
  for (int t = 0; t < THREADS; t++)
    if (upcr_has_notified (thread) ? !upcr_has_arrived (t, thread)
                                   : is_elsewhere (t, waits_in (thread)))
      return t;
  return -1;
}

/* Follows who waits for whom from THREAD. Returns the first of a circle, or where it
   began when the way ends. */
static int
begin_of_circle (int thread)
{
  bool passed[UPCR_MAX_THREADS] = { false };
  int begin = thread;

  while (thread >= 0 && !upcr_thread_has_ended (thread) && !passed[thread])
    {
      passed[thread] = true;
      thread = waits_for (thread);
    }
  return thread >= 0 && passed[thread] ? thread : begin;
}

static int
first_waiting (void)
{
  int t = 0;

  while (t < THREADS - 1 && upcr_thread_has_ended (t))
    t++;
  return t;
}

void
upcr_explain_deadlock (char *line, size_t bytes)
{
  struct text text = { line, bytes, 0 };
  int begin = begin_of_circle (first_waiting ()), thread = begin;

  add (&text, "deadlock: ");
  for (int i = 0; i < MOST_IN_CIRCLE; i++)
    {
      int next = waits_for (thread);
      add (&text, i == 0 ? "thread %d waits in %s" : ", thread %d in %s", thread,
           waits_in (thread));
      if (next < 0)
        return;
      add (&text, " for thread %d", next);
      if (upcr_thread_has_ended (next))
        {
          add (&text, ", which has ended");
          return;
        }
      thread = next;
      if (thread == begin)
        return;
    }
  add (&text, ", and so on");
}
