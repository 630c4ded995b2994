/* The objects in archives, including those that a thin archive refers to. */

#include "privatize/program/program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void
refuse_archive (const struct archive *archive)
{
  fail_file (archive->path, "%s", archive->error ? archive->error : "truncated");
}

/* What linkers take no notice of, as no symbol of theirs is in it: a text, an empty file,
   an object of a system that is not ELF's. */
static bool
is_opaque (const unsigned char *bytes, size_t size)
{
  return !is_bitcode (bytes, size) && (size < SELFMAG || memcmp (bytes, ELFMAG, SELFMAG) != 0);
}

/* IMAGE, the bytes of MEMBER, is the program's from here on. */
static void
add_image (struct program *program, struct input *input, const struct archive *archive,
           const struct archive_member *member, unsigned char *image, size_t size)
{
  const char *shown_name = archive_member_name (archive, member);
  const char *name = path_base (member->name);

  if (is_archive (image, size))
    fail_file (shown_name, "archive inside an archive; linkers ignore it");
  if (!is_opaque (image, size))
    {
      add_object (program, shown_name, image, size)->member = name;
      return;
    }
  input->opaque_members = grow_array (input->opaque_members, input->opaque_count + 1,
                                      &input->opaque_capacity, sizeof *input->opaque_members);
  input->opaque_members[input->opaque_count++] = (struct opaque_member){
    .name = name, .bytes = image, .size = size, .before = program->object_count - input->first
  };
}

static unsigned char *
copy_member (const struct archive_member *member)
{
  return memcpy (xmalloc (member->size), member->bytes, member->size);
}

/* A member of a thin archive that is a member of another archive, INNER. Such members follow
   each other, so that each archive is read once. */
static void
add_inner_member (struct program *program, struct input *input, const struct archive *outer,
                  const struct archive_member *member, struct archive *inner)
{
  struct archive_member found;

  if (!inner->path || strcmp (inner->path, member->file) != 0)
    {
      size_t size;
      unsigned char *bytes = read_file (member->file, &size);
      free ((char *) inner->bytes);
      if (is_archive (bytes, size))
        archive_open (inner, member->file, bytes, size);
      if (!is_archive (bytes, size) || inner->is_thin)
        fail_file (member->file, "not an ordinary archive, but %s refers to members of it",
                   outer->path);
    }
  inner->next = member->offset;
  if (inner->error || !archive_next (inner, &found))
    refuse_archive (inner);
  add_image (program, input, inner, &found, copy_member (&found), found.size);
}

void
add_members (struct program *program, struct input *input, const unsigned char *image, size_t size)
{
  struct archive archive, inner = { 0 };
  struct archive_member member;

  archive_open (&archive, input->path, image, size);
  while (archive_next (&archive, &member))
    if (member.offset)
      add_inner_member (program, input, &archive, &member, &inner);
    else if (member.file)
      {
        unsigned char *bytes = read_file (member.file, &member.size);
        add_image (program, input, &archive, &member, bytes, member.size);
      }
    else
      add_image (program, input, &archive, &member, copy_member (&member), member.size);
  if (archive.error)
    refuse_archive (&archive);
  free ((char *) inner.bytes);
}
