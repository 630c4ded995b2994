/* Atomicity domains and the operations on objects under them (UPC 1.3, optional
   library, 7.6). */

#ifndef UPCR_ATOMIC_H
#define UPCR_ATOMIC_H

#include "runtime/shared/shared.h"

#include <upct/domain.h>

/* Both collective; null where there is no memory, and freeing null is nothing. */
upcr_pts upcr_all_domain_alloc (upc_type_t type, upc_op_t ops);
void upcr_all_domain_free (upcr_pts domain);

/* One operation; see upc_atomic.h. Wrong use ends the run. */
void upcr_atomic_relaxed (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,
                          const void *operand1, const void *operand2);
void upcr_atomic_strict (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,
                         const void *operand1, const void *operand2);

#ifdef UPCR_NETWORK
/* At the start: what other processes ask of this one. */
void upcr_serve_atomics (void);
void upcr_serve_objects (void);

/* OP on what is at AT, in private or anybody's shared memory: BYTES, 4 or 8, of an integer or floating type. *OLD,
   unless OLD is null, becomes what was there. */
void upcr_atomic_at (void *at, size_t bytes, bool is_floating, upc_op_t op, void *old,
                     const void *operand1, const void *operand2, bool is_strict);

/* An access to a shared _Atomic object: OPERATION is one of <upct/atomic_object.h>, as are the operands. What the
   thread has stored before is there. */
void upcr_object_at (int operation, void *object, size_t bytes, void *old, const void *desired,
                     const void *expected);
#endif

/* Ends the run where DOMAIN is one for other objects than of TYPE. */
void upcr_check_target_type (const char *what, upcr_pts domain, upc_type_t type);

/* The size of the objects that DOMAIN is for; 0: it is none. */
size_t upcr_atomic_bytes (upcr_pts domain);

/* Are all of OPS single instructions at ADDRESS? */
bool upcr_atomic_is_fast (upc_type_t type, upc_op_t ops, const void *address);

#endif
