/* What each switch does. The rows are in options.def. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* The switch as the user wrote it goes to the compilations, the last link, or both. */

static void
add_switch (struct words *words, const struct option_row *row, const char *value)
{
  if (row->form == FORM_SEPARATE)
    words_add_these (words, row->name, value, NULL);
  else if (row->form == FORM_EXACT)
    words_add (words, row->name);
  else
    words_add (words, arena_format ("%s%s", row->name, value));
}

static void
to_compile (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->compile, row, value);
}

static void
to_preprocess (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->preprocess, row, value);
}

static void
to_link (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->link, row, value);
}

static void
to_both (struct options *options, const struct option_row *row, const char *value)
{
  to_compile (options, row, value);
  to_link (options, row, value);
}

static void
set_mode (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->mode = row->name[1] == 'c'   ? MODE_COMPILE
                  : row->name[1] == 'S' ? MODE_ASSEMBLY
                  : row->name[1] == 'E' ? MODE_PREPROCESS
                  : row->name[1] == 't' ? MODE_TRANSLATE
                                        : MODE_CHECK;
}

static void
set_output (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  if (!*value)
    fail_usage ("missing argument to '-o'");
  options->names_output = true;
  /* "-" is what it means to the compiler: standard output, but to -c. */
  options->output = (*value == '-' && value[1]) || *value == '@' ? arena_format ("./%s", value)
                                                                 : value;
}

/* The switch sets the boolean of its row. */
static void
set_flag (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  *(bool *) ((char *) options + row->flag) = true;
}

static void
save_temps_beside (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->save_temps = options->saves_beside = true;
}

static void
unset_save_temps (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->save_temps = false;
}

static void
set_check (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->check = strcmp (row->name, "-fupc-check") == 0;
  if (!options->check)
    options->race = false;
}

/* A list of checks. */
static void
set_checks (struct options *options, const struct option_row *row, const char *value)
{
  struct words names = { 0 };

  words_add_split (&names, value, ",");
  if (names.count == 0)
    fail_usage ("missing argument to '%s'", row->name);
  for (size_t i = 0; i < names.count; i++)
    if (strcmp (names.item[i], "bounds") == 0)
      options->check = true;
    else if (strcmp (names.item[i], "race") == 0)
      options->race = true;
    else
      fail_usage ("'%s%s': no check '%s', only bounds and race", row->name, value, names.item[i]);
}

static void
set_static (struct options *options, const struct option_row *row, const char *value)
{
  options->is_static = true;
  to_link (options, row, value);
}

static void
set_pie (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->is_pie = strcmp (row->name, "-pie") == 0;
}

static void
set_language (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  choose_language (options, value);
}

static void
set_depfile (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->depfile.kind = row->name;
}

static void
set_database (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  options->database = value;
}

static void
add_depfile_target (struct options *options, const struct option_row *row, const char *value)
{
  words_add_these (&options->depfile.targets, row->name, value, NULL);
  words_add (&options->depfile.switches, row->name);
}

static void
add_depfile_switch (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  words_add (&options->depfile.words, row->name);
  words_add (&options->depfile.switches, row->name);
}

static void
set_depfile_name (struct options *options, const struct option_row *row, const char *value)
{
  options->depfile.file = value;
  words_add (&options->depfile.switches, row->name);
}

static void
to_appearance (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->appearance, row, value);
}

/* The C compiler answers, and nothing is compiled. */
static void
ask (struct options *options, const struct option_row *row, const char *value)
{
  add_switch (&options->queries, row, value);
}

static void
add_folder (struct options *options, const struct option_row *row, const char *value)
{
  words_add (&options->folders, value);
  to_link (options, row, value);
}

static void
add_library (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  options_add_item (options, ITEM_LIBRARY, value);
}

static void
add_linker_word (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  options_add_item (options, ITEM_LINKER, value);
}

static void
add_linker_switch (struct options *options, const struct option_row *row, const char *value)
{
  options_add_item (options, ITEM_LINKER, row->name);
  if (row->form != FORM_EXACT)
    options_add_item (options, ITEM_LINKER, value);
}

static void
optimise (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  words_add (&options->compile, "-O2");
}

/* GNU UPC's switch for debug information of UPC; -g has it. */
static void
set_debug (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  words_add (&options->compile, "-g");
  words_add (&options->link, "-g");
}

static void
set_standard (struct options *options, const struct option_row *row, const char *value)
{
  (void) row;
  words_add (&options->compile, arena_format ("-std=%s", value));
}

static _Noreturn void
refuse (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  fail_usage ("'%s%s': %s", row->name, row->form == FORM_JOINED ? value : "", row->help);
}

static _Noreturn void
refuse_unknown (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  fail_usage ("unknown switch '%s%s'", row->name, value);
}

static void
show (struct options *options, const struct option_row *row, const char *value)
{
  options->shows = strchr (row->name, '?') || strstr (row->name, "help") ? SHOW_HELP
                   : strstr (row->name, "manual")                        ? SHOW_MANUAL
                                                                         : SHOW_VERSION;
  if (options->shows == SHOW_MANUAL && strcmp (value, "switches") != 0)
    fail_usage ("invalid value '%s' for --manual; expected switches", value);
}

/* clang-format off */

const struct option_row option_rows[] = {
#define SHOWN(name, form, act, argument, help, manual) { name, FORM_##form, act, argument, help, manual, 0 },
#define OTHER(name, form, act) { name, FORM_##form, act, "", NULL, NULL, 0 },
#define REFUSED(name, form, reason) { name, FORM_##form, refuse, "", reason, NULL, 0 },
#define FLAG(name, field, help, manual) { name, FORM_EXACT, set_flag, "", help, manual, offsetof (struct options, field) },
#include "tools/upcc/options.def"
};

/* clang-format on */

const size_t option_row_count = sizeof option_rows / sizeof *option_rows;

bool
is_refused (const struct option_row *row)
{
  return row->act == refuse;
}
