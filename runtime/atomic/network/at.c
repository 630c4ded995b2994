/* Atomic operations without a domain, on memory of any process. */

#include "runtime/atomic/network/operate.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

/* Floating types are compared by their representations. Signed integers wrap around, as the others do. */
static const struct upcr_atomic_type *
type_of (unsigned long bytes, bool is_sum_of_floating)
{
  if (is_sum_of_floating)
    return upcr_atomic_type_of (bytes == sizeof (float) ? UPC_FLOAT : UPC_DOUBLE);
  return upcr_atomic_type_of (bytes == sizeof (unsigned) ? UPC_UINT : UPC_ULONG);
}

/* Where AT is no shared memory of another node. */
static void
operate_here (upcr_atomic_function *function, void *at, void *old, const void *operand1,
              const void *operand2, bool is_strict)
{
  if (is_strict)
    upcr_strict_fence ();
  function (at, old, operand1, operand2);
}

/* The pointer-to-shared to what is far. */
static upcr_pts
pts_of (const void *at)
{
  uintptr_t distance = (uintptr_t) at - UPCR_SEGMENT_BASE;

  return upcr_pts_make (distance / UPCR_STRIDE, distance % UPCR_STRIDE, 0);
}

void
upcr_atomic_at (void *at, size_t bytes, bool is_floating, upc_op_t op, void *old,
                const void *operand1, const void *operand2, bool is_strict)
{
  unsigned number = __builtin_ctzl (op);
  const struct upcr_atomic_type *type = type_of (bytes, is_floating && op == UPC_ADD);

  if (!upcr_is_far (at))
    operate_here (is_strict ? type->strict[number] : type->relaxed[number], at, old, operand1,
                  operand2, is_strict);
  else if (is_strict)
    upcr_operate_strict (type, number, pts_of (at), old, operand1, operand2);
  else
    upcr_operate_relaxed (type, number, pts_of (at), old, operand1, operand2);
}
