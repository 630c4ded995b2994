/* A switch of a tool: its line of --help, and its entry of a manual page. */

#include "tools/common/common.h"

#include <ctype.h>
#include <stdio.h>

void
print_switch_help (const char *name, const char *argument, const char *help)
{
  printf ("  %-26s %s\n", arena_format ("%s%s", name, argument), help);
}

/* In roff a hyphen is written \-, and a backslash \e. */
void
print_roff (const char *text)
{
  for (; *text; text++)
    if (*text == '-')
      fputs ("\\-", stdout);
    else if (*text == '\\')
      fputs ("\\e", stdout);
    else
      putchar (*text);
}

void
print_switch_roff (const char *name, const char *argument, const char *help, const char *manual)
{
  fputs (".TP\n\\fB", stdout);
  print_roff (name);
  fputs ("\\fR\\fI", stdout);
  print_roff (argument);
  fputs ("\\fR\n", stdout);
  putchar (toupper ((unsigned char) help[0]));
  print_roff (help + 1);
  puts (".");
  if (manual)
    {
      print_roff (manual);
      putchar ('\n');
    }
}
