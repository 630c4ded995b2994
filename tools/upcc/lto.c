/* -flto: objects that have the compiler's own form of the program in place of instructions have nothing to make private.
   With -ffat-lto-objects they have both, and the link takes the instructions. */

#include "tools/upcc/upcc.h"

#include <string.h>

void
set_lto (struct options *options, const struct option_row *row, const char *value)
{
  options->lto = starts_with (row->name, "-flto") ? arena_format ("%s%s", row->name, value) : NULL;
}

void
set_fat_lto (struct options *options, const struct option_row *row, const char *value)
{
  (void) value;
  options->has_fat_lto = strcmp (row->name, "-ffat-lto-objects") == 0;
}

void
settle_lto (struct options *options)
{
  if (!options->lto)
    return;
  if (!options->has_fat_lto)
    fail_usage (
        "'%s': link-time optimisation leaves no instructions to make private; -ffat-lto-objects adds them",
        options->lto);
  words_add_these (&options->compile, options->lto, "-ffat-lto-objects", NULL);
}
