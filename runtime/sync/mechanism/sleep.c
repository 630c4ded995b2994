/* Sleeping in the kernel, and the record of it. */

#include "runtime/sync/mechanism/sleep.h"

#include "runtime/sync/mechanism/placement.h"

#include <errno.h>
#include <string.h>

struct upcr_wait_record upcr_wait_records[UPCR_MAX_THREADS];
const struct upcr_sleep_hooks *upcr_sleep_hooks;

void
upcr_sleep_begins (_Atomic uint32_t *word, uint32_t seen)
{
  struct upcr_wait_record *mine = &upcr_wait_records[MYTHREAD];
  uint32_t sleeps = atomic_load_explicit (&mine->sleeps, memory_order_relaxed);

  if (!upcr_is_upc_thread ())
    return;
  atomic_store_explicit (&mine->word, word, memory_order_relaxed);
  atomic_store_explicit (&mine->seen, seen, memory_order_relaxed);
  atomic_store_explicit (&mine->sleeps, sleeps | 1, memory_order_release);
}

void
upcr_sleep_ends (void)
{
  struct upcr_wait_record *mine = &upcr_wait_records[MYTHREAD];
  uint32_t sleeps = atomic_load_explicit (&mine->sleeps, memory_order_relaxed);

  if ((sleeps & 1) && upcr_is_upc_thread ())
    atomic_store_explicit (&mine->sleeps, sleeps + 1, memory_order_release);
}

bool
upcr_sleeps_on (int thread)
{
  static const struct timespec no_time = { 0, 0 };
  const struct upcr_wait_record *record = &upcr_wait_records[thread];

  return upcr_kernel.futex_wait (atomic_load_explicit (&record->word, memory_order_relaxed),
                                 atomic_load_explicit (&record->seen, memory_order_relaxed),
                                 &no_time)
         == ETIMEDOUT;
}

/* 0 is a wake-up, meant or spurious; EAGAIN: the word had changed already; EINTR: a signal.
   The caller looks at the word again after each of them. */
void
upcr_sleep_by (int (*sleep) (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit),
               _Atomic uint32_t *word, uint32_t seen)
{
  const struct upcr_sleep_hooks *hooks = upcr_sleep_hooks;
  struct timespec time;
  unsigned attempt = 0;
  int error;

  upcr_sleep_begins (word, seen);
  while ((error = sleep (word, seen, hooks ? hooks->limit (attempt++, &time) : NULL)) == ETIMEDOUT)
    hooks->timed_out ();
  upcr_sleep_ends ();
  upcr_record_cpu ();
  if (error != 0 && error != EAGAIN && error != EINTR)
    upcr_fatal ("cannot sleep: futex: %s", strerror (error));
}

/* EFAULT: the woken threads went on and gave the memory back, as they may once they have
   seen the new value. */
void
upcr_wake (_Atomic uint32_t *word, int threads)
{
  int error = upcr_kernel.futex_wake (word, threads);

  upcr_record_cpu ();
  if (error != 0 && error != EFAULT)
    upcr_fatal ("cannot wake threads: futex: %s", strerror (error));
}
