/* Tests of pointers by compiled loops whose iterations may run in lanes (include/upct/lanes.h). */

#include "runtime/shared/shared.h"

int __upc_begins_block (upcr_pts p);

int
__upc_begins_block (upcr_pts p)
{
  return !upcr_pts_is_null (p) && upcr_pts_phase (p) == 0
         && upcr_begins_block (upcr_pts_thread (p), upcr_pts_offset (p));
}
