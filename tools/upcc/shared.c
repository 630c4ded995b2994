/* -shared: a library that starts UPC threads (upct.h), with a runtime of its own. */

#include "tools/upcc/upcc.h"

#include <string.h>

void
set_shared (struct options *options, const struct option_row *row, const char *value)
{
  (void) row, (void) value;
  options->is_shared = true;
  words_add (&options->compile, "-fPIC");
}

/* What the runtime for libraries does not have. */
void
check_shared (const struct options *options)
{
  const char *other = options->is_static                            ? "-static"
                      : options->is_pie                             ? "-pie"
                      : options->race                               ? "-fupc-check=race"
                      : options->profile.trace                      ? "--trace"
                      : strcmp (first_pts (options), "struct") == 0 ? "-fupc-pts=struct"
                      : has_sanitizer_of_memory (options)           ? "-fsanitize"
                                                                    : NULL;

  if (other)
    fail_usage ("-shared and %s cannot be combined", other);
}

/* For the last link. The names of the runtime are not those of others in the process, and the library
   stays when it is closed: its threads run in it. */
void
add_shared (struct words *command)
{
  words_add_these (command, "-shared", "-Wl,-Bsymbolic,-z,nodelete", "-Wl,--exclude-libs,ALL",
                   NULL);
}
