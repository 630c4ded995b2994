/* The table of variables and the syntax of their values. */

#include "runtime/host/variables.h"

#include "runtime/host/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FIELD(name) .field = offsetof (struct upcr_options, name), .bytes = sizeof upcr_options.name
#define NUMBER(name, from, to) .type = UPCR_NUMBER, FIELD (name), .least = from, .most = to
#define BYTES(name, from, to) .type = UPCR_BYTES, FIELD (name), .least = from, .most = to
#define CHOICE(name) .type = UPCR_CHOICE, FIELD (name)
#define YES(name) .type = UPCR_YES, FIELD (name)
#define VARIABLE(...) { __VA_ARGS__ },

/* Here, as errors look at them and reading them may be an error. */
struct upcr_options upcr_options;

const struct upcr_variable upcr_variables[] = {
#include "runtime/host/variables.def"
};
const int upcr_variable_count = sizeof upcr_variables / sizeof *upcr_variables;

/* The names of the choices with `between` between them and, before the last, `last`. */
static void
join_choices (const struct upcr_variable *variable, const char *between, const char *last,
              char *text)
{
  const char *separator = "";
  size_t n = 0;

  for (int i = 0; variable->choices[i].name; i++)
    {
      n += snprintf (text + n, UPCR_VARIABLE_TEXT_BYTES - n, "%s%s", separator,
                     variable->choices[i].name);
      separator = variable->choices[i + 1].name && variable->choices[i + 2].name ? between : last;
    }
}

static void
print_bytes (size_t bytes, char *text, size_t text_bytes)
{
  static const char units[] = " KMG";
  int unit = 0;

  for (; unit < 3 && bytes % 1024 == 0; bytes /= 1024)
    unit++;
  snprintf (text, text_bytes, "%zu%.*s", bytes, unit > 0, units + unit);
}

void
upcr_variable_expected (const struct upcr_variable *variable, char *text)
{
  char least[24], most[24];

  switch (variable->type)
    {
    case UPCR_NUMBER:
      snprintf (text, UPCR_VARIABLE_TEXT_BYTES, "a number from %zu to %zu", variable->least,
                variable->most);
      break;
    case UPCR_BYTES:
      print_bytes (variable->least, least, sizeof least);
      print_bytes (variable->most, most, sizeof most);
      if (variable->most == SIZE_MAX)
        strcpy (text, "a size such as 512K, 64M or 1.5G");
      else
        snprintf (text, UPCR_VARIABLE_TEXT_BYTES, "a size from %s to %s", least, most);
      break;
    case UPCR_CHOICE:
      join_choices (variable, ", ", " or ", text);
      break;
    case UPCR_YES:
      strcpy (text, "yes or no");
      break;
    case UPCR_TEXT:
      strcpy (text, "any text");
      break;
    }
}

void
upcr_variable_argument (const struct upcr_variable *variable, char *text)
{
  if (variable->argument)
    strcpy (text, variable->argument);
  else if (variable->type == UPCR_YES)
    strcpy (text, "yes|no");
  else
    join_choices (variable, "|", "|", text);
}

static bool
parse_number (const struct upcr_variable *variable, const char *text, size_t *value)
{
  bool is_size = variable->type == UPCR_BYTES;

  if (!is_size && (!*text || text[strspn (text, "0123456789")]))
    return false;
  return upcr_parse_size (text, 'B', value) && *value >= variable->least
         && *value <= variable->most;
}

static bool
parse_yes (const char *text, size_t *value)
{
  static const char *const names[] = { "no", "yes", "n", "y", "0", "1" };

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcasecmp (text, names[i]) == 0)
      {
        *value = i % 2;
        return true;
      }
  return false;
}

bool
upcr_variable_parse (const struct upcr_variable *variable, const char *text, size_t *value)
{
  if (variable->type == UPCR_TEXT)
    return true;
  if (variable->type == UPCR_YES)
    return parse_yes (text, value);
  if (variable->type != UPCR_CHOICE)
    return parse_number (variable, text, value);
  for (*value = 0; variable->choices[*value].name; ++*value)
    if (strcmp (text, variable->choices[*value].name) == 0)
      return true;
  return false;
}
