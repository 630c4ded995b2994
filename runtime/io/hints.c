/* Hints: what a program says about its use of a file (7.8.3.1). */

#include "runtime/io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[] = { "access_style",    "collective_buffering",
                                    "cb_buffer_size",  "cb_nodes",
                                    "file_perm",       "io_node_list",
                                    "nb_proc",         "striping_factor",
                                    "start_io_device", "striping_unit" };

static bool
is_key (const char *key)
{
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp (key, keys[i]) == 0)
      return true;
  return false;
}

static bool
has_word (const char *list, const char *word)
{
  size_t length = strlen (word);

  for (; list; list = (list = strchr (list, ',')) ? list + 1 : NULL)
    {
      list += strspn (list, " ");
      if (strncmp (list, word, length) == 0 && strchr (", ", list[length]))
        return true;
    }
  return false;
}

static struct upcr_hint *
find_hint (const struct upcr_file *file, const char *key)
{
  for (size_t i = 0; i < file->hint_count; i++)
    if (strcmp (file->hints[i].key, key) == 0)
      return &file->hints[i];
  return NULL;
}

static const char *
value_of (const struct upcr_file *file, const char *key)
{
  const struct upcr_hint *hint = find_hint (file, key);

  return hint ? hint->value : NULL;
}

void
upcr_hints_advise (const struct upcr_file *file)
{
  const char *style = value_of (file, "access_style");
  int advice = has_word (style, "random")       ? POSIX_FADV_RANDOM
               : has_word (style, "sequential") ? POSIX_FADV_SEQUENTIAL
                                                : POSIX_FADV_NORMAL;

  if (style)
    posix_fadvise (file->descriptor, 0, 0, advice);
}

unsigned
upcr_hints_mode (const struct upcr_file *file)
{
  const char *digits = value_of (file, "file_perm");
  char *end;
  unsigned long mode;

  if (!digits)
    return 0666;
  mode = strtoul (digits, &end, 8);
  return end != digits && !*end && mode <= 07777 ? mode : 0666;
}

/* The hint of KEY, or a new one without a value; NULL: no memory. */
static struct upcr_hint *
hint_of (struct upcr_file *file, const char *key)
{
  struct upcr_hint *hints = find_hint (file, key);
  char *copy;

  if (hints)
    return hints;
  hints = realloc (file->hints, (file->hint_count + 1) * sizeof *hints);
  if (!hints)
    return NULL;
  file->hints = hints;
  copy = strdup (key);
  if (!copy)
    return NULL;
  hints[file->hint_count] = (struct upcr_hint){ copy, NULL };
  return &hints[file->hint_count++];
}

int
upcr_hint_set (struct upcr_file *file, const struct upcr_hint *hint)
{
  struct upcr_hint *own;
  char *value;

  if (!hint->key || !hint->value)
    return EINVAL;
  if (!is_key (hint->key))
    return 0;
  /* First: a hint that is new has no value yet. */
  value = strdup (hint->value);
  own = value ? hint_of (file, hint->key) : NULL;
  if (!own)
    {
      free (value);
      return ENOMEM;
    }
  free ((char *) own->value);
  own->value = value;
  return 0;
}

void
upcr_hints_free (struct upcr_file *file)
{
  for (size_t i = 0; i < file->hint_count; i++)
    {
      free ((char *) file->hints[i].key);
      free ((char *) file->hints[i].value);
    }
  free (file->hints);
}
