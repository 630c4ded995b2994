/* The command line: declarations are read by the compiler's own front end, so that every type means what it means
   there. */

#include "tools/layout/layout.h"
#include "tools/upc2c/parse/parse.h"
#include "tools/version.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char program_name[] = "upc-layout";

static const char usage[]
    = "usage: upc-layout [switches] DECLARATION...\n"
      "Draws which thread has which element of shared objects, given their declarations, such as\n"
      "'shared [3] int a[12 * THREADS]'. An array of arrays is drawn row by row, with the thread of\n"
      "each element.\n"
      "\n"
      "  -n N              THREADS; 4 if not given\n"
      "  -o FILE           write to FILE, a picture if it ends in .svg\n"
      "  --svg             write a picture\n"
      "  --help            print this list\n"
      "  --version         print the version\n";

struct arguments
{
  const char *output;
  bool svg;
  const char *text; /* all declarations, a line each */
};

static uint32_t
read_threads (const char *text)
{
  char *end;
  unsigned long number = strtoul (text, &end, 10);

  if (*text < '0' || *text > '9' || *end || number < 1 || number > 65536)
    fail_usage ("-n %s: expected a number from 1 to 65536", text);
  return (uint32_t) number;
}

static const char *
value_of (char ***argv)
{
  const char *name = **argv;

  if (!*++*argv)
    fail_usage ("%s without a value", name);
  return **argv;
}

/* Those that end the run. */
static void
answer (const char *word)
{
  if (strcmp (word, "--help") == 0)
    fputs (usage, stdout);
  else if (strcmp (word, "--version") == 0)
    puts ("upc-layout (UPCT) " UPCT_VERSION);
  else
    fail_usage ("unknown switch '%s'; try --help", word);
  exit (fflush (stdout) != 0);
}

static struct arguments
read_arguments (char **argv)
{
  struct arguments given = { .text = "" };

  switches.threads = 4;
  switches.input = "declaration";
  while (*++argv)
    if (strcmp (*argv, "-n") == 0)
      switches.threads = read_threads (value_of (&argv));
    else if (strcmp (*argv, "-o") == 0)
      given.output = value_of (&argv);
    else if (strcmp (*argv, "--svg") == 0)
      given.svg = true;
    else if (**argv == '-')
      answer (*argv);
    else
      given.text = arena_format ("%s%s%s\n", given.text, *argv, ends_with (*argv, ";") ? "" : ";");
  if (!*given.text)
    fail_usage ("no declaration; try --help");
  given.svg |= given.output && ends_with (given.output, ".svg");
  return given;
}

static struct layout
layout_of (const struct decl *object)
{
  const struct type *element = ultimate_type (object->type), *type = object->type;
  struct size count = ultimate_count (object->type), bytes = type_size (element);
  struct layout layout = { .declaration = declared_text (object->type, object->name->text),
                           .threads = switches.threads,
                           .count = count.value,
                           .bytes = bytes.value,
                           .block = block_of (object->type) };

  if (!type_is_shared (object->type))
    fail ("'%s': not a shared object", layout.declaration);
  if (!count.is_known || !bytes.is_known || count.value == 0)
    fail ("'%s': its size is not known", layout.declaration);
  if (type->kind == TYPE_ARRAY && type->base->kind == TYPE_ARRAY)
    {
      while (type->base->kind == TYPE_ARRAY)
        type = type->base;
      layout.columns = type->count;
    }
  return layout;
}

/* Of all objects that the unit declares. */
static struct layout *
find_layouts (uint32_t *count)
{
  struct layout *layouts = NULL;
  size_t capacity = 0;

  *count = 0;
  for (struct declaration *d = tree.declarations; d; d = d->next)
    for (struct decl *object = d->decls; object; object = object->next)
      if (object->kind == DECL_VARIABLE)
        {
          layouts = arena_grow (layouts, *count + 1, &capacity, sizeof *layouts);
          layouts[(*count)++] = layout_of (object);
        }
  if (!*count)
    fail ("no object is declared");
  return layouts;
}

static void
draw (const struct arguments *given, FILE *out, const struct layout *layouts, uint32_t count)
{
  if (given->svg)
    draw_svg (out, layouts, count);
  else
    for (uint32_t i = 0; i < count; i++)
      draw_text (out, &layouts[i]);
}

int
main (int argc, char **argv)
{
  struct arguments given;
  struct layout *layouts;
  uint32_t count;
  FILE *out = stdout;

  (void) argc;
  given = read_arguments (argv);
  unit.text = given.text;
  unit.size = strlen (given.text);
  lex ();
  parse_unit ();
  if (error_count)
    return 1;
  layouts = find_layouts (&count);
  if (given.svg)
    check_picture (layouts, count);
  if (given.output && !(out = fopen (given.output, "w")))
    fail ("cannot write '%s': %s", given.output, strerror (errno));
  draw (&given, out, layouts, count);
  if (ferror (out) || (given.output ? fclose (out) : fflush (out)) != 0)
    fail ("cannot write '%s': %s", given.output ? given.output : "the output", strerror (errno));
  return 0;
}
