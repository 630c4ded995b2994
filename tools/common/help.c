/* A switch of a tool: its line of --help, and its entry of a manual page. */

#include "tools/common/common.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* One that is too long for its column has a line to itself. */
void
print_switch_help (const char *name, const char *argument, const char *help)
{
  const char *words = arena_format ("%s%s", name, argument);

  printf (strlen (words) <= 26 ? "  %-26s %s\n" : "  %s\n                             %s\n", words,
          help);
}

/* In roff a hyphen is written \-, and a backslash \e. */
void
print_roff (FILE *out, const char *text)
{
  for (; *text; text++)
    if (*text == '-')
      fputs ("\\-", out);
    else if (*text == '\\')
      fputs ("\\e", out);
    else
      fputc (*text, out);
}

void
print_switch_roff (const char *name, const char *argument, const char *help, const char *manual)
{
  fputs (".TP\n\\fB", stdout);
  print_roff (stdout, name);
  fputs ("\\fR\\fI", stdout);
  print_roff (stdout, argument);
  fputs ("\\fR\n", stdout);
  putchar (toupper ((unsigned char) help[0]));
  print_roff (stdout, help + 1);
  puts (".");
  if (manual)
    {
      print_roff (stdout, manual);
      putchar ('\n');
    }
}
