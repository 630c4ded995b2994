/* Progress of operations in flight. */

#include "runtime/sync/policy/progress.h"

#include "runtime/sync/mechanism/exclusive.h"

struct upcr_progress upcr_progress[UPCR_MAX_THREADS];

bool
upcr_call_progress (void)
{
  upcr_progress_function *function;
  bool did_something;

  if (!upcr_is_exclusive ())
    return false;
  function = atomic_load_explicit (&upcr_progress[MYTHREAD].function, memory_order_relaxed);
  upcr_set_progress (NULL);
  did_something = function ();
  upcr_set_progress (function);
  return did_something;
}
