/* The course of an operation: flags, the transfer, positions.

   An error on one thread only, in its lists or from the system, is kept until the end: the
   others wait for this thread as the flags say. */

#include "runtime/io/operation.h"

#include "include/upc_types.h"
#include "runtime/host/host.h"
#include "runtime/io/check.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

enum
{
  /* The stack of a worker beside the thread-local storage, which glibc takes out of it. */
  WORKER_BYTES = 256 << 10,
  INS = UPC_IN_NOSYNC | UPC_IN_MYSYNC | UPC_IN_ALLSYNC,
  OUTS = UPC_OUT_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_ALLSYNC
};

struct upcr_filevec *
upcr_operation_extents (struct upcr_operation *operation)
{
  return (struct upcr_filevec *) operation->transfer.extents;
}

/* One IN and one OUT at most. */
static bool
are_flags (int flags)
{
  int in = flags & INS, out = flags & OUTS;

  return (flags & ~(INS | OUTS | UPCR_IO_ASYNC)) == 0 && (in & (in - 1)) == 0
         && (out & (out - 1)) == 0;
}

/* Strong consistency makes all flags ALLSYNC (7.8.1.3), and so does leaving one out. */
static int
flags_of (const struct upcr_file *file, const struct upcr_request *request)
{
  int flags = request->flags;

  if (file->parts[MYTHREAD].flags & UPCR_STRONG_CA)
    return UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC;
  if (upcr_options.check && !are_flags (flags))
    upcr_fatal ("invalid flags for %s: %#x", request->what, (unsigned) flags);
  if (!(flags & (UPC_IN_NOSYNC | UPC_IN_MYSYNC)))
    flags |= UPC_IN_ALLSYNC;
  if (!(flags & (UPC_OUT_NOSYNC | UPC_OUT_MYSYNC)))
    flags |= UPC_OUT_ALLSYNC;
  return flags;
}

struct upcr_operation *
upcr_operation_new (const struct upcr_request *request, struct upcr_file *file, size_t regions,
                    size_t extents)
{
  struct upcr_operation *operation;
  size_t bytes, extent_bytes;
  int flags = flags_of (file, request);

  if (upcr_file_part (file)->pending && request->is_async)
    upcr_fatal ("%s: an asynchronous operation on the file is under way", request->what);
  if (__builtin_mul_overflow (regions, sizeof *operation->regions, &bytes)
      || __builtin_mul_overflow (extents, sizeof (struct upcr_filevec), &extent_bytes)
      || __builtin_add_overflow (bytes, extent_bytes, &bytes)
      || __builtin_add_overflow (bytes, sizeof *operation, &bytes)
      || !(operation = calloc (1, bytes)))
    upcr_fatal ("%s: no memory for lists of %zu and %zu regions", request->what, regions, extents);
  operation->request = *request;
  operation->request.flags = flags;
  operation->file = file;
  operation->transfer = (struct upcr_transfer){
    .descriptor = file->descriptor,
    .is_write = request->is_write,
    .lock = upcr_file_part (file)->flags & UPCR_STRONG_CA ? &file->strong : NULL,
    .memory = { operation->regions, 0 },
    .extents = (struct upcr_filevec *) (operation->regions + regions),
    .extent_count = extents,
  };
  if (file->flags & (request->is_write ? UPCR_RDONLY : UPCR_WRONLY))
    operation->transfer.error = upcr_io_error (EBADF, request->what,
                                               request->is_write
                                                   ? "the file is open for reading alone"
                                                   : "the file is open for writing alone");
  return operation;
}

/* A thread's own memory is ready when the thread itself has come. */
static bool
waits_for_all (const struct upcr_operation *operation, int allsync, int mysync)
{
  return operation->request.flags & allsync
         || (operation->is_elsewhere && operation->request.flags & mysync);
}

/* How far this thread's part of a common read got, in bytes from where the read begins. */
static long
reach_of (struct upcr_operation *operation)
{
  long begin = upcr_operation_extents (operation)->offset
               - upcr_file_part (operation->file)->position;

  return operation->transfer.done ? begin + operation->transfer.done : 0;
}

