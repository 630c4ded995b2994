/* --target: the processor that programs are made for. Libraries for another one than upcc was built
   for are in a folder of its name, beside libupc.a, and its compiler and binutils have the name in
   front of theirs. */

#include "tools/upcc/upcc.h"

#include <elf.h>
#include <string.h>

#ifdef __aarch64__
#define HOST "aarch64-linux-gnu"
#else
#define HOST "x86_64-linux-gnu"
#endif

static const struct target
{
  const char *name;
  const char *processor; /* as messages have it */
  int machine;
} targets[] = {
  { "x86_64-linux-gnu", "x86-64", EM_X86_64 },
  { "aarch64-linux-gnu", "aarch64", EM_AARCH64 },
};

enum
{
  TARGETS = sizeof targets / sizeof *targets
};

static const struct target *chosen;

/* By its processor: x86_64, x86_64-linux-gnu, and x86_64-pc-linux-gnu as clang has it. */
static const struct target *
find_target (const char *name)
{
  size_t length = strcspn (name, "-");

  for (size_t i = 0; i < TARGETS; i++)
    {
      const char *own = targets[i].name;

      if (strncmp (own, name, length) == 0 && own[length] == '-'
          && (!name[length] || ends_with (name, "-linux-gnu") || ends_with (name, "-linux")))
        return &targets[i];
    }
  return NULL;
}

static const struct target *
target (void)
{
  return chosen ? chosen : find_target (HOST);
}

void
set_target (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  chosen = find_target (value);
  if (!chosen)
    fail_usage ("'%s=%s': not supported; use x86_64-linux-gnu or aarch64-linux-gnu", row->name,
                value);
}

bool
is_cross (void)
{
  return strcmp (target ()->name, HOST) != 0;
}

const char *
target_name (void)
{
  return target ()->name;
}

const char *
target_processor (void)
{
  return target ()->processor;
}

int
target_machine (void)
{
  return target ()->machine;
}

const char *
target_tool (const char *name)
{
  return is_cross () ? arena_format ("%s-%s", target_name (), name) : name;
}
