/* The parts of magazines that are not needed for every block: creating and emptying them. */

#include "runtime/shared/magazine.h"

#include "runtime/host/host.h"

#include <jemalloc/jemalloc.h>
#include <stdlib.h>

__thread struct upcr_magazine *upcr_magazines;

bool
upcr_magazines_make (void)
{
  /* Touched only as far as stacks grow: most programs have a few sizes. */
  upcr_magazines = calloc (2 * UPCR_CLASSES, sizeof *upcr_magazines);
  return upcr_magazines != NULL;
}

/* Of blocks whose pieces in THREAD's partition are known to jemalloc. */
static void
empty (unsigned kind, int thread, int flags)
{
  uint64_t offset;

  for (unsigned class = 1; class < UPCR_CLASSES; class ++)
    while ((offset = upcr_magazine_take (kind + class)))
      dallocx (upcr_segment_address (thread, offset), flags);
}

void
upcr_magazines_empty (int local_flags, int symmetric_flags)
{
  empty (UPCR_LOCAL, MYTHREAD, local_flags);
  empty (UPCR_SYMMETRIC, 0, symmetric_flags);
  free (upcr_magazines);
  upcr_magazines = NULL;
}
