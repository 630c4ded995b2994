/* Transfers: bytes between regions of memory and regions of a file, by one thread. */

#ifndef UPCR_IO_TRANSFER_H
#define UPCR_IO_TRANSFER_H

#include "runtime/io/io.h"

#include <pthread.h>

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

struct upcr_transfer
{
  int descriptor;
  bool is_write;
  pthread_mutex_t *lock; /* held meanwhile; NULL: none */
  struct upcr_memory memory;
  const struct upcr_filevec *extents;
  size_t extent_count;
  char *bounce; /* the bounce buffer: gathers small pieces; NULL until there were some */
  long done;    /* bytes, once it is over */
  int error;    /* an errno; set before: nothing is done */
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

/* Memory has as many bytes as extents. Reads end at the end of the file. */
void upcr_transfer_run (struct upcr_transfer *transfer);

#endif
