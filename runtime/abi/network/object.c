/* Accesses to shared _Atomic objects that the processor does not do. */

#include <upct/network.h>

#include "runtime/atomic/atomic.h"

void
__upc_object_at (int operation, void *object, unsigned long bytes, void *old, const void *desired,
                 const void *expected)
{
  upcr_object_at (operation, object, bytes, old, desired, expected);
}
