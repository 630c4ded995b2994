/* Reads whole files. */

#include "privatize/program/program.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* For one call: a hole behind data is seen after at most so many bytes. */
#define READ_BYTES ((size_t) 1 << 20)

/* Where data begins at AT or behind it: what is not there is a hole, and zero. The
   static shared data of a program can be gigabytes of it. */
static size_t
skip_hole (int fd, size_t at, size_t size)
{
  off_t data = lseek (fd, at, SEEK_DATA);

  if (data < 0)
    return errno == ENXIO ? size : at;
  return (size_t) data < size ? (size_t) data : size;
}

unsigned char *
read_file (const char *path, size_t *bytes)
{
  struct stat status;
  unsigned char *image;
  size_t size, done = 0;
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0 || fstat (fd, &status) < 0)
    fail_file (path, "%s", strerror (errno));
  if (!S_ISREG (status.st_mode))
    fail_file (path, "not a regular file");
  *bytes = size = status.st_size;
  image = xcalloc (size, 1);
  while ((done = skip_hole (fd, done, size)) < size)
    {
      ssize_t n = pread (fd, image + done, size - done < READ_BYTES ? size - done : READ_BYTES,
                         done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        fail_file (path, "%s", strerror (errno));
      if (n == 0)
        fail_file (path, "file changed while being read");
      done += n;
    }
  close (fd);
  return image;
}
