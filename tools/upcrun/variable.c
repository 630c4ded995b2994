/* The variables that switches set in the program's environment. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_set[64];

const struct upcr_variable *
find_variable (const char *name)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (strcmp (name, upcr_variables[i].name) == 0)
      return &upcr_variables[i];
  return NULL;
}

void
set_variable (const struct upcr_variable *variable, const char *source, const char *value)
{
  char expected[UPCR_VARIABLE_TEXT_BYTES];
  size_t unused;

  if (!upcr_variable_parse (variable, value, &unused))
    {
      upcr_variable_expected (variable, expected);
      fail_usage ("invalid value '%s' for %s; expected %s", value, source, expected);
    }
  /* Variables for the same option are taken out of the environment. */
  for (int i = 0; i < upcr_variable_count; i++)
    if (upcr_variables[i].type == variable->type && upcr_variables[i].field == variable->field
        && variable->type != UPCR_TEXT)
      unsetenv (upcr_variables[i].name);
  if (setenv (variable->name, value, 1) != 0)
    fail ("%s: %s", variable->name, strerror (errno));
  is_set[variable - upcr_variables] = true;
}

void
unset_variable (const struct upcr_variable *variable)
{
  unsetenv (variable->name);
  is_set[variable - upcr_variables] = false;
}

void
print_settings (FILE *out)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (is_set[i])
      {
        fprintf (out, "%s=", upcr_variables[i].name);
        print_shell_word (out, getenv (upcr_variables[i].name));
        fputc (' ', out);
      }
}
