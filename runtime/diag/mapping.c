/* Reads /proc/self/maps line by line, in a signal handler: without stdio. */

#include "runtime/diag/mapping.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An address further away from a mapping has nothing to do with it. */
#define NEAR_BYTES (1ul << 20)

enum
{
  LINE_BYTES = 512,
  NAME_BYTES = 64
};

struct mapping
{
  uintptr_t begin, end;
  char permissions[4];   /* `r-x` */
  char name[NAME_BYTES]; /* of the file, without its folder; or empty */
};

/* Takes a line such as `401000-402000 r-xp 00001000 08:01 1234  /usr/bin/prog`. */
static struct mapping
read_mapping (const char *line)
{
  struct mapping mapping = { 0 };
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

static uintptr_t
distance (const struct mapping *mapping, uintptr_t address)
{
  if (address < mapping->begin)
    return mapping->begin - address;
  return address < mapping->end ? 0 : address - mapping->end + 1;
}

static bool
find_nearest (uintptr_t address, struct mapping *nearest)
{
  struct reader reader = { .file = open ("/proc/self/maps", O_RDONLY | O_CLOEXEC) };
  char line[LINE_BYTES];
  bool is_found = false;

  if (reader.file < 0)
    return false;
  while (read_line (&reader, line))
    {
      struct mapping mapping = read_mapping (line);

      if (distance (&mapping, address) >= NEAR_BYTES
          || (is_found && distance (&mapping, address) >= distance (nearest, address)))
        continue;
      *nearest = mapping;
      is_found = true;
    }
  close (reader.file);
  return is_found;
}

void
upcr_mapping_text (uintptr_t address, char *text, size_t bytes)
{
  struct mapping mapping;
  const char *from;

  *text = 0;
  if (!find_nearest (address, &mapping))
    return;
  from = *mapping.name ? " from " : "";
  if (distance (&mapping, address) == 0)
    snprintf (text, bytes, ", mapped %s%s%s", mapping.permissions, from, mapping.name);
  else if (address < mapping.begin)
    snprintf (text, bytes, ", %lu bytes before what is mapped%s%s", mapping.begin - address, from,
              mapping.name);
  else
    snprintf (text, bytes, ", %lu bytes past the end of what is mapped%s%s",
              address - mapping.end + 1, from, mapping.name);
}
