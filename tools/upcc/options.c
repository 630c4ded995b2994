/* Reads the command line by the rows of the table. A word that no row knows is
   an error: a switch that is dropped in silence costs somebody an afternoon. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>

static bool
row_matches (const struct option_row *row, const char *word)
{
  switch (row->form)
    {
    case FORM_EXACT:
    case FORM_SEPARATE:
      return strcmp (word, row->name) == 0;
    case FORM_VALUE:
    case FORM_NUMBER:
      return starts_with (word, row->name) && strchr ("=", word[strlen (row->name)]);
    default:
      return starts_with (word, row->name);
    }
}

/* The longest name wins: -Wl, before -W. */
static const struct option_row *
find_row_exactly (const char *word)
{
  const struct option_row *best = NULL;

  for (size_t i = 0; i < option_row_count; i++)
    if (row_matches (&option_rows[i], word)
        && (!best || strlen (option_rows[i].name) > strlen (best->name)))
      best = &option_rows[i];
  return best;
}

/* Of a word with two dashes: not a name that some other word begins with. */
static bool
is_whole_name (const struct option_row *row, const char *word)
{
  if (row->form == FORM_EITHER)
    return strcmp (word, row->name) == 0;
  return row->form != FORM_JOINED || strchr (",=-", row->name[strlen (row->name) - 1]);
}

/* Berkeley's driver takes one dash or two. *WORD becomes the word with as many as the row has. */
static const struct option_row *
find_row (const char **word)
{
  const struct option_row *row = find_row_exactly (*word);

  if (row || !starts_with (*word, "--"))
    return row;
  row = find_row_exactly (*word + 1);
  if (!row || !is_whole_name (row, *word + 1))
    return NULL;
  ++*word;
  return row;
}

static void
add_input (struct options *options, const char *path)
{
  struct item *item;

  options_add_item (options, ITEM_FILE, path);
  item = &options->items[options->item_count - 1];
  item->is_chosen = options->chooses_language;
  item->language = item->is_chosen ? options->language : language_of_suffix (path);
}

static void
add_file (struct options *options, const char *path)
{
  if (!*path)
    fail_usage ("empty file name");
  /* Neither the compiler nor the linker may take a name for a switch. */
  if (path[0] == '-' || path[0] == '@')
    path = arena_format ("./%s", path);
  add_input (options, path);
}

static bool
is_number (const char *word)
{
  return word && *word && !word[strspn (word, "0123456789")];
}

/* Reads the switch at arguments->item[i]; returns the index of its last word. */
static size_t
read_switch (struct options *options, const struct words *arguments, size_t i)
{
  const char *word = arguments->item[i];
  const struct option_row *row = find_row (&word);
  const char *value;

  if (!row)
    fail_usage ("unknown switch '%s'", word);
  value = word + strlen (row->name);
  if ((row->form == FORM_VALUE || row->form == FORM_NUMBER) && *value)
    value++;
  else if (row->form == FORM_NUMBER)
    value = is_number (arguments->item[i + 1]) ? arguments->item[++i] : "0";
  else if (row->form == FORM_SEPARATE || row->form == FORM_VALUE
           || (row->form == FORM_EITHER && !*value))
    {
      /* Without Cray's `upc` it asks for help, as in Berkeley's driver. */
      if (i + 1 == arguments->count && strcmp (word, "-h") == 0)
        show_text (SHOW_HELP);
      if (i + 1 == arguments->count)
        fail_usage ("missing argument to '%s'", word);
      value = arguments->item[++i];
    }
  row->act (options, row, value);
  if (options->shows)
    show_text (options->shows);
  return i;
}

/* The first file's name without its suffix. */
static const char *
name_of_first (const struct options *options)
{
  size_t i = 0;

  while (options->items[i].kind != ITEM_FILE)
    i++;
  return replace_suffix (options->items[i].text, "");
}

