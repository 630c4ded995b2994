/* upc-privatize: gives each UPC thread its own copy of the statics of a
   relocatable object. See privatize.h for the phases. */

#include "privatize/privatize.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION "upc-privatize (UPCT) 0.1"

static const char help[]
  = "usage: upc-privatize [--report] IN.o -o OUT.o\n"
    "\n"
    "Makes the statics of the x86-64 object IN.o thread-local: each UPC thread has\n"
    "its own. IN.o is the whole program, merged by 'ld -r'.\n"
    "\n"
    "  -o OUT.o    the object to write\n"
    "  --report    list each private symbol and each rewritten instruction\n"
    "  --version   print the version\n"
    "  --help      print this\n"
    "\n"
    "Variables in the section \"upc_process\" stay one for all threads.\n";

static _Noreturn void
usage_error (const char *problem, const char *word)
{
  fprintf (stderr, "upc-privatize: error: %s%s%s%s; see upc-privatize --help\n", problem,
           *word ? " '" : "", word, *word ? "'" : "");
  exit (2);
}

static void
parse_arguments (int argc, char **argv, struct object *object, const char **output)
{
  object->path = NULL;
  *output = NULL;
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--help") == 0 || strcmp (argv[i], "--version") == 0)
      {
        puts (argv[i][2] == 'h' ? help : VERSION);
        exit (0);
      }
    else if (strcmp (argv[i], "--report") == 0)
      object->wants_report = true;
    else if (strcmp (argv[i], "-o") == 0)
      {
        if (i + 1 == argc)
          usage_error ("no file after", "-o");
        if (*output)
          usage_error ("two output files:", argv[i + 1]);
        *output = argv[++i];
      }
    else if (argv[i][0] == '-' && argv[i][1])
      usage_error ("unknown option", argv[i]);
    else if (object->path)
      usage_error ("two input files:", argv[i]);
    else
      object->path = argv[i];
  if (!object->path)
    usage_error ("no input file", "");
  if (!*output)
    usage_error ("no output file; name one with", "-o");
}

static void
print_private_symbols (const struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (!symbol->is_private || ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION)
        continue;
      printf ("%s:%s: private '%s' %llu bytes\n", object->path,
              is_defined (symbol) ? object->sections[symbol->section]->name : "undefined",
              symbol_name (object, symbol), (unsigned long long) symbol->elf.st_size);
    }
}

int
main (int argc, char **argv)
{
  /* Static, so that what it holds until the end is no leak. */
  static struct object object;
  const char *output;

  parse_arguments (argc, argv, &object, &output);
  load_object (&object, object.path);
  classify_sections (&object);
  rename_symbols (&object);
  find_private_symbols (&object);
  spread_private (&object);
  if (object.wants_report)
    print_private_symbols (&object);
  rewrite_text (&object);
  describe_thunks (&object);
  copy_unwind_pointers (&object);
  rewrite_data (&object);
  collect_constructors (&object);
  rewrite_debug_info (&object);
  plan_zone (&object, 1);
  make_thread_local (&object);
  if (object.error_count)
    {
      if (object.error_count > 1)
        fprintf (stderr, "%s: %u errors\n", object.path, object.error_count);
      return 1;
    }
  write_object (&object, output);
  if (fflush (stdout) != 0)
    fail ("standard output", "cannot write");
  return 0;
}
