/* Runs the compilers on single sources. */

#include "tools/upcc/upcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
compile_source (const struct options *options, const struct layout *layout,
                const struct item *source, const char *result)
{
  struct words command = { 0 };

  if (options->database && !is_dry_run ())
    add_to_database (options, source, options->mode == MODE_COMPILE ? result : NULL);
  switch (source->language)
    {
    case LANGUAGE_UPC:
    case LANGUAGE_UPC_HEADER:
    case LANGUAGE_UPC_PREPROCESSED:
      compile_upc (options, layout, source, result);
      return;
    case LANGUAGE_TRANSLATED:
      compile_translation (options, source, source->text, result);
      return;
    default:
      break;
    }
  add_compiler_of (&command, source->language);
  add_sanitizers (&command);
  words_add_all (&command, &options->compile);
  if (options->is_plugin && is_cxx (source->language))
    add_own_statics (&command);
  words_add_all (&command, &options->preprocess);
  add_depfile (&command, options, source, result);
  /* Clang warns of folders for headers where nothing is preprocessed. */
  if (layout->include && source->language != LANGUAGE_ASSEMBLER)
    words_add_these (&command, "-isystem", layout->include, NULL);
  add_mode (&command, options);
  /* Build systems read there which folders are searched for headers. */
  if (options->verbose && options->mode == MODE_PREPROCESS)
    words_add (&command, "-v");
  add_appearance_of_messages (&command, options);
  words_add_these (&command, "-x", name_of_language (source->language), source->text, NULL);
  add_names_of_files (&command, options, source);
  if (result)
    words_add_these (&command, "-o", result, NULL);
  run_step (&command);
}

static const char *
result_name (const struct options *options, const struct item *source)
{
  static const char *const suffixes[] = { NULL, ".o", ".s", NULL, NULL, ".trans.c" };
  const char *suffix = suffixes[options->mode];

  if (source->language == LANGUAGE_UPC_HEADER && !options->output)
    return arena_format ("%s.gch", path_base (source->text));

  if (options->mode == MODE_CHECK)
    return NULL;
  return options->output || !suffix ? options->output : replace_suffix (source->text, suffix);
}

/* -c, -S, -E, -trans and -fsyntax-only: each source by itself. */
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
        {
          check_source (item);
          if (options->mode == MODE_TRANSLATE && item->language != LANGUAGE_UPC
              && item->language != LANGUAGE_UPC_PREPROCESSED)
            fail ("%s: not a UPC source; -trans takes no other", item->text);
        }
      else
        {
          struct image image;

          read_image (&image, item->text, item->text);
          classify_file (&image, &ignored);
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
