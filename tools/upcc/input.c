/* What each input is. */

#include "tools/upcc/upcc.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

void
check_source (const struct item *source)
{
  struct stat status;

  if (strcmp (source->text, "-") == 0)
    return;
  if (stat (source->text, &status) < 0)
    fail ("%s: %s", source->text, strerror (errno));
  if (S_ISDIR (status.st_mode))
    fail ("%s: is a directory", source->text);
}

enum file_kind
classify_file (const struct image *image, struct mains *mains)
{
  if (is_archive (image->bytes, image->size))
    {
      check_archive (image, mains);
      return FILE_ARCHIVE;
    }
  if (image->size && is_linker_script (image))
    return FILE_SCRIPT;
  if (is_shared_library (image))
    return FILE_SHARED;
  check_object (image, mains);
  return FILE_OBJECT;
}
