/* -lNAME. An archive found in a folder the user gave with -L is part of the
   program, so its statics become private; a shared library is there once for the
   process, and so is whatever comes with the system. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library and the compiler's own libraries, wherever they lie. */
static const char *const system_names[] = {
  "c",      "m",        "pthread", "dl",     "rt",   "util", "resolv",   "crypt", "nsl",
  "anl",    "mvec",     "gcc",     "gcc_eh", "gcc_s", "atomic", "quadmath", "gomp",  "gfortran",
  "stdc++", "supc++",   "asan",    "tsan",   "ubsan", "lsan",
};

static const char *const system_folders[] = { "/lib", "/lib64", "/usr/lib", "/usr/lib64" };

static bool
is_system_name (const char *name)
{
  for (size_t i = 0; i < sizeof system_names / sizeof *system_names; i++)
    if (strcmp (name, system_names[i]) == 0)
      return true;
  return false;
}

static bool
is_system_folder (const char *folder)
{
  char *real = realpath (folder, NULL);
  bool found = false;

  for (size_t i = 0; real && i < sizeof system_folders / sizeof *system_folders; i++)
    {
      size_t length = strlen (system_folders[i]);

      if (strncmp (real, system_folders[i], length) == 0 && (!real[length] || real[length] == '/'))
        found = true;
    }
  free (real);
  return found;
}

static const char *
find_file (const char *folder, const char *name)
{
  const char *path = text_format ("%s/%s", folder, name);

  return access (path, F_OK) == 0 ? path : NULL;
}

/* A file that ends in .a may also be a script for the linker. */
static const char *
archive_or_null (const char *path)
{
  struct image image;

  if (!path || !text_ends (path, ".a"))
    return NULL;
  read_image (&image, path, path);
  return image.size == 0 || is_archive (&image) ? path : NULL;
}

const char *
find_private_archive (const struct options *options, const char *name, bool only_static)
{
  if (is_system_name (name))
    return NULL;
  for (size_t i = 0; i < options->folders.count; i++)
    {
      const char *folder = options->folders.item[i];
      const char *shared = NULL, *archive;

      if (name[0] == ':')
        archive = find_file (folder, name + 1);
      else
        {
          shared = only_static ? NULL : find_file (folder, text_format ("lib%s.so", name));
          archive = find_file (folder, text_format ("lib%s.a", name));
        }
      if (shared || (archive && is_system_folder (folder)))
        return NULL;
      if (archive)
        return archive_or_null (archive);
    }
  return NULL;
}
