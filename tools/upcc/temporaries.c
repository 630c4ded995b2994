/* Intermediate files lie in a folder of this process and go away with it. The
   result is written under another name beside its place and renamed at the end,
   so a link that fails leaves what was there before. */

#include "tools/upcc/upcc.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *folder;
static bool keep;
static const char *kept_folder;    /* with a slash behind it, or empty */
static const char *output;         /* where the result shall be */
static const char *pending_output; /* where it is being written */
static int serial;
static struct words taken; /* names that -save-temps may not use */

void
remove_temporaries (void)
{
  DIR *dir;
  struct dirent *entry;

  if (pending_output)
    unlink (pending_output);
  pending_output = NULL;
  if (!folder || keep)
    return;
  dir = opendir (folder);
  while (dir && (entry = readdir (dir)))
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      unlinkat (dirfd (dir), entry->d_name, 0);
  if (dir)
    closedir (dir);
  rmdir (folder);
  folder = NULL;
}

void
begin_temporaries (const struct options *options)
{
  const char *parent = getenv ("TMPDIR");

  atexit (remove_temporaries);
  keep = options->save_temps;
  if (keep)
    {
      for (size_t i = 0; i < options->item_count; i++)
        words_add (&taken, options->items[i].text);
      kept_folder = options->saves_beside && options->output && strchr (options->output, '/')
                        ? arena_format ("%s/", path_folder (options->output))
                        : "";
      return;
    }
  /* As other compilers do. */
  if (!parent || !*parent || access (parent, R_OK | W_OK | X_OK) != 0)
    parent = "/tmp";
  folder = arena_format ("%s/upcc-XXXXXX", parent);
  if (!mkdtemp (folder))
    {
      folder = NULL;
      fail ("cannot create a temporary directory in %s: %s", parent, strerror (errno));
    }
}

/* What is kept has the plain name, unless an input or another file has it. */
static const char *
kept_name (const char *stem, const char *suffix)
{
  const char *name = arena_format ("%s%s%s", kept_folder, stem, suffix);

  for (int n = 1; words_have (&taken, name); n++)
    name = arena_format ("%s%s.%d%s", kept_folder, stem, n, suffix);
  words_add (&taken, name);
  return name;
}

/* STEM is for people who look at -v or at what -save-temps keeps. */
const char *
temporary (const char *stem, const char *suffix)
{
  if (keep)
    return kept_name (stem, suffix);
  return arena_format ("%s/upcc-%d-%s%s", folder, serial++, stem, suffix);
}

/* Returns the path to write to. A device such as /dev/null is written directly. */
const char *
begin_output (const char *path)
{
  struct stat status;
  char *name;
  int fd;

  if (stat (path, &status) == 0)
    {
      if (S_ISDIR (status.st_mode))
        fail ("%s: is a directory", path);
      if (!S_ISREG (status.st_mode))
        return path;
    }
  name = arena_format ("%s/.upcc-XXXXXX", path_folder (path));
  fd = mkstemp (name);
  if (fd < 0)
    fail ("cannot write %s: %s", path, strerror (errno));
  /* The linker shall make the file itself, with the usual permissions. */
  close (fd);
  unlink (name);
  output = path;
  pending_output = name;
  return name;
}

void
finish_output (void)
{
  if (pending_output && rename (pending_output, output) != 0)
    fail ("cannot write %s: %s", output, strerror (errno));
  pending_output = NULL;
}
