/* Regions of memory that transfers move, private to the calling thread or shared. */

#ifndef UPCR_IO_MEMORY_H
#define UPCR_IO_MEMORY_H

#include "runtime/shared/shared.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

/* LENGTH bytes from BASE: one piece, or, with BLOCK_BYTES, blocks of shared memory that
   begin in THREAD's partition and go round. */
struct upcr_region
{
  char *base;
  size_t block_bytes; /* 0: one piece */
  size_t length;
  uint32_t thread;
};

/* A cursor in a list of regions: OFFSET bytes of the first one are behind it. */
struct upcr_memory
{
  const struct upcr_region *regions;
  size_t offset;
};

/* The region that a pointer-to-shared begins, whatever its phase. Of a null pointer the base is
   null. */
struct upcr_region upcr_region_of (upcr_pts base, size_t block_bytes, size_t length);

/* Calls VISIT for each piece of memory that the region has: one, or where it has blocks what it has in a
   thread's partition, whose blocks follow each other. */
typedef void upcr_visit (char *piece, size_t bytes, void *argument);
void upcr_visit_region (const struct upcr_region *region, upcr_visit *visit, void *argument);

/* In the checked heap: ends the run unless the region, where it is shared, is one object's. */
void upcr_check_region (const struct upcr_region *region, const char *what);

/* The address of byte OFFSET of REGION; *LENGTH: how many bytes follow there in one piece. */
char *upcr_piece_at (const struct upcr_region *region, size_t offset, size_t *length);

/* LENGTH bytes between memory, which is behind them then, and BUFFER. */
void upcr_memory_copy (struct upcr_memory *memory, char *buffer, size_t length, bool to_buffer);

void upcr_memory_advance (struct upcr_memory *memory, size_t length);

/* The large pieces that are next, LENGTH bytes and so many at MOST: how many. */
int upcr_memory_large (const struct upcr_memory *memory, size_t length, struct iovec *pieces,
                       int most);

/* What another node has, which the system cannot read and write here. */
#ifdef UPCR_NETWORK
bool upcr_is_region_far (const struct upcr_region *region);

/* LENGTH bytes between BUFFER and REGION, of which some may be far, from byte OFFSET on. */
void upcr_copy_far (const struct upcr_region *region, size_t offset, char *buffer, size_t length,
                    bool to_buffer);
#else
#define upcr_is_far(piece) false
#define upcr_is_region_far(region) false
#define upcr_copy_far(region, offset, buffer, length, to_buffer) (void) 0
#endif

#endif
