/* The positions of a file, and its length. */

#include "runtime/io/check.h"
#include "runtime/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* -1, and errno. */
static long
size_now (const struct upcr_file *file)
{
  struct stat status;

  return fstat (file->descriptor, &status) == 0 ? status.st_size : -1;
}

/* The size as thread 0 sees it, before any goes on and writes. */
static long
common_size (struct upcr_file *file, const char *what)
{
  return upcr_file_agree (what, MYTHREAD == 0 ? size_now (file) : 0);
}

/* What ORIGIN stands for; -1, and errno. */
static long
origin_of (struct upcr_file *file, int origin)
{
  const struct upcr_file_part *part = upcr_file_part (file);

  switch (origin)
    {
    case UPCR_SEEK_SET:
      return 0;
    case UPCR_SEEK_CUR:
      return part->position;
    case UPCR_SEEK_END:
      return part->flags & UPCR_COMMON_FP ? common_size (file, "upc_all_fseek") : size_now (file);
    default:
      errno = upcr_io_error (EINVAL, "upc_all_fseek",
                             "origin is none of UPC_SEEK_SET, UPC_SEEK_CUR, UPC_SEEK_END");
      return -1;
    }
}

long
upcr_file_seek (upcr_pts handle, long offset, int origin)
{
  struct upcr_file *file = upcr_file_at_rest (handle);
  long from, position;

  if (!file)
    return -1;
  if (upcr_file_part (file)->flags & UPCR_COMMON_FP)
    UPCR_IO_CHECK (file, "upc_all_fseek", { "offset", offset }, { "origin", origin });
  else
    UPCR_IO_CHECK (file, "upc_all_fseek");
  from = origin_of (file, origin);
  if (from < 0)
    return -1;
  if (__builtin_add_overflow (from, offset, &position) || position < 0)
    {
      errno = upcr_io_error (EINVAL, "upc_all_fseek",
                             "the position would be negative, or too large");
      return -1;
    }
  upcr_file_part (file)->position = position;
  return position;
}

long
upcr_file_size (upcr_pts handle)
{
  struct upcr_file *file = upcr_file_at_rest (handle);

  if (!file)
    return -1;
  UPCR_IO_CHECK (file, "upc_all_fget_size");
  return common_size (file, "upc_all_fget_size");
}

static int
truncate_file (struct upcr_file *file, const void *size)
{
  return ftruncate (file->descriptor, *(const long *) size) == 0 ? 0 : errno;
}

/* Of no bytes there is nothing to do, which the system would refuse. */
static int
allocate_file (struct upcr_file *file, const void *size)
{
  long bytes = *(const long *) size;

  return bytes == 0 ? 0 : posix_fallocate (file->descriptor, 0, bytes);
}

/* What a change of the size needs; 0 or -1 and errno. */
static int
change_size (upcr_pts handle, const char *what, upcr_change *change, long size)
{
  struct upcr_file *file = upcr_file_at_rest (handle);

  if (!file)
    return -1;
  UPCR_IO_CHECK (file, what, { "size", size });
  if (file->flags & UPCR_RDONLY || size < 0)
    {
      errno = size < 0 ? upcr_io_error (EINVAL, what, "size is negative")
                       : upcr_io_error (EBADF, what, "the file is open for reading alone");
      return -1;
    }
  return upcr_file_change (file, what, change, &size);
}

int
upcr_file_set_size (upcr_pts handle, long size)
{
  return change_size (handle, "upc_all_fset_size", truncate_file, size);
}

int
upcr_file_preallocate (upcr_pts handle, long size)
{
  return change_size (handle, "upc_all_fpreallocate", allocate_file, size);
}
