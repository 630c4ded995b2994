/* Switches that UPC's other drivers have too, those of GNU UPC and of Berkeley UPC. */

#include "runtime/host/size.h"
#include "tools/upcc/upcc.h"

#include <stdlib.h>
#include <string.h>

static _Noreturn void
fail_value (const struct option_row *row, const char *value, const char *why)
{
  const char *separator = row->form == FORM_SEPARATE                            ? " "
                          : row->form == FORM_VALUE || row->form == FORM_NUMBER ? "="
                                                                                : "";

  fail_usage ("invalid value in '%s%s%s'; %s", row->name, separator, value, why);
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

/* Heaps grow as they are used: any size that a partition has room for is there. Berkeley's
   driver takes a bare number as megabytes. */
void
accept_heap (struct options *options, const struct option_row *row, const char *value)
{
  size_t bytes;

  (void) options;
  if (!upcr_parse_size (value, 'M', &bytes))
    fail_value (row, value, "expected a size such as 64M");
}

/* Cray's `cc -h upc`, `-hupc`, `-h upc,noomp`: a list with upc in it. */
void
accept_language (struct options *options, const struct option_row *row, const char *value)
{
  const char *word = value;

  (void) options;
  while (strncmp (word, "upc", 3) != 0 || (word[3] && word[3] != ','))
    {
      word = strchr (word, ',');
      if (!word++)
        fail_value (row, value, "expected upc");
    }
}

/* IBM's switches begin with -q; the number of threads is one of them. */
void
set_ibm (struct options *options, const struct option_row *row, const char *value)
{
  static const char threads[] = "upc=threads=";

  if (!*value)
    fail_usage ("unknown switch '%s'", row->name);
  if (starts_with (value, threads))
    set_threads (options, row, value + strlen (threads));
}

/* GNU UPC's command has -n N and -nN. */
void
set_threads_of_gnu (struct options *options, const struct option_row *row, const char *value)
{
  if (*value < '0' || *value > '9')
    fail_usage ("unknown switch '%s%s'", row->name, value);
  set_threads (options, row, value);
}

/* GNU and Clang UPC can put the address first or last: no program sees which. */
void
accept_order (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  if (strcmp (value, "first") != 0 && strcmp (value, "last") != 0)
    fail_value (row, value, "expected first or last");
}

/* Clang UPC's switch for how a pointer-to-shared is packed. */
void
accept_packed_bits (struct options *options, const struct option_row *row, const char *value)
{
  (void) options;
  if (strcmp (value, "20,10,34") != 0)
    fail_value (row, value, "packed pointers-to-shared have 20,10,34");
}

void
set_network (struct options *options, const struct option_row *row, const char *value)
{
  if (!*value)
    fail_value (row, value, "expected a name");
  options->network = strcmp (value, "smp") == 0 ? NULL : value;
}

void
set_linker (struct options *options, const struct option_row *row, const char *value)
{
  if (!*value)
    fail_value (row, value, "expected a command");
  options->linker = value;
}
