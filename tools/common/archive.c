/* Reads archives. Nothing in them is trusted. */

#include "tools/common/common.h"

#include <ar.h>
#include <string.h>

#define THIN_MAGIC "!<thin>\n"
#define BSD_NAME "#1/"
#define BSD_INDEX "__.SYMDEF"

bool
is_archive (const void *bytes, size_t size)
{
  return size >= SARMAG
         && (memcmp (bytes, ARMAG, SARMAG) == 0 || memcmp (bytes, THIN_MAGIC, SARMAG) == 0);
}

/* A decimal number in a field of blanks; SIZE_MAX when there is none. */
static size_t
read_number (const char *field, size_t length)
{
  size_t number = 0, i;

  for (i = 0; i < length && field[i] >= '0' && field[i] <= '9'; i++)
    number = number * 10 + (field[i] - '0');
  return i ? number : SIZE_MAX;
}

/* TEXT up to a character of END, at most LENGTH. */
static char *
cut (const char *text, size_t length, const char *end)
{
  size_t count = 0;

  while (count < length && text[count] && !strchr (end, text[count]))
    count++;
  return arena_copy (text, count);
}

/* "/123": the name at that offset of the table, which "/\n" ends. In a thin archive
   "/123:456" is the member at offset 456 of the archive of that name. */
static bool
read_long_name (const struct archive *archive, const struct ar_hdr *header,
                struct archive_member *member)
{
  size_t at = read_number (header->ar_name + 1, sizeof header->ar_name - 1), length;
  const char *colon = memchr (header->ar_name, ':', sizeof header->ar_name);
  char *name;

  if (at >= archive->names_size)
    return false;
  name = cut (archive->names + at, archive->names_size - at, "\n");
  length = strlen (name);
  if (length && name[length - 1] == '/')
    name[length - 1] = 0;
  member->name = name;
  if (colon && archive->is_thin)
    member->offset = read_number (colon + 1, header->ar_name + sizeof header->ar_name - colon - 1);
  return true;
}

/* "#1/12": the name is the first 12 bytes of the member. */
static bool
read_bsd_name (const struct ar_hdr *header, struct archive_member *member)
{
  size_t skip = strlen (BSD_NAME);
  size_t length = read_number (header->ar_name + skip, sizeof header->ar_name - skip);

  if (length > member->size || !member->bytes)
    return false;
  member->name = cut (member->bytes, length, "");
  member->bytes += length;
  member->size -= length;
  return true;
}

/* "name/" of GNU, "name" and blanks of BSD. */
static void
read_short_name (const struct ar_hdr *header, struct archive_member *member)
{
  char *name = cut (header->ar_name, sizeof header->ar_name, "/");
  size_t length = strlen (name);

  while (length && name[length - 1] == ' ')
    name[--length] = 0;
  member->name = name;
}

static bool
read_name (const struct archive *archive, const struct ar_hdr *header,
           struct archive_member *member)
{
  if (header->ar_name[0] == '/')
    return read_long_name (archive, header, member);
  if (strncmp (header->ar_name, BSD_NAME, strlen (BSD_NAME)) == 0)
    return read_bsd_name (header, member);
  read_short_name (header, member);
  return true;
}

/* "/" and "/SYM64/" are indices, "//" has the long names. */
static bool
is_special (const struct ar_hdr *header)
{
  return header->ar_name[0] == '/' && (header->ar_name[1] < '0' || header->ar_name[1] > '9');
}

static const struct ar_hdr *
header_at (struct archive *archive, size_t at)
{
  const struct ar_hdr *header = (const struct ar_hdr *) (archive->bytes + at);

  if (at <= archive->size && archive->size - at >= sizeof *header
      && memcmp (header->ar_fmag, ARFMAG, sizeof header->ar_fmag) == 0)
    return header;
  archive->error = "truncated";
  return NULL;
}

/* Moves behind the member of HEADER, which is the next; returns its size, or SIZE_MAX. */
static size_t
pass_member (struct archive *archive, const struct ar_hdr *header)
{
  size_t size = read_number (header->ar_size, sizeof header->ar_size);

  archive->next += sizeof *header;
  if (!is_special (header) && archive->is_thin)
    return size;
  if (size > archive->size - archive->next)
    {
      archive->error = "truncated";
      return SIZE_MAX;
    }
  archive->next += size + size % 2;
  return size;
}

/* The members before the first that is somebody's. */
static void
read_special_members (struct archive *archive)
{
  while (archive->next < archive->size)
    {
      const struct ar_hdr *header = header_at (archive, archive->next);
      const char *body = archive->bytes + archive->next + sizeof *header;
      size_t size;

      if (!header || !is_special (header))
        return;
      size = pass_member (archive, header);
      if (archive->error)
        return;
      if (memcmp (header->ar_name, "// ", 3) == 0)
        {
          archive->names = body;
          archive->names_size = size;
        }
    }
}

void
archive_open (struct archive *archive, const char *path, const void *bytes, size_t size)
{
  *archive = (struct archive){ .path = path, .bytes = bytes, .size = size, .next = SARMAG };
  archive->is_thin = memcmp (bytes, THIN_MAGIC, SARMAG) == 0;
  read_special_members (archive);
}

/* Members of a thin archive are named from the archive's folder. */
static const char *
thin_file (const struct archive *archive, const char *name)
{
  const char *slash = strrchr (archive->path, '/');

  if (name[0] == '/' || !slash)
    return name;
  return arena_format ("%.*s%s", (int) (slash + 1 - archive->path), archive->path, name);
}

bool
archive_next (struct archive *archive, struct archive_member *member)
{
  const struct ar_hdr *header;

  do
    {
      /* A table of long names may also come later. */
      read_special_members (archive);
      if (archive->error || archive->next >= archive->size)
        return false;
      header = header_at (archive, archive->next);
      *member = (struct archive_member){ 0 };
      if (!archive->is_thin)
        member->bytes = archive->bytes + archive->next + sizeof *header;
      member->size = pass_member (archive, header);
      if (!archive->error && !read_name (archive, header, member))
        archive->error = "a member without a name";
      if (archive->error)
        return false;
    }
  while (!archive->is_thin && starts_with (member->name, BSD_INDEX));
  if (archive->is_thin)
    member->file = thin_file (archive, member->name);
  return true;
}

const char *
archive_member_name (const struct archive *archive, const struct archive_member *member)
{
  return arena_format ("%s(%s)", archive->path, path_base (member->name));
}
