/* Archives: ordinary and thin ones are read, ordinary ones are written. */

#include "privatize/privatize.h"
#include "privatize/set.h"

#include <ar.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct archive
{
  struct set *set;
  const char *path;
  const unsigned char *image;
  size_t size;
  bool is_thin;
  const char *names;     /* the member that holds names too long for a header */
  size_t names_size;
};

bool
is_archive (const unsigned char *image, size_t size)
{
  return size >= SARMAG && (!memcmp (image, ARMAG, SARMAG) || !memcmp (image, "!<thin>\n", SARMAG));
}

/* A decimal number in a field of blanks; SIZE_MAX when there is none. */
static size_t
read_field (const char *field, size_t length)
{
  size_t number = 0, i;

  for (i = 0; i < length && field[i] >= '0' && field[i] <= '9'; i++)
    number = number * 10 + (field[i] - '0');
  return i ? number : SIZE_MAX;
}

static char *
cut (const char *text, size_t length, const char *end)
{
  char *copy = allocate (length + 1, 1);

  for (size_t i = 0; i < length && text[i] && !strchr (end, text[i]); i++)
    copy[i] = text[i];
  return copy;
}

/* "name/", or "/123": the name at that place of the table, ended by "/\n". */
static char *
member_name (const struct archive *archive, const struct ar_hdr *header)
{
  size_t at, length;
  char *name;

  if (header->ar_name[0] != '/')
    return cut (header->ar_name, sizeof header->ar_name, "/");
  at = read_field (header->ar_name + 1, sizeof header->ar_name - 1);
  if (at >= archive->names_size)
    fail (archive->path, "a member without a name");
  name = cut (archive->names + at, archive->names_size - at, "\n");
  length = strlen (name);
  if (length && name[length - 1] == '/')
    name[length - 1] = 0;
  return name;
}

/* What messages call the member. */
static char *
shown_name (const struct archive *archive, const char *name)
{
  const char *slash = strrchr (name, '/');
  char *opened = join_text (archive->path, "("), *named = join_text (opened, slash ? slash + 1 : name);
  char *text = join_text (named, ")");

  free (opened);
  free (named);
  return text;
}

/* The file of a member of a thin archive, which is named from the archive's folder. */
static unsigned char *
read_thin (const struct archive *archive, const char *name, size_t *size)
{
  const char *slash = strrchr (archive->path, '/');
  char *folder = cut (archive->path, name[0] != '/' && slash ? slash + 1 - archive->path : 0, "");
  char *path = join_text (folder, name);

  free (folder);
  return read_file (path, size);
}

static void
add_member (struct archive *archive, const struct ar_hdr *header, const unsigned char *bytes,
            size_t size)
{
  char *name = member_name (archive, header);
  const char *slash = strrchr (name, '/');
  unsigned char *image;
  struct object *object;

  if (archive->is_thin)
    image = read_thin (archive, name, &size);
  else
    {
      image = allocate (size, 1);
      memcpy (image, bytes, size);
    }
  object = add_object (archive->set, shown_name (archive, name), image, size);
  object->member = copy_text (slash ? slash + 1 : name);
  free (name);
}

/* Takes the member at AT; returns where the next one begins. */
static size_t
visit_member (struct archive *archive, size_t at)
{
  const struct ar_hdr *header = (const struct ar_hdr *) (archive->image + at);
  size_t body = at + sizeof *header, size;
  bool is_special, is_inside;

  if (body > archive->size || memcmp (header->ar_fmag, ARFMAG, sizeof header->ar_fmag))
    fail (archive->path, "not a whole archive");
  size = read_field (header->ar_size, sizeof header->ar_size);
  /* "/" and "/SYM64/" are indices, "//" has the long names. */
  is_special = header->ar_name[0] == '/' && (header->ar_name[1] < '0' || header->ar_name[1] > '9');
  is_inside = is_special || !archive->is_thin;
  if (is_inside && size > archive->size - body)
    fail (archive->path, "not a whole archive");
  if (strncmp (header->ar_name, "// ", 3) == 0)
    {
      archive->names = (const char *) archive->image + body;
      archive->names_size = size;
    }
  if (!is_special)
    add_member (archive, header, archive->image + body, size);
  return is_inside ? body + size + size % 2 : body;
}

void
add_members (struct set *set, const char *path, const unsigned char *image, size_t size)
{
  struct archive archive = { .set = set, .path = path, .image = image, .size = size };

  archive.is_thin = memcmp (image, ARMAG, SARMAG) != 0;
  for (size_t at = SARMAG; at < size;)
    at = visit_member (&archive, at);
}

/* What is written: first the members, so that the index knows where they will be. */
struct output
{
  struct section index, names, members;   /* only their bytes */
  size_t *places;                         /* of the members, among each other */
};

static void
put_header (struct section *to, const char *name, uint32_t size)
{
  char text[sizeof (struct ar_hdr) + 1];

  snprintf (text, sizeof text, "%-16.16s%-12d%-6d%-6d%-8o%-10u%s", name, 0, 0, 0, 0644, size, ARFMAG);
  append_bytes (to, text, sizeof (struct ar_hdr));
}

static void
put_even (struct section *to)
{
  if (to->header.sh_size % 2)
    append_bytes (to, "\n", 1);
}

static void
put_member (struct output *output, struct object *object)
{
  char name[32];
  size_t size;
  unsigned char *image = object_image (object, &size);

  if (size > UINT32_MAX / 2 - output->members.header.sh_size)
    fail (object->path, "its archive would have more than 2 GiB");
  if (strlen (object->member) < 16)
    snprintf (name, sizeof name, "%s/", object->member);
  else
    {
      snprintf (name, sizeof name, "/%llu", (unsigned long long) output->names.header.sh_size);
      append_bytes (&output->names, object->member, strlen (object->member));
      append_bytes (&output->names, "/\n", 2);
    }
  put_header (&output->members, name, size);
  append_bytes (&output->members, image, size);
  put_even (&output->members);
  free (image);
}

static void
put_big_endian (struct section *to, uint32_t number)
{
  append_bytes (to, &(uint32_t) { __builtin_bswap32 (number) }, sizeof number);
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
        put_big_endian (&output->index, start + output->places[i]);
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
put_part (struct section *to, const char *name, const struct section *part)
{
  put_header (to, name, part->header.sh_size);
  append_bytes (to, part->data, part->header.sh_size);
}

bool
write_archive (const struct set *set, const struct input *input, int fd)
{
  struct section start = { 0 };
  bool is_written;
  struct object *objects = set->objects + input->first;
  struct output output = { .places = allocate (input->count, sizeof *output.places) };

  for (size_t i = 0; i < input->count; i++)
    {
      output.places[i] = output.members.header.sh_size;
      put_member (&output, &objects[i]);
    }
  put_even (&output.names);
  put_index (&output, objects, input->count);
  append_bytes (&start, ARMAG, SARMAG);
  put_part (&start, "/", &output.index);
  if (output.names.header.sh_size)
    put_part (&start, "//", &output.names);
  is_written = write_bytes (fd, &start) && write_bytes (fd, &output.members);
  free (start.data);
  free (output.places);
  free (output.index.data);
  free (output.names.data);
  free (output.members.data);
  return is_written;
}
