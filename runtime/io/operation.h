/* Operations: one call that reads or writes, from its entry to its completion. */

#ifndef UPCR_IO_OPERATION_H
#define UPCR_IO_OPERATION_H

#include "runtime/io/file.h"
#include "runtime/io/transfer.h"

#include <stdatomic.h>

struct upcr_operation
{
  struct upcr_request request; /* its flags as they count */
  struct upcr_file *file;
  bool is_elsewhere; /* its memory may be other threads' */
  bool moves_position;
  bool is_common; /* threads do parts of one transfer */
  long total;     /* bytes of all parts */
  struct upcr_transfer transfer;
  pthread_t worker; /* that does the transfer, of an asynchronous one */
  bool has_worker;
  uint64_t handle; /* of an asynchronous one in a run with a checked heap; 0: none */
  atomic_bool is_done;
  struct upcr_region regions[]; /* and the extents behind them */
};

/* An operation with room for regions and extents, which the caller fills in; extents are zero at
   first. Asynchronous while another one is under way ends the run, as no memory does. */
struct upcr_operation *upcr_operation_new (const struct upcr_request *request,
                                           struct upcr_file *file, size_t regions, size_t extents);

/* Its extents, to be filled in. */
struct upcr_filevec *upcr_operation_extents (struct upcr_operation *operation);

/* Ends the run if those of MEMORY_COUNT regions overlap that it is to read into. */
void upcr_refuse_overlap (const struct upcr_operation *operation, size_t memory_count);

/* Does it, and frees it, with what its flags say; or begins it. What its function returns. */
long upcr_operation_run (struct upcr_operation *operation);

#endif
