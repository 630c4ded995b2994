/* Makes an operation from the arguments of a function. */

#include "runtime/io/check.h"
#include "runtime/io/operation.h"

#include "runtime/shared/shared.h"

#include <errno.h>
#include <limits.h>

/* A part of a common transfer that is worth a thread's system call, and a page. */
enum
{
  LEAST_PART = 64 << 10,
  PAGE = 4096
};

/* The file of a function that no operation may be under way for; asynchronous ones say so
   themselves. */
static struct upcr_file *
file_of (const struct upcr_request *request, upcr_pts handle)
{
  return request->is_async ? upcr_file_of (handle) : upcr_file_at_rest (handle);
}

/* The flags as far as they are single-valued: strong consistency takes no heed of them (7.8.1.3). */
static int
common_flags (const struct upcr_request *request, struct upcr_file *file)
{
  bool is_strong = upcr_file_part (file)->flags & UPCR_STRONG_CA;

  return is_strong ? request->flags & UPCR_IO_ASYNC : request->flags;
}

static void
fail (struct upcr_operation *operation, int error, const char *why)
{
  if (!operation->transfer.error)
    operation->transfer.error = upcr_io_error (error, operation->request.what, why);
}

/* SIZE * COUNT bytes from the thread's position on, which have to end at an offset. */
static void
set_total (struct upcr_operation *operation, size_t size, size_t count)
{
  long position = upcr_file_part (operation->file)->position, end;

  operation->moves_position = true;
  if (__builtin_mul_overflow (size, count, &operation->total)
      || __builtin_add_overflow (position, operation->total, &end))
    {
      operation->total = 0;
      fail (operation, EINVAL, "size * nmemb bytes are more than a file can have");
    }
  operation->regions[0].length = operation->total;
  *upcr_operation_extents (operation) = (struct upcr_filevec){ position, operation->total };
}

static void
refuse_null (struct upcr_operation *operation)
{
  if (!operation->regions[0].base && operation->total)
    fail (operation, EFAULT, "buffer is a null pointer");
}

/* What fails for its arguments touches no memory. */
static long
check_and_run (struct upcr_operation *operation, size_t memory_count)
{
  for (size_t i = 0; i < memory_count && !operation->transfer.error; i++)
    upcr_check_region (&operation->regions[i], operation->request.what);
  return upcr_operation_run (operation);
}

long
upcr_io_local (const struct upcr_request *request, upcr_pts handle, void *buffer, size_t size,
               size_t count)
{
  struct upcr_file *file = file_of (request, handle);
  struct upcr_operation *operation;

  if (!file)
    return -1;
  UPCR_IO_CHECK (file, request->what, { "flags", common_flags (request, file) });
  operation = upcr_operation_new (request, file, 1, 1);
  if (upcr_file_part (file)->flags & UPCR_COMMON_FP)
    fail (operation, EINVAL, "the file has a common position, for shared buffers alone");
  operation->regions[0].base = buffer;
  set_total (operation, size, count);
  refuse_null (operation);
  return check_and_run (operation, 1);
}

/* This thread's part of a common transfer: a stretch of the file, in whole pages but the last
   ones. Little is for thread 0 alone. */
static void
take_part (struct upcr_operation *operation)
{
  struct upcr_filevec *extent = upcr_operation_extents (operation);
  size_t total = operation->total, part = total, begin, end;

  operation->is_common = true;
  if (total > LEAST_PART)
    part = (total / THREADS + PAGE) & -(size_t) PAGE;
  begin = part * MYTHREAD < total ? part * MYTHREAD : total;
  end = total - begin > part ? begin + part : total;
  operation->transfer.memory.offset = begin;
  *extent = (struct upcr_filevec){ extent->offset + (long) begin, end - begin };
}

/* With a common position all arguments are single-valued, and without bytes the buffer is ignored. */
static void
check_shared (const struct upcr_request *request, struct upcr_file *file, upcr_pts buffer,
              size_t block, size_t size, size_t count)
{
  int flags = common_flags (request, file);
  bool has_buffer = size != 0 && count != 0;

  if (upcr_file_part (file)->flags & UPCR_COMMON_FP)
    UPCR_IO_CHECK (file, request->what, { "flags", flags }, { "blocksize", block },
                   { "size", size }, { "nmemb", count },
                   { "the thread of buffer", has_buffer ? upcr_pts_thread (buffer) : 0 },
                   { "the address of buffer", has_buffer ? upcr_pts_offset (buffer) : 0 });
  else
    UPCR_IO_CHECK (file, request->what, { "flags", flags });
}

