/* Writes an archive: its index, the table of long names, then the members. */

#include "privatize/program/program.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is written: first the members, so that the index knows where they will be. */
struct output
{
  struct section index, names, members; /* only their bytes */
  size_t *offsets;                      /* of the members, among each other */
};

static void
put_header (struct section *to, const char *name, uint32_t size)
{
  char text[sizeof (struct ar_hdr) + 1];

  snprintf (text, sizeof text, "%-16.16s%-12d%-6d%-6d%-8o%-10u%s", name, 0, 0, 0, 0644, size,
            ARFMAG);
  append_bytes (to, text, sizeof (struct ar_hdr));
}

static void
put_even (struct section *to)
{
  if (to->header.sh_size % 2)
    append_bytes (to, "\n", 1);
}

static void
put_member (struct output *output, const char *path, const char *member, const unsigned char *bytes,
            size_t size)
{
  char name[32];

  if (size > UINT32_MAX / 2 - output->members.header.sh_size)
    fail_file (path, "output archive is larger than 2 GiB");
  if (strlen (member) < 16)
    snprintf (name, sizeof name, "%s/", member);
  else
    {
      snprintf (name, sizeof name, "/%llu", (unsigned long long) output->names.header.sh_size);
      append_bytes (&output->names, member, strlen (member));
      append_bytes (&output->names, "/\n", 2);
    }
  put_header (&output->members, name, size);
  append_bytes (&output->members, bytes, size);
  put_even (&output->members);
}

/* All members in their order. */
static void
put_members (struct output *output, const struct input *input, struct object *objects)
{
  const struct opaque_member *next = input->opaque_members, *last = next + input->opaque_count;

  for (size_t i = 0;; i++)
    {
      unsigned char *image;
      size_t size;
      for (; next < last && next->before == i; next++)
        put_member (output, input->path, next->name, next->bytes, next->size);
      if (i == input->count)
        return;
      output->offsets[i] = output->members.header.sh_size;
      image = object_image (&objects[i], &size);
      put_member (output, objects[i].path, objects[i].member, image, size);
      free (image);
    }
}

static void
put_big_endian (struct section *to, uint32_t number)
{
  append_bytes (to, &(uint32_t){ __builtin_bswap32 (number) }, sizeof number);
}

static bool
is_listed (const struct symbol *symbol)
{
  return ELF64_ST_BIND (symbol->elf.st_info) != STB_LOCAL
         && (symbol->is_special || symbol->section != SHN_UNDEF);
}

/* The names that the members define: how many, each one's member, each one. */
static void
put_index (struct output *output, const struct object *objects, size_t count)
{
  struct section names = { 0 };
  size_t listed = 0, start;

  for (size_t i = 0; i < count; i++)
    for (size_t j = 1; j < objects[i].symbol_count; j++)
      if (is_listed (&objects[i].symbols[j]))
        {
          const char *name = symbol_name (&objects[i], &objects[i].symbols[j]);
          append_bytes (&names, name, strlen (name) + 1);
          listed++;
        }
  start = SARMAG + sizeof (struct ar_hdr) + sizeof (uint32_t) * (listed + 1) + names.header.sh_size;
  start += start % 2;
  if (output->names.header.sh_size)
    start += sizeof (struct ar_hdr) + output->names.header.sh_size;
  put_big_endian (&output->index, listed);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 1; j < objects[i].symbol_count; j++)
      if (is_listed (&objects[i].symbols[j]))
        put_big_endian (&output->index, start + output->offsets[i]);
  append_bytes (&output->index, names.data, names.header.sh_size);
  put_even (&output->index);
  free (names.data);
}

static bool
write_bytes (int fd, const struct section *bytes)
{
  uint64_t done = 0;

  while (done < bytes->header.sh_size)
    {
      ssize_t n = write (fd, bytes->data + done, bytes->header.sh_size - done);
      if (n < 0 && errno != EINTR)
        return false;
      done += n > 0 ? n : 0;
    }
  return true;
}

static void
put_section (struct section *to, const char *name, const struct section *section)
{
  put_header (to, name, section->header.sh_size);
  append_bytes (to, section->data, section->header.sh_size);
}

bool
write_archive (const struct program *program, const struct input *input, int fd)
{
  struct section start = { 0 };
  bool is_written;
  struct object *objects = program->objects + input->first;
  struct output output = { .offsets = xcalloc (input->count, sizeof *output.offsets) };

  put_members (&output, input, objects);
  put_even (&output.names);
  put_index (&output, objects, input->count);
  append_bytes (&start, ARMAG, SARMAG);
  put_section (&start, "/", &output.index);
  if (output.names.header.sh_size)
    put_section (&start, "//", &output.names);
  is_written = write_bytes (fd, &start) && write_bytes (fd, &output.members);
  free (start.data);
  free (output.offsets);
  free (output.index.data);
  free (output.names.data);
  free (output.members.data);
  return is_written;
}
