/* upc-privatize: gives each UPC thread its own copy of the statics of a program's
   relocatable objects; main runs the phases. */

#include "privatize/program/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char program_name[] = "upc-privatize";

#define VERSION "upc-privatize (UPCT) 0.1"

static const char help[]
    = "usage: upc-privatize [options] IN.o -o OUT.o\n"
      "       upc-privatize [options] FILE... -o FOLDER/\n"
      "\n"
      "Gives each UPC thread its own copy of the static variables of a program. IN.o is\n"
      "an " TARGET_NAME " object that holds the whole program, merged by 'ld -r'. Otherwise\n"
      "the FILEs, objects and archives, are the program; a rewritten copy of each is\n"
      "written to FOLDER.\n"
      "\n"
      "  -o OUT.o         write the object to OUT.o\n"
      "  -o FOLDER/       write the files to FOLDER, which is created if needed\n"
      "  --report         list each private symbol and each rewritten instruction, and\n"
      "                   count those that were rewritten in place\n"
      "  --map FILE       write to FILE where each private symbol is\n"
      "  --no-pie         the program is linked with -no-pie: its private data has\n"
      "                   constant addresses, which is faster on some processors\n"
      "  --gc-sections    IN.o is for a link with --gc-sections and the script upc-gc.ld\n"
      "  --runtime        the files are of the runtime: their calls of libc stay as they are\n"
      "  --shared         the files are for a shared library: the loader decides where its\n"
      "                   thread-local variables are\n"
      "  --version        print the version\n"
      "  --help           print this help\n"
      "\n"
      "Variables in the section \"upc_process\" are shared by all threads.\n";

struct arguments
{
  const char **inputs;
  size_t input_count;
  const char *output;
  const char *map;
  bool is_folder;
  bool wants_report;
  bool is_collected;
  bool is_runtime;
  bool is_shared;
  bool is_fixed;
};

static _Noreturn void
usage_error (const char *problem, const char *word)
{
  fail_usage ("%s%s%s%s; see upc-privatize --help", problem, *word ? " '" : "", word,
              *word ? "'" : "");
}

static bool
is_folder (const char *path)
{
  size_t length = strlen (path);
  struct stat status;

  return (length && path[length - 1] == '/')
         || (stat (path, &status) == 0 && S_ISDIR (status.st_mode));
}

static void
check_arguments (struct arguments *arguments)
{
  if (!arguments->input_count)
    usage_error ("no input file", "");
  if (!arguments->output)
    usage_error ("no output file; name one with", "-o");
  arguments->is_folder = is_folder (arguments->output);
  if (arguments->input_count > 1 && !arguments->is_folder)
    usage_error ("two input files:", arguments->inputs[1]);
}

/* WORDS are a switch and its file. */
static void
set_file (const char **file, char **words)
{
  if (!words[1])
    usage_error ("no file after", words[0]);
  if (*file)
    usage_error ("two output files:", words[1]);
  *file = words[1];
}

static void
parse_arguments (int argc, char **argv, struct arguments *arguments)
{
  arguments->inputs = xcalloc (argc, sizeof *arguments->inputs);
  for (int i = 1; i < argc; i++)
    if (strcmp (argv[i], "--help") == 0 || strcmp (argv[i], "--version") == 0)
      {
        puts (argv[i][2] == 'h' ? help : VERSION);
        exit (0);
      }
    else if (strcmp (argv[i], "--report") == 0)
      arguments->wants_report = true;
    else if (strcmp (argv[i], "--gc-sections") == 0)
      arguments->is_collected = true;
    else if (strcmp (argv[i], "--runtime") == 0)
      arguments->is_runtime = true;
    else if (strcmp (argv[i], "--shared") == 0)
      arguments->is_shared = true;
    else if (strcmp (argv[i], "--no-pie") == 0)
      arguments->is_fixed = true;
    else if (strcmp (argv[i], "--map") == 0)
      set_file (&arguments->map, argv + i++);
    else if (strcmp (argv[i], "-o") == 0)
      set_file (&arguments->output, argv + i++);
    else if (argv[i][0] == '-' && argv[i][1])
      usage_error ("unknown option", argv[i]);
    else
      arguments->inputs[arguments->input_count++] = argv[i];
  check_arguments (arguments);
}

/* Whether all objects could be rewritten. */
static bool
check_errors (const struct program *program)
{
  bool is_good = true;

  for (size_t i = 0; i < program->object_count; i++)
    {
      if (program->objects[i].error_count > 1)
        fprintf (stderr, "%s: %u errors\n", program->objects[i].path,
                 program->objects[i].error_count);
      is_good = is_good && !program->objects[i].error_count;
    }
  return is_good;
}

static void
print_sites (const struct program *program)
{
  size_t sites = 0, in_place = 0;

  for (size_t i = 0; i < program->object_count; i++)
    {
      sites += program->objects[i].site_count;
      in_place += program->objects[i].in_place_count;
    }
  note ("%zu instructions rewritten, %zu in place (%.1f %%)", sites, in_place,
        sites ? 100.0 * in_place / sites : 0.0);
}

/* The file of --map, or NULL. */
static FILE *
open_map (const struct arguments *arguments)
{
  FILE *map = arguments->map ? fopen (arguments->map, "w") : NULL;

  if (arguments->map && !map)
    fail_file (arguments->map, "cannot write: %m");
  return map;
}

static void
load (struct program *program, const struct arguments *arguments, FILE *map)
{
  if (arguments->is_folder)
    load_program (program, arguments->inputs, arguments->input_count);
  else
    load_single (program, arguments->inputs[0]);
  for (size_t i = 0; i < program->object_count; i++)
    {
      program->objects[i].map = map;
      program->objects[i].wants_report = arguments->wants_report;
      program->objects[i].is_collected = arguments->is_collected;
      program->objects[i].is_runtime = arguments->is_runtime;
      program->objects[i].is_shared = arguments->is_shared;
      program->objects[i].is_fixed = arguments->is_fixed;
      program->objects[i].is_separate |= arguments->is_runtime;
    }
}

static void
write_outputs (struct program *program, const struct arguments *arguments)
{
  if (arguments->is_folder)
    write_program (program, arguments->output);
  else
    write_single (program, arguments->output);
}

int
main (int argc, char **argv)
{
  /* Static, so that what they hold until the end is no leak. */
  static struct program program;
  static struct arguments arguments;

  FILE *map;

  parse_arguments (argc, argv, &arguments);
  map = open_map (&arguments);
  load (&program, &arguments, map);
  find_private (&program);
  transform (&program);
  tabulate (&program);
  if (!check_errors (&program))
    return 1;
  finalize_indexes (&program);
  rebuild_relocations (&program);
  write_outputs (&program, &arguments);
  if (arguments.wants_report)
    print_sites (&program);
  if (map && fclose (map) != 0)
    fail_file (arguments.map, "cannot write: %m");
  if (fflush (stdout) != 0)
    fail_file ("standard output", "cannot write");
  return 0;
}
