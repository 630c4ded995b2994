/* The functions that code of upcc -fupc-check calls when a check fails (include/upct/check.h). */

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <stdio.h>

_Noreturn void __upc_index_failed (long index, unsigned long count, const char *array,
                                   const char *file, int line);
_Noreturn void __upc_reach_failed (long distance, const char *what, const char *file, int line);
_Noreturn void __upc_cast_failed (unsigned long thread, const char *type, const char *file,
                                  int line);
_Noreturn void __upc_freed_cast_failed (const void *address, const char *type, const char *file,
                                        int line);
_Noreturn void __upc_phase_failed (unsigned long phase, unsigned long block, const char *type,
                                   const char *file, int line);

void
__upc_index_failed (long index, unsigned long count, const char *array, const char *file, int line)
{
  upcr_enter (file, line);
  upcr_fatal ("index %ld is out of bounds of %s (%lu element%s)", index, array, count,
              count == 1 ? "" : "s");
}

void
__upc_reach_failed (long distance, const char *what, const char *file, int line)
{
  upcr_enter (file, line);
  upcr_fatal ("%s: %ld elements from there are out of the shared segment", what, distance);
}

void
__upc_cast_failed (unsigned long thread, const char *type, const char *file, int line)
{
  upcr_enter (file, line);
  upcr_fatal ("cast of a %s with affinity to thread %lu to a private pointer", type, thread);
}

void
__upc_freed_cast_failed (const void *address, const char *type, const char *file, int line)
{
  uint64_t at = (const char *) address - upcr_segment_address (0, 0);
  char what[UPCR_TEXT_BYTES];

  upcr_enter (file, line);
  snprintf (what, sizeof what, "cast of a %s to a private pointer", type);
  upcr_refuse_access (at / UPCR_STRIDE, at % UPCR_STRIDE, 0, what);
}

void
__upc_phase_failed (unsigned long phase, unsigned long block, const char *type, const char *file,
                    int line)
{
  upcr_enter (file, line);
  upcr_fatal ("phase %lu of a pointer-to-shared is out of range of %s, which has blocks of %lu",
              phase, type, block);
}
