/* A look at each member of an archive. */

#include "tools/upcc/upcc.h"

static void
check_member (const struct archive *archive, const struct archive_member *member,
              struct mains *mains)
{
  const char *shown = archive_member_name (archive, member);
  struct image image = { shown, (char *) member->bytes, member->size };

  if (member->file)
    read_image (&image, member->file, shown);
  check_object (&image, mains);
}

void
check_archive (const struct image *image, struct mains *mains)
{
  struct archive archive;
  struct archive_member member;

  archive_open (&archive, image->name, image->bytes, image->size);
  while (archive_next (&archive, &member))
    check_member (&archive, &member, mains);
  if (archive.error)
    fail ("%s: %s", image->name, archive.error);
}
