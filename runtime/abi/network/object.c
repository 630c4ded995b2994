/* Accesses to shared _Atomic objects that the processor does not do. */

#include "runtime/abi/network/access.h"
#include "runtime/atomic/atomic.h"

#include <upct/network.h>

void
__upc_object_at (int operation, void *object, unsigned long bytes, void *old, const void *desired,
                 const void *expected)
{
  upcr_check_far (object, bytes);
  upcr_object_at (operation, object, bytes, old, desired, expected);
}
