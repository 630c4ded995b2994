/* Walks the members of an archive. libelf reads ordinary archives only, while
   build systems also make thin ones, whose members stay files of their own; the
   format is simple enough to read both kinds here. */

#include "tools/upcc/upcc.h"

#include <ar.h>
#include <stdlib.h>
#include <string.h>

struct archive
{
  const struct image *image;
  const char *path;
  bool is_thin;
  const char *names; /* the member that holds names too long for a header */
  size_t names_size;
};

static _Noreturn void
fail_archive (const struct archive *archive)
{
  fail ("%s: truncated", archive->image->name);
}

static const char *
trim (const char *field, size_t length, const char *end)
{
  size_t n = 0;

  while (n < length && !strchr (end, field[n]))
    n++;
  return text_format ("%.*s", (int) n, field);
}

/* "name/", or "/123": the name at that place of the table, ended by "/\n". */
static const char *
member_name (const struct archive *archive, const struct ar_hdr *header)
{
  const char *field = header->ar_name;
  size_t at;

  if (field[0] != '/')
    return trim (field, sizeof header->ar_name, "/ ");
  at = strtoul (trim (field + 1, sizeof header->ar_name - 1, " "), NULL, 10);
  if (!archive->names || at >= archive->names_size)
    fail_archive (archive);
  field = trim (archive->names + at, archive->names_size - at, "\n");
  return text_ends (field, "/") ? trim (field, strlen (field) - 1, "") : field;
}

static bool
is_special (const struct ar_hdr *header)
{
  return header->ar_name[0] == '/' && (header->ar_name[1] < '0' || header->ar_name[1] > '9');
}

static void
check_member (const struct archive *archive, const char *name, char *bytes, size_t size,
              struct mains *mains)
{
  struct image member = { NULL, bytes, size };
  const char *shown = text_format ("%s(%s)", archive->image->name, path_base (name));

  if (archive->is_thin)
    {
      const char *path = name[0] == '/' ? name : text_format ("%s/%s", path_folder (archive->path), name);

      read_image (&member, path, shown);
    }
  member.name = shown;
  check_object (&member, mains);
}

/* Handles the member at AT; returns where the next one begins. */
static size_t
visit_member (struct archive *archive, size_t at, struct mains *mains)
{
  const struct image *image = archive->image;
  const struct ar_hdr *header = (const struct ar_hdr *) (image->bytes + at);
  size_t body = at + sizeof *header, size;
  bool special;

  if (body > image->size || memcmp (header->ar_fmag, ARFMAG, 2) != 0)
    fail_archive (archive);
  size = strtoul (trim (header->ar_size, sizeof header->ar_size, " "), NULL, 10);
  special = is_special (header);
  if ((special || !archive->is_thin) && size > image->size - body)
    fail_archive (archive);
  if (strncmp (header->ar_name, "// ", 3) == 0)
    {
      archive->names = image->bytes + body;
      archive->names_size = size;
    }
  if (!special)
    check_member (archive, member_name (archive, header), image->bytes + body, size, mains);
  return special || !archive->is_thin ? body + size + size % 2 : body;
}

void
check_archive (const struct image *image, const char *path, struct mains *mains)
{
  struct archive archive = { .image = image, .path = path };
  size_t at = SARMAG;

  archive.is_thin = memcmp (image->bytes, "!<thin>\n", SARMAG) == 0;
  while (at < image->size)
    at = visit_member (&archive, at, mains);
}
