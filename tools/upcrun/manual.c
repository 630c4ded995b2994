/* The table of variables in the forms that help and the manual need. */

#include "tools/upcrun/upcrun.h"

#include "tools/common/common.h"

#include <string.h>

static void
print_roff_heading (FILE *out, const char *name, const char *between, const char *argument)
{
  fputs (".TP\n\\fB", out);
  print_roff (out, name);
  fprintf (out, "\\fR%s\\fI", between);
  print_roff (out, argument);
  fputs ("\\fR\n", out);
}

/* The phrase as a sentence: what, values, default; then the choices, then what more there is
   to say. */
static void
print_roff_body (FILE *out, const struct upcr_variable *variable)
{
  char expected[UPCR_VARIABLE_TEXT_BYTES];

  fputc (variable->help[0] & ~0x20, out);
  print_roff (out, variable->help + 1);
  if (variable->type == UPCR_NUMBER || variable->type == UPCR_BYTES)
    {
      upcr_variable_expected (variable, expected);
      fputs (": ", out);
      print_roff (out, expected);
    }
  fputs (".\n", out);
  if (variable->preset)
    {
      fputs ("The default is ", out);
      print_roff (out, variable->preset);
      fputs (".\n", out);
    }
  for (int i = 0; variable->choices[i].name; i++)
    {
      fprintf (out, "%s.IP \\fB", i == 0 ? ".RS\n" : "");
      print_roff (out, variable->choices[i].name);
      fputs ("\\fR 10\n", out);
      print_roff (out, variable->choices[i].help);
      fputc ('\n', out);
    }
  if (variable->choices[0].name)
    fputs (".RE\n", out);
  if (variable->man)
    {
      fputs (variable->choices[0].name ? ".IP\n" : "", out);
      print_roff (out, variable->man);
      fputc ('\n', out);
    }
}

static void
print_switches_of_program (FILE *out, const struct upcr_variable *variable, const char *argument)
{
  if (!variable->joined && !variable->separate)
    return;
  fputs ("As a switch of the program: ", out);
  if (variable->joined)
    {
      fputs ("\\fB", out);
      print_roff (out, variable->joined);
      fprintf (out, "\\fI%s\\fR%s", argument, variable->separate ? " or " : "");
    }
  if (variable->separate)
    {
      fputs ("\\fB", out);
      print_roff (out, variable->separate);
      fprintf (out, "\\fR \\fI%s\\fR", argument);
    }
  fputs (".\n", out);
}

static void
print_row (FILE *out, const struct upcr_variable *variable, const char *argument)
{
  char expected[UPCR_VARIABLE_TEXT_BYTES];

  upcr_variable_expected (variable, expected);
  fprintf (out, "| `%s` | ", variable->name);
  if (variable->joined)
    fprintf (out, "`%s%s`%s", variable->joined, argument, variable->separate ? ", " : "");
  if (variable->separate)
    fprintf (out, "`%s %s`", variable->separate, argument);
  fprintf (out, " | %s", variable->help);
  if (variable->type == UPCR_NUMBER || variable->type == UPCR_BYTES)
    fprintf (out, ": %s", expected);
  for (int i = 0; variable->choices[i].name; i++)
    fprintf (out, "%s `%s`: %s", i == 0 ? "." : ";", variable->choices[i].name,
             variable->choices[i].help);
  fprintf (out, " | %s |\n", variable->preset ? variable->preset : "");
}

static void
print_switch_row (FILE *out, enum format format, const struct switch_row *row)
{
  static const char *const arguments[]
      = { [NONE] = "", [OPTIONAL] = "", [NUMBER] = "N", [SIZE] = "SIZE", [TEXT] = "NAME" };
  const char *argument = arguments[row->argument];

  if (!row->help)
    return;
  if (format == HELP)
    {
      fprintf (out, "  %s%s%-*s %s\n", row->name, *argument ? " " : "",
               (int) (17 - strlen (row->name) - !!*argument), argument, row->help);
      return;
    }
  print_roff_heading (out, row->name, *argument ? " " : "", argument);
  fputc (row->help[0] & ~0x20, out);
  print_roff (out, row->help + 1);
  fputs (".\n", out);
}

void
print_switches (FILE *out, enum format format)
{
  char argument[UPCR_VARIABLE_TEXT_BYTES];

  for (const struct upcr_variable *v = upcr_variables; v < upcr_variables + upcr_variable_count;
       v++)
    {
      if (!v->upcrun)
        continue;
      upcr_variable_argument (v, argument);
      if (format == HELP)
        fprintf (out, "  %s %-*s %s (%s)\n", v->upcrun, (int) (16 - strlen (v->upcrun)), argument,
                 v->help, v->name);
      else
        {
          print_roff_heading (out, v->upcrun, " ", argument);
          print_roff_body (out, v);
        }
    }
  for (const struct switch_row *row = switch_rows; row < switch_rows + switch_row_count; row++)
    print_switch_row (out, format, row);
}

void
print_variables (FILE *out, enum format format)
{
  char argument[UPCR_VARIABLE_TEXT_BYTES];

  if (format == MARKDOWN)
    fputs ("| variable | switch of the program | meaning | default |\n|---|---|---|---|\n", out);
  for (const struct upcr_variable *v = upcr_variables; v < upcr_variables + upcr_variable_count;
       v++)
    {
      if (!v->help)
        continue;
      upcr_variable_argument (v, argument);
      if (format == MARKDOWN)
        print_row (out, v, argument);
      else
        {
          print_roff_heading (out, v->name, "=", argument);
          print_roff_body (out, v);
          print_switches_of_program (out, v, argument);
        }
    }
}
