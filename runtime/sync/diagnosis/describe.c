/* Describes what each thread of this process does.

   It is called in signal handlers of a program that continues, so it does not call malloc. Only
   the owner of the samples uses its memory. */

#include "runtime/sync/diagnosis/describe.h"

#include "runtime/diag/diag.h"
#include "runtime/host/host.h"
#include "runtime/sync/diagnosis/polling.h"
#include "runtime/sync/diagnosis/text.h"
#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/primitives/barrier.h"
#include "runtime/sync/primitives/lock_text.h"

#include <sys/mman.h>
#include <sys/syscall.h>

enum
{
  MOST_ADDRESSES = 1024
};

/* Of the thread that has the samples. */
static struct upcr_symbol *symbols;
static int symbol_count;

static const char *
waits_in (int thread)
{
  const char *what = atomic_load_explicit (&upcr_wait_records[thread].what, memory_order_relaxed);

  return what ? what : "the runtime";
}

static int
symbol_index (const void *address)
{
  for (int i = 0; i < symbol_count; i++)
    if (symbols[i].address == address)
      return i;
  return -1;
}

static void
add_symbol (const void *address)
{
  if (symbol_count < MOST_ADDRESSES && upcr_is_program_code (address) && symbol_index (address) < 0)
    symbols[symbol_count++].address = address;
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

static void
add_origin_symbol (struct upcr_lock_origin origin)
{
  if (origin.line == 0)
    add_symbol (origin.place);
}

/* All addresses in the program's code, each once: where the threads are, and where locks were
   allocated. */
static void
find_symbols (void)
{
  symbol_count = 0;
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      const struct upcr_sample *sample = upcr_sample_of (t);
      const struct upcr_lock *lock = lock_in_report (t);
      for (int i = 0; sample->is_given && i < sample->n; i++)
        add_symbol (sample->frames[i]);
      if (lock)
        add_origin_symbol (upcr_lock_look (lock).origin);
    }
  upcr_symbolize (symbols, symbol_count);
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
      const struct upcr_symbol *symbol = at < 0 ? NULL : &symbols[at];
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
add_location (struct upcr_text *text, int thread)
{
  const struct upcr_sample *sample = upcr_sample_of (thread);
  const struct upcr_symbol *symbol = symbol_of (sample);

  if (sample->is_given && sample->location.file)
    upcr_text_add (text, " at %s:%d", sample->location.file, sample->location.line);
  else if (symbol && symbol->line)
    upcr_text_add (text, " at %s:%d", symbol->file, symbol->line);
  if (symbol && symbol->function[0])
    upcr_text_add (text, " in %s", symbol->function);
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
add_origin (struct upcr_text *text, const struct upcr_lock_origin *origin)
{
  int at = origin->line ? -1 : symbol_index (origin->place);

  if (!origin->what)
    return;
  if (origin->line)
    upcr_text_add (text, ", allocated at %s:%d by %s", (const char *) origin->place, origin->line,
                   origin->what);
  else if (at >= 0 && symbols[at].line)
    upcr_text_add (text, ", allocated at %s:%d by %s", symbols[at].file, symbols[at].line,
                   origin->what);
  else
    upcr_text_add (text, ", allocated by %s", origin->what);
}

static void
add_lock (struct upcr_text *text, const struct upcr_lock *lock, int thread)
{
  char name[UPCR_LOCK_NAME_BYTES];
  struct upcr_lock_look look = upcr_lock_look (lock);

  upcr_lock_name (lock, thread, name, sizeof name);
  upcr_text_add (text, " for %s", name);
  add_origin (text, &look.origin);
  if (look.holder >= 0)
    upcr_text_add (text, ", held by thread %d", look.holder);
}

static void
add_polling (struct upcr_text *text, int thread, const struct upcr_polling *polling)
{
  upcr_text_add (text, polling->lock ? "polling in upc_lock_attempt" : "polling");
  add_location (text, thread);
  if (polling->lock)
    add_lock (text, polling->lock, thread);
  if (polling->seconds > 0)
    upcr_text_add (text, ", for %d s at least", polling->seconds);
}

static void
describe (struct upcr_text *text, int thread)
{
  const struct upcr_lock *lock = lock_of (thread);
  struct upcr_polling polling;

  if (upcr_thread_has_ended (thread))
    upcr_text_add (text, "ended");
  else if (upcr_is_asleep (thread))
    {
      upcr_text_add (text, "waiting in %s", waits_in (thread));
      add_location (text, thread);
      if (lock)
        add_lock (text, lock, thread);
    }
  else if (upcr_sample_syscall (thread) >= 0)
    {
      upcr_text_add (text, "sleeping in %s", call_name (upcr_sample_syscall (thread)));
      add_location (text, thread);
    }
  else if (upcr_is_polling (thread, &polling))
    add_polling (text, thread, &polling);
  else
    {
      upcr_text_add (text, "running");
      add_location (text, thread);
    }
}

void
upcr_own_states (struct upcr_thread_state *states)
{
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      bool has_ended = upcr_thread_has_ended (t), waits = !has_ended && upcr_is_asleep (t);

      states[t] = (struct upcr_thread_state){
        .has_ended = has_ended,
        .waits = waits,
        .has_notified = upcr_has_notified (t),
        .epoch = atomic_load_explicit (&upcr_barrier_threads[t].epoch, memory_order_relaxed),
        .what = waits_in (t),
        .lock = lock_of (t),
        .holder = -1,
      };
    }
}

void
upcr_find_holders (struct upcr_thread_state *states)
{
  for (int t = 0; t < THREADS; t++)
    if (states[t].lock)
      states[t].holder = upcr_lock_look (states[t].lock).holder;
}

/* For a time; NULL: there is no memory. */
static void *
map_symbols (void)
{
  void *memory = mmap (NULL, MOST_ADDRESSES * sizeof *symbols, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

static void
describe_all (char (*lines)[UPCR_SURVEY_LINE_BYTES])
{
  find_symbols ();
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    {
      struct upcr_text text = { lines[t], sizeof lines[t], 0 };

      describe (&text, t);
    }
  munmap (symbols, MOST_ADDRESSES * sizeof *symbols);
}

bool
upcr_own_lines (char (*lines)[UPCR_SURVEY_LINE_BYTES])
{
  if (!upcr_samples_take ())
    return false;
  symbols = map_symbols ();
  if (symbols)
    describe_all (lines);
  upcr_samples_release ();
  return true;
}
