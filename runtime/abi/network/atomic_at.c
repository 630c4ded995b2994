/* Berkeley UPC's and Cray's atomic operations, on memory of any process. */

#include <upct/atomic_at.h>

#include "runtime/atomic/atomic.h"

void
__upc_atomic_at (void *at, unsigned long bytes, int is_floating, int operation, void *old,
                 const void *operand1, const void *operand2, int is_strict)
{
  static const upc_op_t operations[]
      = { [__UPC_AT_get] = UPC_GET, [__UPC_AT_set] = UPC_SET, [__UPC_AT_cswap] = UPC_CSWAP,
          [__UPC_AT_add] = UPC_ADD, [__UPC_AT_and] = UPC_AND, [__UPC_AT_or] = UPC_OR,
          [__UPC_AT_xor] = UPC_XOR };

  upcr_atomic_at (at, bytes, is_floating, operations[operation], old, operand1, operand2,
                  is_strict);
}
