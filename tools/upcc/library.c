/* -lNAME. An archive is part of the program, wherever it is found, so its statics become
   private; a shared library is there once for the process, and so are the C library and
   what the compiler and the runtime bring. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The C library, the compiler's own libraries, and what libupc.a stands on, wherever they
   lie. */
static const char *const system_names[] = {
  "c",        "m",    "pthread",  "dl",     "rt",       "util",         "resolv", "crypt",
  "nsl",      "anl",  "mvec",     "gcc",    "gcc_eh",   "gcc_s",        "gcov",   "atomic",
  "quadmath", "gomp", "gfortran", "stdc++", "supc++",   "c++",          "c++abi", "unwind",
  "asan",     "tsan", "ubsan",    "lsan",   "jemalloc", "jemalloc_pic",
};

/* Where the compiler and the linker look behind the folders of -L, in that order. Those without a
   name are this machine's. */
static const char *const system_folders[] = {
  "/usr/lib/%s", "/lib/%s",  "/usr/%s/lib",       "/lib64",           "/usr/lib64",
  "/lib",        "/usr/lib", "/usr/local/lib/%s", "/usr/local/lib64", "/usr/local/lib",
};

#define COUNT(table) (sizeof (table) / sizeof *(table))

bool
is_system_library (const char *path)
{
  const char *base = path_base (path);

  for (size_t i = 0; i < COUNT (system_names); i++)
    if (strcmp (base, arena_format ("lib%s.a", system_names[i])) == 0
        || strcmp (base, arena_format ("lib%s.so", system_names[i])) == 0)
      return true;
  return false;
}

static const char *
find_file (const char *folder, const char *name)
{
  const char *path = arena_format ("%s/%s", folder, name);

  return access (path, F_OK) == 0 ? path : NULL;
}

/* PATH, if what is there is the user's and not a shared library. */
static const char *
private_or_null (const char *path)
{
  struct image image;

  if (is_system_library (path))
    return NULL;
  read_image (&image, path, path);
  return image.size == 0 || is_archive (image.bytes, image.size) || is_linker_script (&image)
                 || is_object (&image) || !is_shared_library (&image)
             ? path
             : NULL;
}

static struct words
search_folders (const struct options *options)
{
  const char *more = getenv ("LIBRARY_PATH");
  struct words folders = { 0 };

  words_add_all (&folders, &options->folders);
  if (more)
    words_add_split (&folders, more, ":");
  for (size_t i = 0; i < COUNT (system_folders); i++)
    if (strchr (system_folders[i], '%'))
      words_add (&folders, arena_format (system_folders[i], target_name ()));
    else if (!is_cross ())
      words_add (&folders, system_folders[i]);
  return folders;
}

/* As the linker finds it. */
static const char *
find_any_library (const struct options *options, const char *name, bool only_static)
{
  struct words folders = search_folders (options);

  for (size_t i = 0; i < folders.count; i++)
    {
      const char *folder = folders.item[i], *path = NULL;

      if (name[0] == ':')
        path = find_file (folder, name + 1);
      else if (!only_static)
        path = find_file (folder, arena_format ("lib%s.so", name));
      if (!path && name[0] != ':')
        path = find_file (folder, arena_format ("lib%s.a", name));
      if (path)
        return path;
    }
  return NULL;
}

const char *
find_library (const struct options *options, const char *name, bool only_static)
{
  const char *path = find_any_library (options, name, only_static);

  return path ? private_or_null (path) : NULL;
}

bool
has_library (const struct options *options, const char *name)
{
  return find_any_library (options, name, false) != NULL;
}

const char *
find_input (const struct options *options, const char *name, const char *folder)
{
  struct words folders = search_folders (options);
  const char *path = name[0] == '/' ? name : find_file (folder, name);

  if (!path)
    path = find_file (".", name);
  for (size_t i = 0; i < folders.count && !path; i++)
    path = find_file (folders.item[i], name);
  return path;
}
