/* Collective allocation: one thread allocates, all get the same pointer. */

#ifndef UPCR_COLL_ALLOC_H
#define UPCR_COLL_ALLOC_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

struct upcr_lock;

/* All collective; arguments are single-valued (UPC 1.3, 7.2.2, 7.2.4). */
upcr_pts upcr_all_alloc (size_t blocks, size_t block_bytes);
void upcr_all_free (upcr_pts block);
upcr_pts upcr_all_lock_alloc (void);
void upcr_all_lock_free (upcr_pts lock);

/* A lock in the calling thread's shared heap; null when there is no memory. */
upcr_pts upcr_lock_alloc (void);
void upcr_lock_free (upcr_pts lock, const char *what);

/* The lock that P points to; ends the run when that is none. */
static inline struct upcr_lock *
upcr_lock_of (upcr_pts p, const char *what)
{
  if (__builtin_expect (upcr_pts_is_null (p), 0))
    upcr_fatal ("%s: a null pointer to a lock", what);
  return (struct upcr_lock *) upcr_pts_address (p);
}

#endif
