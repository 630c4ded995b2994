/* Switches that UPC's other drivers have too, those of GNU UPC and of Berkeley UPC. */

#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>

static _Noreturn void
fail_value (const struct option_row *row, const char *value, const char *why)
{
  fail_usage ("invalid value in '%s%s%s'; %s", row->name, row->form == FORM_SEPARATE ? " " : "",
              value, why);
}

void
set_pts (struct options *options, const struct option_row *row, const char *value)
{
  options->chooses_pts = true;
  options->struct_pts = strcmp (value, "struct") == 0;
  if (!options->struct_pts && strcmp (value, "packed") != 0)
    fail_value (row, value, "expected packed or struct");
}

void
set_threads (struct options *options, const struct option_row *row, const char *value)
{
  char *end;
  long n = strtol (value, &end, 10);

  if (*value < '0' || *value > '9' || *end || n < 1 || n > MAX_THREADS)
    fail_value (row, value, arena_format ("expected a number from 1 to %d", MAX_THREADS));
  options->threads = n;
}

void
accept (struct options *options, const struct option_row *row, const char *value)
{
  (void) options, (void) row, (void) value;
}

void
accept_number (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  if (!*value || value[strspn (value, "0123456789")])
    fail_value (row, value, "expected a number");
}

/* Heaps grow as they are used: any size that a partition has room for is there. */
void
accept_heap (struct options *options, const struct option_row *row, const char *value)
{
  size_t digits = strspn (value, "0123456789");
  const char *unit = value + digits, *units = "KMG";
  double bytes = strtod (value, NULL);

  (void) options;
  if (!*unit)
    unit = "M";
  if (!digits || !strchr (units, *unit) || (unit[1] && strcmp (unit + 1, "B") != 0))
    fail_value (row, value, "expected a size such as 64M");
  for (const char *u = units - 1; u < strchr (units, *unit); u++)
    bytes *= 1024;
  if (bytes > 8.0 * (1ul << 30))
    fail_value (row, value, "larger than a thread's partition");
}

/* Cray's `cc -h upc`. */
void
accept_language (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  if (strcmp (value, "upc") != 0)
    fail_value (row, value, "expected upc");
}

void
accept_network (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  if (strcmp (value, "smp") != 0)
    fail_value (row, value, "expected smp");
}
