/* Progress of operations in flight. */

#include "runtime/sync/policy/progress.h"

__thread upcr_progress_function *upcr_progress;

bool
upcr_call_progress (void)
{
  upcr_progress_function *progress = upcr_progress;
  bool did_something;

  upcr_progress = NULL;
  did_something = progress ();
  upcr_progress = progress;
  return did_something;
}
