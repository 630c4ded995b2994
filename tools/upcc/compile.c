/* Runs the C compiler on single sources. */

#include "tools/upcc/upcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
is_clang (const struct words *command)
{
  for (size_t i = 0; i < command->count; i++)
    if (starts_with (path_base (command->item[i]), "clang"))
      return true;
  return false;
}

void
add_compiler (struct words *command)
{
  const char *chosen = getenv ("UPCC_CC");

  words_add_split (command, chosen && *chosen ? chosen : UPCC_CC, " ");
  /* DWARF 5 locations, as Clang writes them, leave no room to make them thread-local. */
  if (is_clang (command))
    words_add (command, "-fdebug-default-version=4");
}

void
add_loops (struct words *command)
{
  words_add (command, "-fopenmp-simd");
  /* Clang warns of loops that it does not make vectors of. */
  if (is_clang (command))
    words_add (command, "-Wno-pass-failed");
}

static bool
leaves_files (const struct options *options)
{
  for (size_t i = 0; i < options->compile.count; i++)
    {
      const char *word = options->compile.item[i];

      if (strcmp (word, "--coverage") == 0 || strcmp (word, "-ftest-coverage") == 0
          || strcmp (word, "-fstack-usage") == 0 || starts_with (word, "-fprofile-"))
        return true;
    }
  return false;
}

/* What the compiler leaves for other tools, such as counts, is beside its result and has that
   one's name. Where programs are made in one step that would be a temporary; so gcc is told
   the names that it would choose itself. Clang cannot be told. */
void
add_names_of_files (struct words *command, const struct options *options, const struct item *source)
{
  const char *name = path_base (source->text), *suffix = strrchr (name, '.');
  const char *program = options->names_output ? options->output : "a";

  if (options->mode != MODE_LINK || is_clang (command) || !leaves_files (options))
    return;
  words_add_these (command, "-dumpdir", arena_format ("%s-", program), "-dumpbase", name, NULL);
  if (suffix)
    words_add_these (command, "-dumpbase-ext", suffix, NULL);
}

void
add_mode (struct words *command, const struct options *options)
{
  static const char *const modes[] = { "-c", "-c", "-S", "-E", "-fsyntax-only" };

  words_add (command, modes[options->mode]);
  if (options->mode == MODE_PREPROCESS)
    words_add_all (command, &options->appearance);
}

void
compile_source (const struct options *options, const struct layout *layout,
                const struct item *source, const char *result)
{
  struct words command = { 0 };

  if (source->language == LANGUAGE_UPC || source->language == LANGUAGE_UPC_PREPROCESSED)
    {
      compile_upc (options, layout, source, result);
      return;
    }
  add_compiler (&command);
  add_sanitizers (&command);
  words_add_all (&command, &options->compile);
  words_add_all (&command, &options->preprocess);
  add_rules (&command, options, source, result);
  /* Clang warns of folders for headers where nothing is preprocessed. */
  if (layout->include && source->language != LANGUAGE_ASSEMBLER)
    words_add_these (&command, "-isystem", layout->include, NULL);
  add_mode (&command, options);
  words_add_these (&command, "-x", name_of_language (source->language), source->text, NULL);
  add_names_of_files (&command, options, source);
  if (result)
    words_add_these (&command, "-o", result, NULL);
  run_step (&command);
}

static const char *
result_name (const struct options *options, const struct item *source)
{
  static const char *const suffixes[] = { NULL, ".o", ".s", NULL, NULL };
  const char *suffix = suffixes[options->mode];

  if (options->mode == MODE_CHECK)
    return NULL;
  return options->output || !suffix ? options->output : replace_suffix (source->text, suffix);
}

/* -c, -S, -E and -fsyntax-only: each source by itself. */
void
make_compilations (const struct options *options, const struct layout *layout)
{
  struct mains ignored = { 0 };

  begin_temporaries (options);
  for (size_t i = 0; i < options->item_count; i++)
    {
      const struct item *item = &options->items[i];

      if (item->kind != ITEM_FILE)
        continue;
      if (item->language != LANGUAGE_NONE)
        check_source (item);
      else
        {
          classify_file (item->text, &ignored);
          fail ("%s: not a source; -c, -S and -E take sources", item->text);
        }
    }
  for (size_t i = 0; i < options->item_count; i++)
    {
      const struct item *item = &options->items[i];
      const char *result = result_name (options, item);

      if (item->kind != ITEM_FILE)
        continue;
      if (result)
        refuse_overwriting (result, item->text);
      compile_source (options, layout, item, result);
    }
}

/* -dumpmachine, -print-…: the answers are the compiler's. */
void
ask_compiler (const struct options *options)
{
  struct words command = { 0 };

  add_compiler (&command);
  words_add_all (&command, &options->compile);
  words_add_all (&command, &options->queries);
  run_step (&command);
  exit (0);
}

const char *
assemble (FILE *file, const char *source, const char *stem)
{
  const char *object = temporary (stem, ".o");
  struct words command = { 0 };

  if (ferror (file) | (fclose (file) != 0))
    fail ("cannot write %s: %m", source);
  add_compiler (&command);
  words_add_these (&command, "-c", source, "-o", object, NULL);
  run_step (&command);
  return object;
}

/* An object that asks for a static number of threads as those of UPC compilers do. */
const char *
compile_threads_request (int threads)
{
  const char *source = temporary ("threads", ".s");
  FILE *file = fopen (source, "w");

  if (!file)
    fail ("cannot write %s: %m", source);
  fprintf (file,
           "\t.section upc_pgm_info,\"a\",@progbits\n"
           "\t.asciz \"$GCCUPCConfig: (upcc) staticthreads=%d process$\"\n"
           "\t.section .note.GNU-stack,\"\",@progbits\n",
           threads);
  return assemble (file, source, "threads");
}
