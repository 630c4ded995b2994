/* Deadlocks are not looked for where a thread may wait for another process. */

#include "runtime/sync/diagnosis/deadlock.h"

void
upcr_deadlock_init (void)
{
}
