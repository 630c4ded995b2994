/* What is mapped, and where there is room for more. In signal handlers /proc/self/maps is read line by
   line, without stdio. */

#include "runtime/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum
{
  LINE_BYTES = 512
};

/* Takes a line such as `401000-402000 r-xp 00001000 08:01 1234  /usr/bin/prog`. */
static struct upcr_mapping
read_mapping (const char *line)
{
  struct upcr_mapping mapping = { 0 };
  char *at;
  const char *name;

  mapping.begin = strtoul (line, &at, 16);
  mapping.end = strtoul (at + (*at == '-'), &at, 16);
  if (strlen (at) > 4)
    memcpy (mapping.permissions, at + 1, 3);
  name = strchr (at, '/') ? strrchr (at, '/') + 1 : strchr (at, '[');
  snprintf (mapping.name, sizeof mapping.name, "%s", name ? name : "");
  return mapping;
}

/* A file that is read piece by piece. */
struct reader
{
  int file;
  ssize_t at, bytes;
  char buffer[4096];
};

/* The next character, or -1 at the end. */
static int
read_character (struct reader *reader)
{
  if (reader->at == reader->bytes)
    {
      reader->at = 0;
      reader->bytes = read (reader->file, reader->buffer, sizeof reader->buffer);
    }
  return reader->bytes > 0 ? (unsigned char) reader->buffer[reader->at++] : -1;
}

/* The next line, without its end; what is too long is cut. */
static bool
read_line (struct reader *reader, char *line)
{
  size_t used = 0;
  int c;

  while ((c = read_character (reader)) >= 0 && c != '\n')
    if (used < LINE_BYTES - 1)
      line[used++] = c;
  line[used] = 0;
  return used > 0;
}

void
upcr_each_mapping (bool (*visit) (const struct upcr_mapping *mapping, void *data), void *data)
{
  struct reader reader = { .file = open ("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
  char line[LINE_BYTES];
  bool goes_on = true;

  if (reader.file < 0)
    return;
  while (goes_on && read_line (&reader, line))
    {
      struct upcr_mapping mapping = read_mapping (line);
      goes_on = visit (&mapping, data);
    }
  close (reader.file);
}

bool
upcr_reserve_at (char *wanted, size_t bytes)
{
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  char *got = mmap (wanted, bytes, PROT_NONE, flags, -1, 0);

  if (got == wanted)
    return true;
  /* Kernels before 4.17 take the address for a hint. */
  if (got != MAP_FAILED)
    {
      munmap (got, bytes);
      errno = EEXIST;
    }
  return false;
}
