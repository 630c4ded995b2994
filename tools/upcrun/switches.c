/* What each switch does that is no variable. The rows are in switches.def: Berkeley UPC's upcrun
   has them, and scripts use them. */

#include "tools/upcrun/upcrun.h"

#include "runtime/host/size.h"
#include "tools/common/common.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct request request;

static const char *unused[64];
static size_t unused_count;

static void
ignore (const struct switch_row *row, const char *value)
{
  (void) value;
  if (unused_count < sizeof unused / sizeof *unused)
    unused[unused_count++] = row->name;
}

static void
set_threads (const struct switch_row *row, const char *value)
{
  set_variable (find_variable ("UPC_THREADS"), row->name, value);
}

static void
set_heap (const struct switch_row *row, const char *value)
{
  size_t bytes;

  upcr_parse_size (value, 'M', &bytes);
  set_variable (find_variable ("UPC_SHARED_HEAP_SIZE"), row->name,
                arena_format (bytes < 65536 ? "%zuB" : "%zu", bytes));
}

static void
bind_threads (const struct switch_row *row, const char *value)
{
  (void) value;
  set_variable (find_variable ("UPC_BIND"), row->name, "core");
}

static void
sleep_in_waits (const struct switch_row *row, const char *value)
{
  (void) value;
  set_variable (find_variable ("UPC_WAIT"), row->name, "sleep");
}

static void
set_trace (const struct switch_row *row, const char *value)
{
  set_variable (find_variable ("UPC_TRACE"), row->name, value);
}

/* -verbose or -noverbose. */
static bool
says_yes (const struct switch_row *row)
{
  return !starts_with (row->name, "-no");
}

static void
set_verbose (const struct switch_row *row, const char *value)
{
  (void) value;
  request.is_verbose = says_yes (row);
}

static void
set_dry_run (const struct switch_row *row, const char *value)
{
  (void) value;
  request.is_dry_run = says_yes (row);
}

static void
set_info (const struct switch_row *row, const char *value)
{
  (void) value;
  request.wants_info = says_yes (row);
}

/* UPC_ABORT for -abort and -noabort, UPC_FREEZE_ON_ERROR for -freeze-on-error. */
static const struct upcr_variable *
variable_named_like (const struct switch_row *row)
{
  const char *word = row->name + 1 + (says_yes (row) ? 0 : 2);
  char *name = arena_format ("UPC_%s", word);

  for (char *c = name; *c; c++)
    *c = *c == '-' ? '_' : (char) toupper (*c);
  return find_variable (name);
}

static void
set_yes (const struct switch_row *row, const char *value)
{
  (void) value;
  set_variable (variable_named_like (row), row->name, "yes");
}

static void
set_no (const struct switch_row *row, const char *value)
{
  (void) value;
  set_variable (variable_named_like (row), row->name, "no");
}

/* -freeze and -freeze-early. */
static void
freeze_thread (const struct switch_row *row, const char *value)
{
  set_variable (variable_named_like (row), row->name, value ? value : "0");
}

static void
unset_freeze (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.freezes = false;
  unset_variable (find_variable ("UPC_FREEZE"));
  unset_variable (find_variable ("UPC_FREEZE_EARLY"));
}

/* Before there is the program. */
static void
set_freeze (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.freezes = true;
}

static void
set_processes (const struct switch_row *row, const char *value)
{
  long n = strtol (value, NULL, 10);

  if (n < 1 || n > 1 << 20)
    fail_usage ("invalid value '%s' for %s; expected a number from 1 on", value, row->name);
  request.processes = (int) n;
}

static void
set_top (const struct switch_row *row, const char *value)
{
  (void) row;
  request.watches = true;
  request.watched = value ? atoi (value) : 0;
}

static void
use_settings_file (const struct switch_row *row, const char *value)
{
  (void) row;
  choose_settings (value);
}

static void
use_no_settings (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  choose_settings (NULL);
}

static void
show (const struct switch_row *row, const char *value)
{
  request.shows = row->name[row->name[1] == '-' ? 2 : 1];
  request.part = value;
}

const struct switch_row switch_rows[] = {
#define SHOWN(name, argument, act, help) { name, argument, act, help },
#define OTHER(name, argument, act) { name, argument, act, NULL },
#include "tools/upcrun/switches.def"
};
const int switch_row_count = sizeof switch_rows / sizeof *switch_rows;

void
apply_row (const struct switch_row *row, const char *value)
{
  size_t bytes;

  bool is_number = row->argument == NUMBER || (row->argument == OPTIONAL && value);

  if (is_number && (!*value || value[strspn (value, "0123456789")]))
    fail_usage ("invalid value '%s' for %s; expected a number", value, row->name);
  if (row->argument == SIZE && !upcr_parse_size (value, 'M', &bytes))
    fail_usage ("invalid value '%s' for %s; expected a size such as 64M", value, row->name);
  row->act (row, value);
}

void
print_command (char **command)
{
  print_settings (stderr);
  for (; *command; command++)
    {
      print_shell_word (stderr, *command);
      fputc (command[1] ? ' ' : '\n', stderr);
    }
}

/* Berkeley's variable for -polite-sync. */
static const char polite_sync[] = "UPC_POLITE_SYNC";

void
apply_variables (void)
{
  static const char *const yes[] = { "y", "yes", "1" }, *const no[] = { "n", "no", "0" };
  const char *value = getenv (polite_sync);

  if (!value)
    return;
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    {
      if (strcasecmp (value, no[i]) == 0)
        return;
      if (strcasecmp (value, yes[i]) == 0)
        {
          if (!getenv ("UPC_WAIT"))
            set_variable (find_variable ("UPC_WAIT"), polite_sync, "sleep");
          return;
        }
    }
  fail_usage ("invalid value '%s' for %s; expected yes or no", value, polite_sync);
}

/* Variables of other runtimes and launchers that concern what is not here: nodes, processes, networks,
   messages at start. What begins so and is none of ours is one of them. */
static const char *const foreign[]
    = { "UPC_", "GASNET_", "BUPC_", "GUPCR_", "PGAS_", "XLPGAS", "XT_SYMMETRIC_HEAP_SIZE" };

static bool
is_ours (const char *name)
{
  for (int i = 0; i < upcr_variable_count; i++)
    if (strcmp (name, upcr_variables[i].name) == 0)
      return true;
  return strcmp (name, polite_sync) == 0;
}

static bool
is_foreign (const char *name)
{
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (starts_with (name, foreign[i]))
      return !is_ours (name);
  return false;
}

void
print_unused (void)
{
  for (size_t i = 0; i < unused_count; i++)
    note ("'%s' has no effect", unused[i]);
  for (char **setting = environ; *setting; setting++)
    {
      const char *name = arena_copy (*setting, strcspn (*setting, "="));
      if (is_foreign (name))
        note ("variable %s is none of UPCT's", name);
    }
}
