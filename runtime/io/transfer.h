/* Transfers: bytes between regions of memory and regions of a file, by one thread. */

#ifndef UPCR_IO_TRANSFER_H
#define UPCR_IO_TRANSFER_H

#include "runtime/io/io.h"
#include "runtime/io/memory.h"

#include <pthread.h>

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

/* Memory has as many bytes as extents. Reads end at the end of the file. */
void upcr_transfer_run (struct upcr_transfer *transfer);

#endif
