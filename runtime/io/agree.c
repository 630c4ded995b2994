/* What thread 0 tells the other threads about a file. */

#include "runtime/io/file.h"
#include "runtime/sync/sync.h"

#include <errno.h>

long
upcr_file_agree (const char *what, long value)
{
  struct upcr_broadcast mine = { .what = what, .arguments = { value, errno } };
  const struct upcr_broadcast *first = upcr_broadcast_from_0 (&mine);

  value = first->arguments[0];
  if (value < 0)
    errno = first->arguments[1];
  return value;
}
