/* Atomic operations on memory of any process. */

#ifndef UPCR_ATOMIC_OPERATE_H
#define UPCR_ATOMIC_OPERATE_H

#include "runtime/atomic/atomic.h"
#include "runtime/atomic/operations.h"

/* Operation NUMBER of TYPE. */
void upcr_operate_relaxed (const struct upcr_atomic_type *type, unsigned number, upcr_pts target,
                           void *fetch, const void *operand1, const void *operand2);
void upcr_operate_strict (const struct upcr_atomic_type *type, unsigned number, upcr_pts target,
                          void *fetch, const void *operand1, const void *operand2);

#endif