/* What is in no language of ours may be a header, or anything that -E is asked for. */
static size_t
count_files (struct options *options)
{
  size_t files = 0;

  for (size_t i = 0; i < options->item_count; i++)
    {
      struct item *item = &options->items[i];

      if (item->kind != ITEM_FILE)
        continue;
      if (item->language == LANGUAGE_NONE && options->mode == MODE_PREPROCESS
          && strcmp (item->text, "-") == 0)
        item->language = LANGUAGE_UPC;
      if (item->language == LANGUAGE_UPC_HEADER
          && (options->mode == MODE_PREPROCESS || options->mode == MODE_CHECK))
        item->language = LANGUAGE_UPC;
      if (options->is_preprocessed && item->language == LANGUAGE_UPC)
        item->language = LANGUAGE_UPC_PREPROCESSED;
      if (options->is_preprocessed && item->language == LANGUAGE_C)
        item->language = LANGUAGE_C_PREPROCESSED;
      if (item->language == LANGUAGE_NONE && strcmp (item->text, "-") == 0)
        fail_usage ("-E or -x is required when input is from standard input");
      files++;
      options->source_count += item->language != LANGUAGE_NONE;
    }
  return files;
}

/* Headers alone are checked, among other files they are for the eye. */
static bool
has_only_headers (const struct options *options)
{
  for (size_t i = 0; i < options->item_count; i++)
    if (options->items[i].kind == ITEM_FILE && options->items[i].language != LANGUAGE_UPC_HEADER)
      return false;
  return true;
}

static void
check_depfile (const struct options *options)
{
  const struct depfile *depfile = &options->depfile;

  if (!depfile->kind && depfile->switches.count)
    fail_usage ("'%s' without -M, -MM, -MD or -MMD", depfile->switches.item[0]);
  if (depfile->file && options->source_count > 1)
    fail_usage ("cannot specify -MF with multiple files");
}

static void
check_combination (struct options *options)
{
  size_t files = count_files (options);

  if (options->mode == MODE_LINK && files && has_only_headers (options))
    options->mode = MODE_COMPILE;
  if (!files && options->verbose && !options->item_count)
    show_text (SHOW_PLACES);
  if (!files)
    fail_usage ("no input files");
  if (options->mode != MODE_LINK && options->output && files > 1)
    fail_usage ("cannot specify -o with -c, -S or -E with multiple files");
  check_depfile (options);
  if (options->is_static && options->is_pie)
    fail_usage ("-static and -pie cannot be combined");
  if (options->is_plugin)
    check_plugin (options);
  else if (options->is_shared && options->mode == MODE_LINK)
    check_shared (options);
  if (options->has_network)
    check_network (options);
  if (options->network && options->mode == MODE_LINK)
    note ("'-network=%s': UPC threads run in one process%s", options->network,
          strcmp (options->network, "mpi") == 0 ? "; '-fupc-network=mpi' is for several" : "");
}

/* What C++ and Fortran sources need, as their compilers' own drivers have it. */
static void
add_libraries (struct options *options)
{
  bool has_cxx = false, has_fortran = false;

  for (size_t i = 0; i < options->item_count; i++)
    {
      has_cxx |= is_cxx (options->items[i].language);
      has_fortran |= is_fortran (options->items[i].language);
    }
  if (has_fortran)
    options_add_item (options, ITEM_LIBRARY, "gfortran");
  if (has_fortran && options->is_static)
    options_add_item (options, ITEM_LIBRARY, "quadmath");
  if (has_cxx)
    options_add_item (options, ITEM_LIBRARY, "stdc++");
  if (has_cxx || has_fortran)
    options_add_item (options, ITEM_LIBRARY, "m");
}

static void
parse_words (struct options *options, const struct words *arguments)
{
  bool only_files = false;

  for (size_t i = 0; i < arguments->count; i++)
    {
      const char *word = arguments->item[i];

      if (strcmp (word, "-") == 0 && !only_files)
        add_input (options, word);
      else if (only_files || word[0] != '-')
        add_file (options, word);
      else if (strcmp (word, "--") == 0)
        only_files = true;
      else
        i = read_switch (options, arguments, i);
    }
}

void
parse_options (struct options *options, const struct words *arguments)
{
  struct words mpi = { 0 };

  parse_words (options, arguments);
  if (options->uses_mpi)
    add_mpi_words (&mpi, "-uses-mpi");
  else if (options->has_network && options->mode == MODE_LINK)
    add_mpi_words (&mpi, "-fupc-network=mpi");
  parse_words (options, &mpi);
  if (options->queries.count)
    return;
  settle_profile (options);
  settle_lto (options);
  if (is_depfile_only (options))
    options->mode = MODE_PREPROCESS;
  check_combination (options);
  add_libraries (options);
  if (options->mode == MODE_LINK && !options->output)
    options->output = options->smart_output ? name_of_first (options) : "a.out";
}
