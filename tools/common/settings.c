/* ~/.upccrc and ~/.upcrunrc: lines `key = value`. A backslash at its end continues a line; # begins a
   comment. */

#include "tools/common/common.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
trimmed (const char *text, size_t length)
{
  while (length && strchr (" \t\r\n", text[length - 1]))
    length--;
  while (length && strchr (" \t", *text))
    text++, length--;
  return arena_copy (text, length);
}

/* The next line with those that continue it; NULL at the end. */
static const char *
read_line (FILE *file, int *line)
{
  const char *whole = NULL;
  char part[4096];
  bool goes_on = true;

  while (goes_on && fgets (part, sizeof part, file))
    {
      size_t length = strcspn (part, "\r\n");
      bool is_end = part[length];

      *line += is_end;
      goes_on = !is_end || (length && part[length - 1] == '\\');
      length -= is_end && goes_on;
      whole = arena_format ("%s%.*s", whole ? whole : "", (int) length, part);
    }
  return whole;
}

static bool
is_comment (const char *text)
{
  text += strspn (text, " \t");
  return !*text || *text == '#';
}

static const char *
key_of (const char *path, int line, const char *text)
{
  if (!strchr (text, '='))
    fail ("%s:%d: expected 'key = value'", path, line);
  return trimmed (text, strcspn (text, "="));
}

static const char *
value_in (const char *text)
{
  const char *value = strchr (text, '=') + 1;

  return trimmed (value, strlen (value));
}

static void
each_setting (const char *path, FILE *file, setting_act *act, void *data)
{
  const char *text;
  int line = 0;

  for (int first = 1; (text = read_line (file, &line)); first = line + 1)
    if (!is_comment (text))
      act (&(struct setting){ key_of (path, first, text), value_in (text), path, first }, data);
}

void
each_setting_of_user (const char *name, const char *chosen, setting_act *act, void *data)
{
  const char *home = getenv ("HOME");
  const char *path = chosen ? chosen : arena_format ("%s/%s", home ? home : "", name);
  FILE *file;

  if (!chosen && !(home && *home))
    return;
  file = fopen (path, "re");
  if (!file && (chosen || errno != ENOENT))
    fail ("%s: %s", path, strerror (errno));
  if (!file)
    return;
  each_setting (path, file, act, data);
  fclose (file);
}

bool
setting_is_true (const struct setting *setting)
{
  static const char *const words[] = { "no", "n", "0", "yes", "y", "1" };

  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcasecmp (setting->value, words[i]) == 0)
      return i >= 3;
  fail ("%s:%d: invalid value '%s' for %s; expected yes or no", setting->file, setting->line,
        setting->value, setting->key);
}
