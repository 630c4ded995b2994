/* Atomicity domains and their operations if other processes have threads. Each thread has the domain
   in its own partition. The process that has the target does an operation, with the same instructions
   that its own threads use. So one word may be the target of all threads. */

#include "runtime/atomic/network/operate.h"

/* The calling thread's piece of the domain P. */
static inline char *
own_piece (upcr_pts p)
{
  return upcr_segment_address (MYTHREAD, upcr_pts_offset (p));
}

#define upcr_pts_address own_piece
#define upcr_local_alloc_aligned(bytes, alignment, what) \
  upcr_symmetric_alloc_for (THREADS, (bytes) > (alignment) ? (bytes) : (alignment), what)
static upcr_pts alloc_by_0 (upc_type_t type, upc_op_t ops);
static void free_by_0 (upcr_pts domain);
#define upcr_all_domain_alloc alloc_by_0
#define upcr_all_domain_free free_by_0
#define OPERATE(order) \
  upcr_operate_##order (d->type, op_number (op), target, fetch, operand1, operand2)
#include "runtime/atomic/domain.c"
#undef upcr_all_domain_alloc
#undef upcr_all_domain_free

upcr_pts
upcr_all_domain_alloc (upc_type_t type, upc_op_t ops)
{
  upcr_pts domain = alloc_by_0 (type, ops);
  const struct upcr_atomic_type *its_type = upcr_atomic_type_of (type);

  if (!upcr_pts_is_null (domain))
    *(struct domain *) own_piece (domain) = (struct domain){ word_of (its_type, ops), its_type };
  return domain;
}

/* Before thread 0 gives the memory back, which all wait for. Its own piece says there whether it is one. */
void
upcr_all_domain_free (upcr_pts domain)
{
  if (!upcr_pts_is_null (domain) && MYTHREAD != 0)
    *(uint64_t *) own_piece (domain) = __UPC_DOMAIN_FREED << __UPC_DOMAIN_MARK_SHIFT;
  free_by_0 (domain);
}
