/* Before the copies of the library (UPC 1.3, 7.2.5, and upc_nb.h, whose copies are done when they
   begin). */

#include "runtime/race/wrap.h"

#include "runtime/shared/shared.h"

/* An address within the call. */
#define HERE ((const char *) __builtin_return_address (0) - 1)

static void
tell (upcr_pts p, size_t bytes, int how, const void *site)
{
  upcr_race_access (upcr_pts_address (p), bytes, how | UPCR_RACE_CODE, site);
}

#define TOLD(type, name, parameters, arguments, statement) \
  DECLARE (type, name, parameters);                        \
  type WRAP (name) parameters                              \
  {                                                        \
    const void *site = HERE;                               \
                                                           \
    statement;                                             \
    return REAL (name) arguments;                          \
  }

#define READS(p) tell (p, n, 0, site)
#define WRITES(p) tell (p, n, UPCR_RACE_WRITE, site)

/* Three forms: the blocking one, with a handle, without. */
#define COPY(name, parameters, arguments, statement)           \
  TOLD (void, name, parameters, arguments, statement)          \
  TOLD (uint64_t, name##_nb, parameters, arguments, statement) \
  TOLD (void, name##_nbi, parameters, arguments, statement)

COPY (upc_memcpy, (upcr_pts dst, upcr_pts src, size_t n), (dst, src, n), READS (src); WRITES (dst))
COPY (upc_memget, (void *dst, upcr_pts src, size_t n), (dst, src, n), READS (src))
COPY (upc_memput, (upcr_pts dst, const void *src, size_t n), (dst, src, n), WRITES (dst))
COPY (upc_memset, (upcr_pts dst, int c, size_t n), (dst, c, n), WRITES (dst))