/* What the calls of all threads have moved, or this one's; -1, and errno. */
static long
result_of (struct upcr_operation *operation)
{
  const struct upcr_transfer *transfer = &operation->transfer;
  /* How much of a file was left, all have to know. */
  bool is_common_read = operation->is_common && !transfer->is_write;

  upcr_file_reach (operation->file, UPCR_STAGE_COMPLETE, operation->request.what,
                   !is_common_read && waits_for_all (operation, UPC_OUT_ALLSYNC, UPC_OUT_MYSYNC));
  if (is_common_read)
    return upcr_file_most (operation->file, operation->request.what, reach_of (operation),
                           transfer->error);
  if (transfer->error)
    {
      errno = transfer->error == EFAULT ? upcr_io_error (EFAULT, operation->request.what,
                                                         "memory that the program does not have")
                                        : transfer->error;
      return -1;
    }
  return operation->is_common ? operation->total : transfer->done;
}

static long
complete (struct upcr_operation *operation)
{
  long result = result_of (operation);

  if (result > 0 && operation->moves_position)
    upcr_file_part (operation->file)->position += result;
  free (operation);
  return result;
}

static void *
work (void *argument)
{
  struct upcr_operation *operation = argument;

  upcr_transfer_run (&operation->transfer);
  /* Only says that a join will not wait, which orders what the transfer did. */
  atomic_store_explicit (&operation->is_done, true, memory_order_relaxed);
  return NULL;
}

static bool
start_worker (struct upcr_operation *operation)
{
  sigset_t all, before;
  pthread_attr_t attributes;
  int error;

  /* The program's handlers are for its own threads. */
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  pthread_attr_init (&attributes);
  pthread_attr_setstacksize (&attributes, (upcr_tls_bytes () + WORKER_BYTES + UPCR_PAGE_BYTES - 1)
                                              & -UPCR_PAGE_BYTES);
  error = upcr_create_posix_thread (&operation->worker, &attributes, work, operation);
  pthread_attr_destroy (&attributes);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  return error == 0;
}

/* Where the system has no thread for it, the call does it (7.8.7). */
static void
begin (struct upcr_operation *operation)
{
  upcr_file_part (operation->file)->pending = operation;
  if (upcr_is_checked)
    operation->handle = upcr_transfer_begin (operation->request.what, UPCR_TRANSFER_OF_FILE,
                                             upcr_pts_null (), upcr_pts_null (), 0);
  operation->has_worker = start_worker (operation);
  if (!operation->has_worker)
    work (operation);
}

long
upcr_operation_run (struct upcr_operation *operation)
{
  upcr_file_reach (operation->file, UPCR_STAGE_ENTERED, operation->request.what,
                   waits_for_all (operation, UPC_IN_ALLSYNC, UPC_IN_MYSYNC));
  if (operation->request.is_async)
    {
      begin (operation);
      return 0;
    }
  upcr_transfer_run (&operation->transfer);
  return complete (operation);
}

/* The operation that is under way, NULL and errno where there is none. */
static struct upcr_operation *
pending_of (upcr_pts handle, const char *what)
{
  struct upcr_file *file = upcr_file_of (handle);

  if (!file)
    return NULL;
  UPCR_IO_CHECK (file, what);
  if (!upcr_file_part (file)->pending)
    errno = EINVAL;
  return upcr_file_part (file)->pending;
}

static long
finish (struct upcr_operation *operation)
{
  upcr_file_part (operation->file)->pending = NULL;
  if (operation->handle)
    upcr_transfer_end (operation->handle, operation->request.what);
  if (operation->has_worker)
    pthread_join (operation->worker, NULL);
  return complete (operation);
}

long
upcr_io_wait (upcr_pts handle)
{
  struct upcr_operation *operation = pending_of (handle, "upc_all_fwait_async");

  return operation ? finish (operation) : -1;
}

long
upcr_io_test (upcr_pts handle, int *flag)
{
  static const char what[] = "upc_all_ftest_async";
  struct upcr_file *file = upcr_file_of (handle);
  struct upcr_operation *operation;
  long left;

  *flag = 1;
  if (!file)
    return -1;
  UPCR_IO_CHECK (file, what);
  operation = upcr_file_part (file)->pending;
  /* Without an operation, too: other threads may have one, by a program's mistake, and wait here. */
  left = upcr_file_most (
      file, what, !operation || !atomic_load_explicit (&operation->is_done, memory_order_relaxed),
      operation ? 0 : EINVAL);
  if (!operation)
    return -1;
  if (left < 0)
    upcr_fatal ("%s: this thread has begun an asynchronous operation on the file, but not all have",
                what);
  *flag = left == 0;
  return *flag ? finish (operation) : 0;
}
