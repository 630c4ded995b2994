/* Data by which debuggers find shared data (tools/debuggers/upct_shared.py). */

#include "runtime/host/host.h"
#include "runtime/shared/objects.h"
#include "runtime/shared/record.h"

#ifdef UPCR_TSAN
extern const char upcr_races_have_names;
#endif

extern const struct upcr_debugger_layout
{
  uint64_t base, stride, thread_bits, phase_bits;
  const int *threads;
  const char *image; /* of static shared data */
  const upcr_object *first_object, *end_of_objects;
  upcr_leaf *const *leaves; /* of a checked heap's records */
#ifdef UPCR_TSAN
  const char *races; /* so that races.c is linked */
#endif
} upcr_debugger_layout;

const struct upcr_debugger_layout upcr_debugger_layout = {
  .base = UPCR_SEGMENT_BASE,
  .stride = UPCR_STRIDE,
  .thread_bits = __UPC_THREAD_BITS,
  .phase_bits = __UPC_PHASE_BITS,
  .threads = &THREADS,
  .image = __upc_shared_start,
  .first_object = __start_upc_objects,
  .end_of_objects = __stop_upc_objects,
  .leaves = &upcr_leaves,
#ifdef UPCR_TSAN
  .races = &upcr_races_have_names,
#endif
};
