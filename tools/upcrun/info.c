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

struct text
{
  const char *bytes, *end;
};

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

static struct text
read_program (const char *program)
{
  int fd = open (program, O_RDONLY | O_CLOEXEC);
  const char *bytes;
  struct stat status;

  if (fd < 0 || fstat (fd, &status) < 0)
    fail ("%s: %s", program, strerror (errno));
  if (!S_ISREG (status.st_mode) || status.st_size == 0)
    fail ("%s: not a program", program);
  bytes = mmap (NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (bytes == MAP_FAILED)
    fail ("%s: %s", program, strerror (errno));
  close (fd);
  return (struct text){ bytes, bytes + status.st_size };
}

/* What is behind the first prefix from AT on; NULL: there is none. */
static const char *
next_note (const char *at, const char *end)
{
  at = memmem (at, end - at, PREFIX, strlen (PREFIX));
  return at ? at + strlen (PREFIX) : NULL;
}

void
print_info (const char *program)
{
  struct text text = read_program (program);

  for (const char *at = text.bytes; (at = next_note (at, text.end));)
    print_note (program, at, text.end - at);
}

const char *
find_in_notes (const char *program, const char *word)
{
  struct text text = read_program (program);

  for (const char *at = text.bytes; (at = next_note (at, text.end));)
    {
      const char *end = memchr (at, '\0', text.end - at);
      const char *found = end ? memmem (at, end - at, word, strlen (word)) : NULL;

      if (found)
        return arena_format ("%.*s", (int) strcspn (found + strlen (word), " $"),
                             found + strlen (word));
    }
  return NULL;
}
