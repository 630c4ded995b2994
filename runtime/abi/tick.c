/* Ticks (UPC 1.3, required library, 7.5). */

#include "runtime/host/host.h"

uint64_t upc_ticks_now (void);
uint64_t upc_ticks_to_ns (uint64_t ticks);

uint64_t
upc_ticks_now (void)
{
  return upcr_ticks_now ();
}

uint64_t
upc_ticks_to_ns (uint64_t ticks)
{
  return upcr_ticks_to_ns (ticks);
}
