/* Castability (UPC 1.3, optional library, 7.7). */

#include "runtime/shared/shared.h"

void *upc_cast (upcr_pts p);
struct upcr_thread_info upc_thread_info (size_t thread);

void *
upc_cast (upcr_pts p)
{
  return upcr_cast (p);
}

struct upcr_thread_info
upc_thread_info (size_t thread)
{
  return upcr_thread_info (thread);
}
