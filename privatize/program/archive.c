/* Reads archives: ordinary ones, with names as GNU or BSD has them, and thin ones. */

#include "privatize/files.h"
#include "privatize/program/program.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define BSD_NAME "#1/"

struct archive
{
  struct program *program;
  struct input *input;
  const char *path;
  const unsigned char *image;
  size_t size;
  bool is_thin;
  const char *names; /* the member that holds names too long for a header */
  size_t names_size;
  struct archive *inner; /* the last one that members of a thin archive were in */
};

/* A member: its name, where its bytes are, and of a thin archive's, where in an archive
   named like that it is, or 0. */
struct member
{
  char *name;
  const unsigned char *bytes;
  size_t size, offset;
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
  size_t count = 0;
  char *copy;

  while (count < length && text[count] && !strchr (end, text[count]))
    count++;
  copy = allocate (count + 1, 1);
  memcpy (copy, text, count);
  return copy;
}

/* "/123": the name at that place of the table, ended by "/\n". In a thin archive
   "/123:456" is the member at byte 456 of the archive of that name. */
static void
read_long_name (const struct archive *archive, const struct ar_hdr *header, struct member *member)
{
  size_t at = read_field (header->ar_name + 1, sizeof header->ar_name - 1), length;
  const char *colon = memchr (header->ar_name, ':', sizeof header->ar_name);

  if (at >= archive->names_size)
    fail (archive->path, "a member without a name");
  member->name = cut (archive->names + at, archive->names_size - at, "\n");
  length = strlen (member->name);
  if (length && member->name[length - 1] == '/')
    member->name[length - 1] = 0;
  if (colon && archive->is_thin)
    member->offset = read_field (colon + 1, header->ar_name + sizeof header->ar_name - colon - 1);
}

/* "#1/12": the name is the first 12 bytes. */
static void
read_bsd_name (const struct archive *archive, const struct ar_hdr *header, struct member *member)
{
  size_t skip = strlen (BSD_NAME);
  size_t length = read_field (header->ar_name + skip, sizeof header->ar_name - skip);

  if (length > member->size)
    fail (archive->path, "a member without a name");
  member->name = cut ((const char *) member->bytes, length, "");
  member->bytes += length;
  member->size -= length;
}

static void
read_name (const struct archive *archive, const struct ar_hdr *header, struct member *member)
{
  size_t length;

  if (header->ar_name[0] == '/')
    read_long_name (archive, header, member);
  else if (starts_with (header->ar_name, BSD_NAME))
    read_bsd_name (archive, header, member);
  else
    {
      member->name = cut (header->ar_name, sizeof header->ar_name, "/");
      for (length = strlen (member->name); length && member->name[length - 1] == ' ';)
        member->name[--length] = 0;
    }
}

/* What messages call the member. */
static char *
shown_name (const struct archive *archive, const char *name)
{
  const char *slash = strrchr (name, '/');
  char *opened = join_text (archive->path, "("),
       *named = join_text (opened, slash ? slash + 1 : name);
  char *text = join_text (named, ")");

  free (opened);
  free (named);
  return text;
}

/* The path of a member of a thin archive, which is named from the archive's folder. */
static char *
thin_path (const struct archive *archive, const char *name)
{
  const char *slash = strrchr (archive->path, '/');
  char *folder = cut (archive->path, name[0] != '/' && slash ? slash + 1 - archive->path : 0, "");
  char *path = join_text (folder, name);

  free (folder);
  return path;
}

/* What linkers take no notice of, as no symbol of theirs is in it: a text, an empty file,
   an object of a system that is not ELF's. */
static bool
is_opaque (const unsigned char *bytes, size_t size)
{
  return !is_archive (bytes, size) && !is_bitcode (bytes, size)
         && (size < SELFMAG || memcmp (bytes, ELFMAG, SELFMAG) != 0);
}

