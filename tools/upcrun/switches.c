/* What each switch does that is no variable. The rows are in switches.def: Berkeley UPC's upcrun
   has them, and scripts use them. */

#include "tools/upcrun/upcrun.h"

#include "runtime/host/size.h"
#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>
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
  set_variable (find_variable ("UPC_SHARED_HEAP_SIZE"), row->name, arena_format ("%zu", bytes));
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

static void
set_verbose (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.is_verbose = true;
}

static void
set_dry_run (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.is_dry_run = true;
}

static void
set_info (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.wants_info = true;
}

static void
set_freeze (const struct switch_row *row, const char *value)
{
  (void) row, (void) value;
  request.freezes = true;
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
    fprintf (stderr, "%s%s", *command, command[1] ? " " : "\n");
}

/* Variables of other launchers and runtimes that concern what is not here: nodes, processes,
   messages at start. */
static const char *const foreign[] = {
  "UPC_NODES",
  "UPC_NODEFILE",
  "UPC_SSH",
  "UPC_QUIET",
  "UPC_NO_WARN",
  "UPC_ENVPREFIX",
  "UPC_DEBUG_MALLOC",
  "UPC_FIRSTTOUCH",
  "UPC_FORCETOUCH",
  "UPC_FREEZE",
  "UPC_FREEZE_EARLY",
  "UPC_ABORT",
  "UPC_WARN_FATAL",
  "UPC_SIZE_WARN",
  "UPC_NO_SIZE_WARN",
  "UPC_REQUIRE_SHARED_SIZE",
  "UPC_PTHREADS_MAP",
  "UPC_POLITE_SYNC",
  "UPC_SEM_MAXMEDIUM",
  "UPC_SEM_MAXTINY",
  "UPC_SEM_TINYDEPTH",
  "UPC_QUIET_UPCIO",
  "UPC_PTHREADS_PER_PROC",
  "UPC_SHARED_HEAP_OFFSET",
  "UPC_SHARED_ALLOC_ALIGN",
  "UPC_SHARED_HEAP_SIZE_MAX",
  "GASNET_MAX_SEGSIZE",
  "XT_SYMMETRIC_HEAP_SIZE",
};

/* UPC_SMP_SPAWNCMD and its kin: how to launch on a network. */
static bool
is_launch_command (const char *setting)
{
  size_t length = strcspn (setting, "=");

  return starts_with (setting, "UPC_") && ends_with (arena_copy (setting, length), "CMD")
         && strstr (setting, "_SPAWN");
}

void
print_unused (void)
{
  for (size_t i = 0; i < unused_count; i++)
    note ("'%s' has no effect", unused[i]);
  for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
    if (getenv (foreign[i]))
      note ("variable %s has no effect", foreign[i]);
  for (char **setting = environ; *setting; setting++)
    if (is_launch_command (*setting))
      note ("variable %.*s has no effect", (int) strcspn (*setting, "="), *setting);
}
