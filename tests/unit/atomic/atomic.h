/* What the tests of atomic operations share: the functions that compiled programs call. */

#ifndef UPCR_TEST_ATOMIC_H
#define UPCR_TEST_ATOMIC_H

#include "runtime/coll/coll.h"
#include "runtime/atomic/atomic.h"

#include "tests/unit/upc_threads.h"

upcr_pts upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free (upcr_pts domain);
int upc_atomic_isfast (upc_type_t type, upc_op_t ops, upcr_pts address);

typedef void operate (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,
                      const void *operand1, const void *operand2);
operate upc_atomic_relaxed, upc_atomic_strict;

#define ACCESSES (UPC_GET | UPC_SET | UPC_CSWAP)
#define NUMBERS (UPC_ADD | UPC_SUB | UPC_MULT | UPC_INC | UPC_DEC | UPC_MIN | UPC_MAX)
#define MASKS (UPC_AND | UPC_OR | UPC_XOR)

enum { ALL_THREADS = 4 };

static inline upcr_pts
new_object (size_t bytes)
{
  upcr_pts object = upcr_all_alloc (1, bytes);

  CHECK (!upcr_pts_is_null (object));
  return object;
}

#endif
