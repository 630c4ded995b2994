/* The linker's map, for users who ask for one: as it sees a program of one object, what private data
   there is and which objects it comes from is added. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* The value of NAME in the linker's word I, or in the next one; each has -Xlinker before it. */
static const char *
value_of (const struct words *link, size_t i, const char *name)
{
  const char *word = link->item[i];
  size_t length = strlen (name);

  if (strncmp (word, name, length) != 0)
    return NULL;
  if (word[length] == '=')
    return word + length + 1;
  return !word[length] && i + 2 < link->count ? link->item[i + 2] : NULL;
}

const char *
wanted_map (const struct words *link)
{
  const char *map = NULL;

  for (size_t i = 0; i < link->count; i++)
    for (unsigned dashes = 0; dashes < 2; dashes++)
      {
        const char *value = value_of (link, i, &"--Map"[dashes]);
        map = value ? value : map;
      }
  return map && strcmp (map, "-") != 0 ? map : NULL;
}

void
complete_map (const char *map, const char *private, const char *merged)
{
  FILE *file = fopen (map, "a");

  if (!file)
    fail ("cannot write %s: %m", map);
  fputs ("\nPrivate data of the program\n\n"
         "Each UPC thread has a copy. Its offsets are those in the sections of the object that\n"
         "the linker was given, .private.o above; .all.o is the same before upc-privatize.\n\n",
         file);
  append_file (file, private);
  fputs ("\nObjects and members of archives in it\n\n", file);
  append_file (file, merged);
  end_text (file, map);
}
