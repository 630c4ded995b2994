/* Atomic operations (UPC 1.3, optional library, 7.6). */

#include "runtime/coll/domain.h"

upcr_pts upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free (upcr_pts domain);
int upc_atomic_isfast (upc_type_t type, upc_op_t ops, upcr_pts address);

upcr_pts
upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints)
{
  (void) hints;
  return upcr_all_domain_alloc (type, ops);
}

void
upc_all_atomicdomain_free (upcr_pts domain)
{
  upcr_all_domain_free (domain);
}

#define OPERATION(order)                                                        \
  void upc_atomic_##order (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target, \
                           const void *operand1, const void *operand2);         \
  void upc_atomic_##order (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target, \
                           const void *operand1, const void *operand2)          \
  {                                                                             \
    upcr_atomic_##order (domain, fetch, op, target, operand1, operand2);        \
  }

OPERATION (relaxed)
OPERATION (strict)

int
upc_atomic_isfast (upc_type_t type, upc_op_t ops, upcr_pts address)
{
  return upcr_atomic_is_fast (type, ops, upcr_pts_address (address));
}
