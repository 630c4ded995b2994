#include "tools/trace/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *
create_file (const char *folder, const char *name)
{
  char *path = arena_format ("%s/%s", folder, name);
  FILE *file = fopen (path, "wx");

  if (!file)
    fail_file (path, "cannot write: %s", strerror (errno));
  return file;
}

void
close_file (FILE *file, const char *folder, const char *name)
{
  bool failed = ferror (file);

  if (fclose (file) != 0 || failed)
    fail_file (folder, "cannot write %s: %s", name, strerror (errno ? errno : ENOSPC));
}