/* IMAGE is the set's from here on. */
static void
add_image (const struct archive *archive, const char *name, unsigned char *image, size_t size)
{
  const char *slash = strrchr (name, '/');
  char *own_name = copy_text (slash ? slash + 1 : name);
  struct input *input = archive->input;
  struct object *object;

  if (is_archive (image, size))
    fail (shown_name (archive, name), "an archive in an archive, which linkers do not look into");
  if (!is_opaque (image, size))
    {
      object = add_object (archive->program, shown_name (archive, name), image, size);
      object->member = own_name;
      return;
    }
  if (input->opaque_count == input->opaque_capacity)
    {
      input->opaque_capacity += input->opaque_capacity / 2 + 16;
      input->opaque_members = resize (input->opaque_members, input->opaque_capacity,
                                      sizeof *input->opaque_members);
    }
  input->opaque_members[input->opaque_count++]
      = (struct opaque_member){ .name = own_name,
                                .bytes = image,
                                .size = size,
                                .before = archive->program->object_count - input->first };
}

static void add_inner_member (struct archive *archive, const struct member *member);

static void
add_member (struct archive *archive, const struct ar_hdr *header, const unsigned char *bytes,
            size_t size)
{
  struct member member = { .bytes = bytes, .size = size };
  unsigned char *image;

  read_name (archive, header, &member);
  if (member.offset)
    add_inner_member (archive, &member);
  else if (archive->is_thin)
    {
      char *path = thin_path (archive, member.name);
      image = read_file (path, &size);
      free (path);
      add_image (archive, member.name, image, size);
    }
  else if (!starts_with (member.name, "__.SYMDEF"))
    {
      image = allocate (member.size, 1);
      memcpy (image, member.bytes, member.size);
      add_image (archive, member.name, image, member.size);
    }
  free (member.name);
}

/* "/" and "/SYM64/" are indices, "//" has the long names. */
static bool
is_special (const struct ar_hdr *header)
{
  return header->ar_name[0] == '/' && (header->ar_name[1] < '0' || header->ar_name[1] > '9');
}

static const struct ar_hdr *
header_at (const struct archive *archive, size_t at)
{
  const struct ar_hdr *header = (const struct ar_hdr *) (archive->image + at);

  if (at > archive->size || archive->size - at < sizeof *header
      || memcmp (header->ar_fmag, ARFMAG, sizeof header->ar_fmag) != 0)
    fail (archive->path, "not a whole archive");
  return header;
}

/* Takes the member at AT; returns where the next one begins. */
static size_t
visit_member (struct archive *archive, size_t at)
{
  const struct ar_hdr *header = header_at (archive, at);
  size_t body = at + sizeof *header, size = read_field (header->ar_size, sizeof header->ar_size);
  bool is_inside = is_special (header) || !archive->is_thin;

  if (is_inside && size > archive->size - body)
    fail (archive->path, "not a whole archive");
  if (strncmp (header->ar_name, "// ", 3) == 0)
    {
      archive->names = (const char *) archive->image + body;
      archive->names_size = size;
    }
  if (!is_special (header))
    add_member (archive, header, archive->image + body, size);
  return is_inside ? body + size + size % 2 : body;
}

static void
close_archive (struct archive *archive)
{
  if (!archive)
    return;
  free ((unsigned char *) archive->image);
  free ((char *) archive->path);
  free (archive);
}

/* The archive at PATH, which is this one's from here on, ready for any of its members. */
static struct archive *
open_inner (const struct archive *outer, char *path)
{
  struct archive *inner = allocate (1, sizeof *inner);
  size_t at = SARMAG;

  inner->program = outer->program;
  inner->input = outer->input;
  inner->path = path;
  inner->image = read_file (path, &inner->size);
  if (inner->size < SARMAG || memcmp (inner->image, ARMAG, SARMAG) != 0)
    fail (path, "no ordinary archive, but %s refers to members of it", outer->path);
  while (at < inner->size && is_special (header_at (inner, at)))
    at = visit_member (inner, at);
  return inner;
}

/* Members of one archive copy_to_tail each other, so that each archive is read once. */
static void
add_inner_member (struct archive *archive, const struct member *member)
{
  char *path = thin_path (archive, member->name);

  if (archive->inner && strcmp (archive->inner->path, path) == 0)
    free (path);
  else
    {
      close_archive (archive->inner);
      archive->inner = open_inner (archive, path);
    }
  visit_member (archive->inner, member->offset);
}

void
add_members (struct program *program, struct input *input, const unsigned char *image, size_t size)
{
  struct archive archive
      = { .program = program, .input = input, .path = input->path, .image = image, .size = size };

  archive.is_thin = memcmp (image, ARMAG, SARMAG) != 0;
  for (size_t at = SARMAG; at < size;)
    at = visit_member (&archive, at);
  close_archive (archive.inner);
}
