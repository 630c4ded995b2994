/* Sorts the command line into the two links and checks every input on the way. */

#include "tools/upcc/upcc.h"

#include <string.h>
#include <sys/stat.h>

void
refuse_overwriting (const char *output, const char *input)
{
  struct stat a, b;

  if (stat (output, &a) == 0 && stat (input, &b) == 0 && S_ISREG (a.st_mode) && a.st_dev == b.st_dev
      && a.st_ino == b.st_ino)
    fail ("%s: input file is the same as output file", input);
}

bool
is_compiled (const struct item *file)
{
  return file->language != LANGUAGE_NONE && file->language != LANGUAGE_UPC_HEADER;
}

static void
add_link_source (struct program *program, const struct item *source)
{
  const char *object = temporary (replace_suffix (source->text, ""), ".o");

  check_source (source);
  words_add (&program->compiled, object);
  words_add (&program->first, object);
}

static void
add_link_file (struct program *program, const char *path)
{
  if (is_system_archive (path))
    {
      words_add (&program->last, path);
      return;
    }
  switch (classify_file (path, &program->mains))
    {
    case FILE_SHARED:
      words_add (&program->last, path);
      break;
    case FILE_OBJECT:
    case FILE_ARCHIVE:
      words_add (&program->first, path);
      break;
    }
}

static void
add_link_library (struct program *program, const char *name)
{
  bool only_static = program->options->is_static || program->state.only_static;
  const char *archive = find_private_archive (program->options, name, only_static);

  if (!archive)
    words_add (&program->last, arena_format ("-l%s", name));
  else if (classify_file (archive, &program->mains) == FILE_ARCHIVE)
    words_add (&program->first, archive);
}

static void
add_link_word (struct program *program, const char *word, enum link_phase phase)
{
  if (phase & LINK_FIRST)
    words_add (&program->first, word);
  if (phase & LINK_LAST)
    words_add_these (&program->last, "-Xlinker", word, NULL);
}

void
sort_link_inputs (struct program *program)
{
  const struct options *options = program->options;
  enum link_phase phase = LINK_LAST;
  bool is_value = false;

  for (size_t i = 0; i < options->item_count; i++)
    {
      const char *text = options->items[i].text;

      switch (options->items[i].kind)
        {
        case ITEM_FILE:
          refuse_overwriting (options->output, text);
          if (is_compiled (&options->items[i]))
            add_link_source (program, &options->items[i]);
          else if (options->items[i].language == LANGUAGE_NONE)
            add_link_file (program, text);
          break;
        case ITEM_LIBRARY:
          add_link_library (program, text);
          break;
        case ITEM_LINKER:
          if (is_value)
            is_value = false;
          else
            phase = classify_linker_word (&program->state, text, &is_value);
          add_link_word (program, text, phase);
          break;
        }
    }
  if (program->state.groups)
    fail_usage ("--start-group without --end-group");
}
