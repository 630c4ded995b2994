/* What UPC compilers noted in the program: strings "$GCCUPCConfig: (FILE) WORD WORD…$". */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "$GCCUPCConfig: ("

/* Prints the note at TEXT, of which LENGTH bytes may be looked at: FILE: WORD WORD…. The
   runtime has the prefix, too, with nothing behind it. */
static void
print_note (const char *program, const char *text, size_t length)
{
  const char *end = memchr (text, '\0', length), *file_end;

  if (!end || end == text || end[-1] != '$' || !(file_end = memchr (text, ')', end - text)))
    return;
  printf ("%s: %.*s:%.*s\n", program, (int) (file_end - text), text,
          (int) (end - 1 - (file_end + 1)), file_end + 1);
}

void
print_info (const char *program)
{
  int fd = open (program, O_RDONLY | O_CLOEXEC);
  const char *bytes, *at, *end;
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    fail ("%s: %s", program, strerror (errno));
  if (!S_ISREG (status.st_mode) || status.st_size == 0)
    fail ("%s: not a program", program);
  bytes = mmap (NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED)
    fail ("%s: %s", program, strerror (errno));
  end = bytes + status.st_size;
  for (at = bytes; (at = memmem (at, end - at, PREFIX, strlen (PREFIX)));)
    {
      at += strlen (PREFIX);
      print_note (program, at, end - at);
    }
}
