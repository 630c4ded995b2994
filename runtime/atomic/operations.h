/* The operations themselves, by C type. */

#ifndef UPCR_ATOMIC_OPERATIONS_H
#define UPCR_ATOMIC_OPERATIONS_H

#include <upct/domain.h>

#include <stddef.h>

/* The bit numbers of upc_op_t that are operations on single objects. */
enum
{
  UPCR_ATOMIC_OPERATIONS = 15
};

typedef void upcr_atomic_function (void *target, void *fetch, const void *operand1,
                                   const void *operand2);

/* What can be done with objects of one type. */
struct upcr_atomic_type
{
  upc_type_t type; /* the one that stands for those that C does not tell apart */
  size_t bytes;
  upc_op_t ops;      /* that there are */
  upc_op_t fast_ops; /* that one instruction does */
  /* By the number of the operation's bit. */
  upcr_atomic_function *relaxed[UPCR_ATOMIC_OPERATIONS];
  upcr_atomic_function *strict[UPCR_ATOMIC_OPERATIONS];
};

/* Null for types without atomic operations. */
const struct upcr_atomic_type *upcr_atomic_type_of (upc_type_t type);

#endif
