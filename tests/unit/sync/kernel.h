/* A kernel of the test's own. */

#ifndef TESTS_SYNC_KERNEL_H
#define TESTS_SYNC_KERNEL_H

#include "runtime/sync/mechanism/kernel.h"

static struct upcr_kernel real_kernel;

static inline void
replace_kernel (struct upcr_kernel fake)
{
  real_kernel = upcr_kernel;
  upcr_kernel = fake;
}

static inline int
restore_kernel (void **state)
{
  (void) state;
  upcr_kernel = real_kernel;
  return 0;
}

#endif
