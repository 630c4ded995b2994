/* Names of source files. Debug information has paths, relative to the folder in which the
   compiler ran. What programs know about themselves, such as where a shared object is declared,
   has the names that the compiler was given; section upc_pgm_info (runtime/start/pgminfo.c) has
   those of all UPC sources. A message uses the same name for both. */

#include "runtime/diag/source_name.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

extern const char __start_upc_pgm_info[] __attribute__ ((weak));
extern const char __stop_upc_pgm_info[] __attribute__ ((weak));

struct name
{
  const char *text;
  size_t bytes;
};

/* The name in the string INFO, `$GCCUPCConfig: (NAME) …`; of 0 bytes if it has none. */
static struct name
name_in (const char *info)
{
  static const char before[] = "$GCCUPCConfig: (";
  struct name name = { info + sizeof before - 1, 0 };
  const char *end;

  if (strncmp (info, before, sizeof before - 1) == 0 && (end = strchr (name.text, ')')))
    name.bytes = end - name.text;
  return name;
}

static bool
ends_in (const char *file, struct name name)
{
  size_t bytes = strlen (file);

  if (name.bytes == bytes)
    return memcmp (file, name.text, bytes) == 0;
  return name.bytes && bytes > name.bytes && file[bytes - name.bytes - 1] == '/'
         && memcmp (file + bytes - name.bytes, name.text, name.bytes) == 0;
}

/* The longest name of a UPC source that FILE ends in. */
static struct name
given_name (const char *file)
{
  struct name longest = { 0 };

  for (const char *info = __start_upc_pgm_info; info < __stop_upc_pgm_info;
       info += strnlen (info, __stop_upc_pgm_info - info) + 1)
    {
      struct name name = name_in (info);

      if (name.bytes > longest.bytes && ends_in (file, name))
        longest = name;
    }
  return longest;
}

/* The folder of the program's main, with a slash behind. */
static char folder[PATH_MAX];

void
upcr_learn_folder (const char *file)
{
  struct name name = given_name (file);
  size_t bytes = strlen (file) - name.bytes;

  if (name.bytes && bytes < sizeof folder)
    {
      memcpy (folder, file, bytes);
      folder[bytes] = '\0';
    }
}

const char *
upcr_given_file (const char *file)
{
  struct name name = given_name (file);
  size_t bytes = strlen (folder);

  if (name.bytes)
    return file + strlen (file) - name.bytes;
  return strncmp (file, folder, bytes) == 0 ? file + bytes : file;
}
