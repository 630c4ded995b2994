/* The rare parts of exclusive operations: nested ones, errors, the end of the UPC thread. */

#include "runtime/sync/mechanism/exclusive.h"

#include <unistd.h>

struct upcr_exclusive upcr_exclusives[UPCR_MAX_THREADS];

static struct upcr_exclusive *
mine (void)
{
  return &upcr_exclusives[MYTHREAD];
}

static uintptr_t
self (void)
{
  return (uintptr_t) __builtin_thread_pointer ();
}

/* Who has just entered has not said into what yet; who has left says nothing any more. */
static _Noreturn void
refuse (const char *what)
{
  const char *other;

  while (!(other = atomic_load_explicit (&mine ()->what, memory_order_relaxed))
         && atomic_load_explicit (&mine ()->owner, memory_order_relaxed))
    upcr_pause ();
  upcr_fatal ("%s called while another thread of this UPC thread is in %s", what,
              other ? other : "such a call");
}

bool
upcr_exclusive_enter_slowly (const char *what)
{
  /* Relaxed: who finds itself there has stored it itself. */
  if (atomic_load_explicit (&mine ()->owner, memory_order_relaxed) == self ())
    return false;
  while (atomic_load_explicit (&mine ()->ended, memory_order_relaxed))
    pause ();
  refuse (what);
}

void
upcr_exclusive_end (void)
{
  atomic_store_explicit (&mine ()->ended, true, memory_order_relaxed);
}

bool
upcr_is_exclusive (void)
{
  return !upcr_has_threads
         || atomic_load_explicit (&mine ()->owner, memory_order_relaxed) == self ();
}
