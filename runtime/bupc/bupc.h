/* The bupc room: what Berkeley UPC's extensions (bupc_extensions.h) need beyond the libraries of
   UPC. WHAT is the name of the function that the program called, for messages. Wrong use ends
   the run. */

#ifndef UPCR_BUPC_H
#define UPCR_BUPC_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <upc_types.h>

/* ---- Ticks (ticks.c), in microseconds ---- */

double upcr_tick_granularity_us (void);
double upcr_tick_overhead_us (void);

/* ---- Pointers (pointer.c) ---- */

int upcr_dump_pts (upcr_pts p, char *buffer, int bytes);

/* P + N for elements of BYTES bytes in blocks of BLOCK elements. */
upcr_pts upcr_pts_add (upcr_pts p, size_t block, size_t bytes, ptrdiff_t n);

/* The pointer with the fields THREAD and PHASE to where ADDRESS lies in the partition of the
   calling thread. */
upcr_pts upcr_pts_of_own (void *address, int thread, int phase);

/* Null where ADDRESS is in no partition. */
upcr_pts upcr_pts_of_address (void *address);

unsigned upcr_thread_distance (int x, int y);

/* ---- Copies of pieces (pieces.c) ---- */

/* One side of a copy: the pieces that are to come, and what is left of the present one. */
struct upcr_side
{
  size_t count;
  void (*next) (struct upcr_side *side);
  const void *list; /* of what `next` looks at */
  char *chunk;
  size_t length, stride;
  size_t total; /* bytes of all pieces */
  char *at;
  size_t left;
};

/* The C types of the lists. */
struct upcr_private_piece
{
  char *address;
  size_t bytes;
};
struct upcr_shared_piece
{
  upcr_pts address;
  size_t bytes;
};

struct upcr_side upcr_private_pieces (const struct upcr_private_piece *list, size_t count);
struct upcr_side upcr_shared_pieces (const struct upcr_shared_piece *list, size_t count);

/* NAME is the parameter, for messages. */
struct upcr_side upcr_private_addresses (const char *what, const char *name, char *const *list,
                                         size_t count, size_t length);
struct upcr_side upcr_shared_addresses (const char *what, const char *name, const upcr_pts *list,
                                        size_t count, size_t length);
struct upcr_side upcr_chunks (const char *what, const char *name, char *first, size_t length,
                              size_t stride, size_t count);

void upcr_copy_pieces (const char *what, struct upcr_side dst, struct upcr_side src);

/* COUNT has LEVELS + 1 elements, the strides have LEVELS. */
void upcr_copy_strided (const char *what, char *dst, const size_t *dst_strides, const char *src,
                        const size_t *src_strides, const size_t *count, size_t levels);

/* ---- Access regions (region.c) ---- */

UPCR_PRIVATE bool upcr_is_in_access_region;

void upcr_begin_access_region (void);
void upcr_end_access_region (void);

/* In line: it is all that a synchronisation does. */
static inline UPCR_USES_PRIVATE void
upcr_reject_in_access_region (const char *what)
{
  if (__builtin_expect (upcr_is_in_access_region, 0))
    upcr_fatal ("%s in an access region", what);
}

/* ---- Collective functions on values (value.c). DST and SRC are the caller's own; FLAGS those of
   upc_types.h. See bupc_collectivev.h. ---- */

void upcr_value_broadcast (void *dst, const void *src, int root, size_t bytes, int flags);
void upcr_value_scatter (void *dst, const void *src, int root, size_t bytes, int flags);
void upcr_value_gather (void *dst, const void *src, int root, size_t bytes, int flags);
void upcr_value_gather_all (void *dst, const void *src, size_t bytes, int flags);
void upcr_value_permute (void *dst, const void *src, int target, size_t bytes, int flags);
void upcr_value_reduce (upc_type_t type, upc_op_t op, void *dst, const void *src, int root,
                        int flags);
void upcr_value_reduce_all (upc_type_t type, upc_op_t op, void *dst, const void *src, int flags);
void upcr_value_prefix_reduce (upc_type_t type, upc_op_t op, void *dst, const void *src, int flags);

/* ---- Semaphores (semaphore.c) ---- */

upcr_pts upcr_semaphore_alloc (int flags);
void upcr_semaphore_free (upcr_pts semaphore);
void upcr_semaphore_post (upcr_pts semaphore, size_t n, const char *what);
void upcr_semaphore_wait (upcr_pts semaphore, size_t n, const char *what);
bool upcr_semaphore_try (upcr_pts semaphore, size_t n, const char *what);
#ifdef UPCR_NETWORK
/* At the start, in programs that have the room: what processes ask of each other. */
void upcr_serve_semaphores (void) __attribute__ ((weak));
#endif

#endif
