/* The io room: files of UPC-IO (UPC 1.3, optional library, 7.8).

   A file is one descriptor of the process. All reads and writes name their position, so the
   descriptor's own position is not used. Each thread has its copy of a common position, which
   the same calls move in the same way.

   A function that fails sets errno and returns -1. */

#ifndef UPCR_IO_H
#define UPCR_IO_H

#include "runtime/shared/shared.h"

#include <stdbool.h>
#include <stddef.h>

/* Flags and commands are those of include/upc_io.h, which is UPC. */
enum
{
  UPCR_RDONLY = 1 << 0,
  UPCR_WRONLY = 1 << 1,
  UPCR_RDWR = 1 << 2,
  UPCR_INDIVIDUAL_FP = 1 << 3,
  UPCR_COMMON_FP = 1 << 4,
  UPCR_APPEND = 1 << 5,
  UPCR_CREATE = 1 << 6,
  UPCR_EXCL = 1 << 7,
  UPCR_STRONG_CA = 1 << 8,
  UPCR_TRUNC = 1 << 9,
  UPCR_DELETE_ON_CLOSE = 1 << 10
};

enum upcr_origin
{
  UPCR_SEEK_SET,
  UPCR_SEEK_CUR,
  UPCR_SEEK_END
};

enum upcr_command
{
  UPCR_GET_CA_SEMANTICS = 1,
  UPCR_SET_WEAK_CA_SEMANTICS,
  UPCR_SET_STRONG_CA_SEMANTICS,
  UPCR_GET_FP,
  UPCR_SET_COMMON_FP,
  UPCR_SET_INDIVIDUAL_FP,
  UPCR_GET_FL,
  UPCR_GET_FN,
  UPCR_GET_HINTS,
  UPCR_SET_HINT,
  UPCR_ASYNC_OUTSTANDING
};

struct upcr_hint
{
  const char *key;
  const char *value;
};

struct upcr_local_memvec
{
  void *base;
  size_t length;
};

struct upcr_shared_memvec
{
  upcr_pts base;
  size_t block_bytes;
  size_t length;
};

struct upcr_filevec
{
  long offset;
  size_t length;
};

/* The file as a whole. */
upcr_pts upcr_file_open (const char *name, int flags, size_t hint_count,
                         const struct upcr_hint *hints);
int upcr_file_close (upcr_pts handle);
int upcr_file_sync (upcr_pts handle);
int upcr_file_control (upcr_pts handle, int command, void *argument);
long upcr_file_seek (upcr_pts handle, long offset, int origin);
long upcr_file_size (upcr_pts handle);
int upcr_file_set_size (upcr_pts handle, long size);
int upcr_file_preallocate (upcr_pts handle, long size);

/* Berkeley UPC's flag, which makes the form that is only begun of the other. */
enum
{
  UPCR_IO_ASYNC = 64
};

/* What a read or write is asked for. WHAT names the function in messages. */
struct upcr_request
{
  const char *what;
  bool is_write;
  bool is_async; /* only begun: returns 0 */
  int flags;     /* of type upc_flag_t */
};

long upcr_io_local (const struct upcr_request *request, upcr_pts handle, void *buffer, size_t size,
                    size_t count);
long upcr_io_shared (const struct upcr_request *request, upcr_pts handle, upcr_pts buffer,
                     size_t block, size_t size, size_t count);
long upcr_io_list_local (const struct upcr_request *request, upcr_pts handle, size_t memory_count,
                         const struct upcr_local_memvec *memory, size_t extent_count,
                         const struct upcr_filevec *extents);
long upcr_io_list_shared (const struct upcr_request *request, upcr_pts handle, size_t memory_count,
                          const struct upcr_shared_memvec *memory, size_t extent_count,
                          const struct upcr_filevec *extents);

/* Completes what was begun; the second only where it is done on all threads. */
long upcr_io_wait (upcr_pts handle);
long upcr_io_test (upcr_pts handle, int *flag);

#ifdef UPCR_NETWORK
/* At the start, in programs that have the room: what processes ask of each other. */
void upcr_serve_files (void) __attribute__ ((weak));
#endif

/* What a function wants of a file: none but open; with no asynchronous operation under way; with one. */
enum upcr_file_state
{
  UPCR_FILE_OPEN,
  UPCR_FILE_AT_REST,
  UPCR_FILE_IN_USE
};

/* Ends the run if the calling thread has no file of HANDLE in STATE; only where what is hardly meant is an
   error: the functions themselves say EBADF, EBUSY or EINVAL. */
void upcr_io_check_state (upcr_pts handle, enum upcr_file_state state, const char *what);

#endif
