/* Atomic operations (UPC 1.3, optional library, 7.6). */

#include "runtime/abi/watch.h"
#include "runtime/atomic/atomic.h"
#include "runtime/sync/sync.h"

upcr_pts upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints);
void upc_all_atomicdomain_free (upcr_pts domain);
int upc_atomic_isfast (upc_type_t type, upc_op_t ops, upcr_pts address);

upcr_pts
upc_all_atomicdomain_alloc (upc_type_t type, upc_op_t ops, int hints)
{
  UPCR_EXCLUSIVE ("upc_all_atomicdomain_alloc");

  (void) hints;
  return upcr_all_domain_alloc (type, ops);
}

void
upc_all_atomicdomain_free (upcr_pts domain)
{
  UPCR_EXCLUSIVE ("upc_all_atomicdomain_free");

  upcr_all_domain_free (domain);
}

/* 0 for a null domain; the call itself says what is wrong with it. */
static int
type_of (upcr_pts domain)
{
  if (upcr_pts_is_null (domain))
    return 0;
  return *(uint64_t *) upcr_pts_address (domain) >> __UPC_DOMAIN_TYPE_SHIFT & __UPC_DOMAIN_TYPES;
}

#define ARGUMENTS(is_relaxed) is_relaxed, fetch, &target, (int) op, type_of (domain)

#define OPERATION(order, is_relaxed)                                                           \
  UPCR_WATCHED_STATEMENT (upc_atomic_##order,                                                  \
                          (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,         \
                           const void *operand1, const void *operand2),                        \
                          (domain, fetch, op, target, operand1, operand2),                     \
                          UPCR_START (GASP_UPCT_ATOMIC, ARGUMENTS (is_relaxed)),               \
                          upcr_atomic_##order (domain, fetch, op, target, operand1, operand2), \
                          UPCR_END (GASP_UPCT_ATOMIC, ARGUMENTS (is_relaxed)))

OPERATION (relaxed, 1)
OPERATION (strict, 0)

#define OF_TYPE(order)                                                                    \
  void upct_atomic_##order (upc_type_t type, upcr_pts domain, void *fetch, upc_op_t op,   \
                            upcr_pts target, const void *operand1, const void *operand2); \
  void upct_atomic_##order (upc_type_t type, upcr_pts domain, void *fetch, upc_op_t op,   \
                            upcr_pts target, const void *operand1, const void *operand2)  \
  {                                                                                       \
    if (__builtin_expect (type_of (domain) != type, 0))                                   \
      upcr_check_target_type ("upc_atomic_" #order, domain, type);                        \
    upc_atomic_##order (domain, fetch, op, target, operand1, operand2);                   \
  }

OF_TYPE (relaxed)
OF_TYPE (strict)

int
upc_atomic_isfast (upc_type_t type, upc_op_t ops, upcr_pts address)
{
  return upcr_atomic_is_fast (type, ops, upcr_pts_address (address));
}
