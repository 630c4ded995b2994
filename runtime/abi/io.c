/* UPC-IO (UPC 1.3, optional library, 7.8). Each function that reads or writes also has a form
   that only starts the operation. */

#include "runtime/io/io.h"
#include "runtime/sync/sync.h"

#define FUNCTION(type, name, parameters, value) \
  type name parameters;                         \
  type name parameters                          \
  {                                             \
    UPCR_EXCLUSIVE (#name);                     \
                                                \
    upcr_reject_in_split_phase (#name);         \
    return value;                               \
  }

FUNCTION (upcr_pts, upc_all_fopen,
          (const char *name, int flags, size_t hint_count, const struct upcr_hint *hints),
          upcr_file_open (name, flags, hint_count, hints))
/* A function of an open file, its first argument, in STATE. */
#define OF_FILE(type, name, parameters, state, value) \
  FUNCTION (type, name, parameters, (upcr_io_check_state (file, state, #name), value))

OF_FILE (int, upc_all_fclose, (upcr_pts file), UPCR_FILE_AT_REST, upcr_file_close (file))
OF_FILE (int, upc_all_fsync, (upcr_pts file), UPCR_FILE_AT_REST, upcr_file_sync (file))
OF_FILE (long, upc_all_fseek, (upcr_pts file, long offset, int origin), UPCR_FILE_AT_REST,
         upcr_file_seek (file, offset, origin))
OF_FILE (int, upc_all_fset_size, (upcr_pts file, long size), UPCR_FILE_AT_REST,
         upcr_file_set_size (file, size))
OF_FILE (long, upc_all_fget_size, (upcr_pts file), UPCR_FILE_AT_REST, upcr_file_size (file))
OF_FILE (int, upc_all_fpreallocate, (upcr_pts file, long size), UPCR_FILE_AT_REST,
         upcr_file_preallocate (file, size))
OF_FILE (int, upc_all_fcntl, (upcr_pts file, int command, void *argument),
         command == UPCR_ASYNC_OUTSTANDING ? UPCR_FILE_OPEN : UPCR_FILE_AT_REST,
         upcr_file_control (file, command, argument))
OF_FILE (long, upc_all_fwait_async, (upcr_pts file), UPCR_FILE_IN_USE, upcr_io_wait (file))
OF_FILE (long, upc_all_ftest_async, (upcr_pts file, int *flag), UPCR_FILE_IN_USE,
         upcr_io_test (file, flag))

#define REQUEST(name, is_write, is_async)                       \
  &(struct upcr_request)                                        \
  {                                                             \
#name, is_write, is_async || (flags & UPCR_IO_ASYNC), flags \
  }

#define TWO_FORMS(name, is_write, parameters, ...)                                               \
  OF_FILE (long, name, parameters, UPCR_FILE_AT_REST, MOVE (name, is_write, false, __VA_ARGS__)) \
  void name##_async parameters;                                                                  \
  void name##_async parameters                                                                   \
  {                                                                                              \
    UPCR_EXCLUSIVE (#name "_async");                                                             \
                                                                                                 \
    upcr_reject_in_split_phase (#name "_async");                                                 \
    upcr_io_check_state (file, UPCR_FILE_AT_REST, #name "_async");                               \
    MOVE (name##_async, is_write, true, __VA_ARGS__);                                            \
  }
#define MOVE(name, is_write, is_async, move, ...) \
  move (REQUEST (name, is_write, is_async), file, __VA_ARGS__)

TWO_FORMS (upc_all_fread_local, false,
           (upcr_pts file, void *buffer, size_t size, size_t count, int flags), upcr_io_local,
           buffer, size, count)
TWO_FORMS (upc_all_fwrite_local, true,
           (upcr_pts file, void *buffer, size_t size, size_t count, int flags), upcr_io_local,
           buffer, size, count)
TWO_FORMS (upc_all_fread_shared, false,
           (upcr_pts file, upcr_pts buffer, size_t block, size_t size, size_t count, int flags),
           upcr_io_shared, buffer, block, size, count)
TWO_FORMS (upc_all_fwrite_shared, true,
           (upcr_pts file, upcr_pts buffer, size_t block, size_t size, size_t count, int flags),
           upcr_io_shared, buffer, block, size, count)

#define LISTS(type)                                                                    \
  (upcr_pts file, size_t memory_count, const struct type *memory, size_t extent_count, \
   const struct upcr_filevec *extents, int flags)

TWO_FORMS (upc_all_fread_list_local, false, LISTS (upcr_local_memvec), upcr_io_list_local,
           memory_count, memory, extent_count, extents)
TWO_FORMS (upc_all_fwrite_list_local, true, LISTS (upcr_local_memvec), upcr_io_list_local,
           memory_count, memory, extent_count, extents)
TWO_FORMS (upc_all_fread_list_shared, false, LISTS (upcr_shared_memvec), upcr_io_list_shared,
           memory_count, memory, extent_count, extents)
TWO_FORMS (upc_all_fwrite_list_shared, true, LISTS (upcr_shared_memvec), upcr_io_list_shared,
           memory_count, memory, extent_count, extents)
