/* Sorts the command line into the two links and checks every input on the way. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
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

static void add_link_input (struct program *program, const struct item *item);

/* The linker's groups do not nest: one within another adds nothing to it. */
static bool
is_group_word (const struct item *item)
{
  return item->kind == ITEM_LINKER
         && (strcmp (item->text, "--start-group") == 0 || strcmp (item->text, "--end-group") == 0);
}

/* The files that a script names are inputs as those on the command line are: archives among them
   become private. */
static void
add_link_script (struct program *program, const struct image *image)
{
  enum
  {
    DEEPEST = 16
  };
  static int depth;
  bool is_in_group = program->state.groups > 0;
  struct script script;

  if (depth++ == DEEPEST)
    fail ("%s: linker scripts nest too deeply", image->name);
  read_linker_script (&script, image);
  for (size_t i = 0; i < script.count; i++)
    {
      struct item item = script.items[i].item;

      if (is_in_group && is_group_word (&item))
        continue;
      if (item.kind == ITEM_FILE)
        item.text = find_input (program->options, item.text, path_folder (image->name));
      if (!item.text)
        fail ("%s:%d: cannot find %s", image->name, script.items[i].line,
              script.items[i].item.text);
      add_link_input (program, &item);
    }
  free (script.items);
  depth--;
}

static void
add_link_file (struct program *program, const char *path)
{
  struct image image;

  if (is_system_library (path))
    {
      words_add (&program->last, path);
      return;
    }
  read_image (&image, path, path);
  switch (classify_file (&image, &program->mains))
    {
    case FILE_SHARED:
      words_add (&program->last, path);
      break;
    case FILE_OBJECT:
    case FILE_ARCHIVE:
      words_add (&program->first, path);
      break;
    case FILE_SCRIPT:
      add_link_script (program, &image);
      break;
    }
}

static void
add_link_library (struct program *program, const char *name)
{
  bool only_static = program->options->is_static || program->state.only_static;
  const char *path = find_library (program->options, name, only_static);

  if (path)
    add_link_file (program, path);
  else
    words_add (&program->last, arena_format ("-l%s", name));
}

static void
add_link_word (struct program *program, const char *word)
{
  /* A value goes where its word went. */
  if (program->is_value)
    program->is_value = false;
  else
    program->phase = classify_linker_word (&program->state, word, &program->is_value);
  if (program->phase & LINK_FIRST)
    words_add (&program->first, word);
  if (program->phase & LINK_LAST)
    words_add_these (&program->last, "-Xlinker", word, NULL);
}

static void
add_link_input (struct program *program, const struct item *item)
{
  switch (item->kind)
    {
    case ITEM_FILE:
      refuse_overwriting (program->options->output, item->text);
      if (is_compiled (item))
        add_link_source (program, item);
      else if (item->language == LANGUAGE_NONE)
        add_link_file (program, item->text);
      break;
    case ITEM_LIBRARY:
      add_link_library (program, item->text);
      break;
    case ITEM_LINKER:
      add_link_word (program, item->text);
      break;
    }
}

void
sort_link_inputs (struct program *program)
{
  const struct options *options = program->options;

  for (size_t i = 0; i < options->item_count; i++)
    add_link_input (program, &options->items[i]);
  if (program->state.groups)
    fail_usage ("--start-group without --end-group");
}
