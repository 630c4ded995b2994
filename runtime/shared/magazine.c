/* What of magazines is not done at each block: making and emptying them. */

#include "runtime/shared/magazine.h"

#include "runtime/host/host.h"

#include <jemalloc/jemalloc.h>
#include <stdlib.h>

__thread struct upcr_magazine *upcr_magazines;

bool
upcr_magazines_make (void)
{
  /* Touched only as far as stacks grow: most programs have a few sizes. */
  upcr_magazines = calloc (UPCR_CLASSES, sizeof *upcr_magazines);
  return upcr_magazines != NULL;
}

void
upcr_magazines_empty (int flags)
{
  uint64_t offset;

  for (unsigned class = 1; class < UPCR_CLASSES; class ++)
    while ((offset = upcr_magazine_take (class)))
      dallocx (upcr_segment_address (MYTHREAD, offset), flags);
  free (upcr_magazines);
  upcr_magazines = NULL;
}
