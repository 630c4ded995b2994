/* Private pointers to the shared objects of any thread. */

#ifndef UPCR_CASTABLE_H
#define UPCR_CASTABLE_H

#include "runtime/shared/shared.h"

/* The kinds of memory of upc_castable.h: all of them. */
enum { UPCR_CASTABLE_ALL = 15 };

/* upc_thread_info_t. Returned in two registers; objects that know only the first two
   members look into the first. */
struct upcr_thread_info
{
  int guaranteed;
  int probable;
  int core;
  int numa_node;
};

void *upcr_cast (upcr_pts p);
struct upcr_thread_info upcr_thread_info (size_t thread);

#endif
