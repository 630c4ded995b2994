/* The bytes of a file. */

#include "tools/upcc/upcc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void
read_image (struct image *image, const char *path, const char *name)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    fail ("%s: %s", name, strerror (errno));
  if (S_ISDIR (status.st_mode))
    fail ("%s: is a directory", name);
  if (!S_ISREG (status.st_mode))
    fail ("%s: not a regular file", name);
  image->name = name;
  image->size = status.st_size;
  image->bytes = NULL;
  if (image->size)
    {
      /* Private and writable as libelf asks; nothing is written. */
      image->bytes = mmap (NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
      if (image->bytes == MAP_FAILED)
        fail ("%s: %s", name, strerror (errno));
    }
  close (fd);
}