long
upcr_io_shared (const struct upcr_request *request, upcr_pts handle, upcr_pts buffer, size_t block,
                size_t size, size_t count)
{
  struct upcr_file *file = file_of (request, handle);
  struct upcr_operation *operation;
  size_t block_bytes;

  if (!file)
    return -1;
  check_shared (request, file, buffer, block, size, count);
  operation = upcr_operation_new (request, file, 1, 1);
  operation->is_elsewhere = true;
  if (block >= count || __builtin_mul_overflow (block, size, &block_bytes))
    block_bytes = 0;
  operation->regions[0] = upcr_region_of (buffer, block_bytes, 0);
  set_total (operation, size, count);
  refuse_null (operation);
  if (upcr_file_part (file)->flags & UPCR_COMMON_FP)
    take_part (operation);
  return check_and_run (operation, 1);
}

/* 7.8.6: empty entries are ignored, and the offsets of the others do not decrease; to be written, they
   must not overlap. */
static void
set_extents (struct upcr_operation *operation, size_t count, const struct upcr_filevec *extents)
{
  bool is_checked = upcr_options.check && operation->request.is_write;
  long end = 0, before = 0;

  operation->transfer.extent_count = 0;
  for (size_t i = 0; i < count; i++)
    {
      if (extents[i].length == 0)
        continue;
      upcr_operation_extents (operation)[operation->transfer.extent_count++] = extents[i];
      if (is_checked && extents[i].offset >= before && extents[i].offset < end)
        upcr_fatal ("%s: filevec has regions that overlap", operation->request.what);
      if (extents[i].offset < before)
        fail (operation, EINVAL, "the offsets of filevec decrease, or are negative");
      else if (__builtin_add_overflow (extents[i].offset, extents[i].length, &end)
               || __builtin_add_overflow (operation->total, extents[i].length, &operation->total))
        fail (operation, EINVAL, "filevec has more bytes than a file can have");
      if (operation->transfer.error)
        return;
      before = extents[i].offset;
    }
}

/* An operation with EXTENTS; NULL, and errno. Its regions are to be filled in from MEMORY. */
static struct upcr_operation *
new_list (const struct upcr_request *request, upcr_pts handle, size_t memory_count,
          const void *memory, size_t extent_count, const struct upcr_filevec *extents)
{
  struct upcr_file *file = file_of (request, handle);
  struct upcr_operation *operation;

  if (!file)
    return NULL;
  /* Only the file is single-valued, and so what the call is. */
  UPCR_IO_CHECK (file, request->what,
                 { "UPC_ASYNC in flags", (request->flags & UPCR_IO_ASYNC) != 0 });
  operation = upcr_operation_new (request, file, memory_count, extent_count);
  if ((memory_count && !memory) || (extent_count && !extents))
    fail (operation, EFAULT,
          memory_count && !memory ? "memvec is a null pointer" : "filevec is a null pointer");
  else
    set_extents (operation, extent_count, extents);
  return operation;
}

/* Memory has to have as many bytes as the extents. */
static long
run_list (struct upcr_operation *operation, size_t memory_count)
{
  size_t bytes = 0;

  for (size_t i = 0; i < memory_count; i++)
    {
      const struct upcr_region *region = &operation->regions[i];

      if (!region->base && region->length)
        fail (operation, EFAULT, "memvec has a null pointer");
      if (__builtin_add_overflow (bytes, region->length, &bytes))
        fail (operation, EINVAL, "memvec has more bytes than there are");
    }
  if (bytes != (size_t) operation->total)
    fail (operation, EINVAL, "memvec and filevec differ in bytes");
  if (upcr_options.check && !operation->request.is_write && !operation->transfer.error)
    upcr_refuse_overlap (operation, memory_count);
  return check_and_run (operation, memory_count);
}

long
upcr_io_list_local (const struct upcr_request *request, upcr_pts handle, size_t memory_count,
                    const struct upcr_local_memvec *memory, size_t extent_count,
                    const struct upcr_filevec *extents)
{
  struct upcr_operation *operation = new_list (request, handle, memory_count, memory, extent_count,
                                               extents);

  if (!operation)
    return -1;
  for (size_t i = 0; i < memory_count && memory; i++)
    operation->regions[i] = (struct upcr_region){ .base = memory[i].base,
                                                  .length = memory[i].length };
  return run_list (operation, memory_count);
}

long
upcr_io_list_shared (const struct upcr_request *request, upcr_pts handle, size_t memory_count,
                     const struct upcr_shared_memvec *memory, size_t extent_count,
                     const struct upcr_filevec *extents)
{
  struct upcr_operation *operation = new_list (request, handle, memory_count, memory, extent_count,
                                               extents);

  if (!operation)
    return -1;
  operation->is_elsewhere = true;
  for (size_t i = 0; i < memory_count && memory; i++)
    operation->regions[i] = upcr_region_of (memory[i].base, memory[i].block_bytes,
                                            memory[i].length);
  return run_list (operation, memory_count);
}
