/* Wrappers of atomic operations (UPC 1.3, optional library, upc_atomic.h). Between barriers a
   location is accessed by them or by other means, not by both. The order that they establish is
   in the common clock. */

#include "runtime/race/wrap.h"

#include "runtime/atomic/atomic.h"
#include "runtime/shared/shared.h"

static void
tell (upcr_pts domain, upc_op_t op, upcr_pts target, const void *site)
{
  size_t bytes = upcr_atomic_bytes (domain);

  if (bytes && !upcr_pts_is_null (target))
    upcr_race_access (upcr_pts_address (target), bytes,
                      UPCR_RACE_ATOMIC | UPCR_RACE_CODE | (op == UPC_GET ? 0 : UPCR_RACE_WRITE),
                      site);
}

#define PARAMETERS                                                                   \
  (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target, const void *operand1, \
   const void *operand2)
#define ARGUMENTS (domain, fetch, op, target, operand1, operand2)

#define ATOMIC(order)                                    \
  STATEMENT (upcr_atomic_##order, PARAMETERS, ARGUMENTS) \
  DECLARE (void, upc_atomic_##order, PARAMETERS);        \
  void WRAP (upc_atomic_##order) PARAMETERS              \
  {                                                      \
    tell (domain, op, target, HERE);                     \
    REAL (upc_atomic_##order) ARGUMENTS;                 \
  }

ATOMIC (relaxed)
ATOMIC (strict)
