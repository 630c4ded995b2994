/* The calls of code that upcc compiles with -fupc-network (include/upct/network.h): accesses that
   turn out to be to another process's memory, and strict ones. */

#include "runtime/abi/network/access.h"

#include <upct/network.h>

void
__upc_remote_load (void *value, const void *shared, unsigned long bytes)
{
  upcr_check_far (shared, bytes);
  upcr_load (value, shared, bytes);
}

void
__upc_remote_store (void *shared, const void *value, unsigned long bytes)
{
  upcr_check_far (shared, bytes);
  upcr_store (shared, value, bytes);
}

void
__upc_store_bits (void *shared, const void *value, const void *mask, unsigned long bytes)
{
  upcr_check_far (shared, bytes);
  upcr_store_bits (shared, value, mask, bytes);
}

void
__upc_transfer (void *to, const void *from, unsigned long bytes)
{
  upcr_check_far (from, bytes);
  upcr_check_far (to, bytes);
  upcr_transfer (to, from, bytes);
}

int __upc_is_far_and_whole (const void *address, unsigned long bytes);

int
__upc_is_far_and_whole (const void *address, unsigned long bytes)
{
  return upcr_is_far_and_whole (address, bytes);
}

void
__upc_flush (void)
{
  upcr_strict_fence ();
}
