/* What all threads find out together about a file, if other processes have some of them. */

#include "runtime/io/file.h"
#include "runtime/sync/sync.h"

#include <errno.h>

int
upcr_file_outcome (const char *what, int error)
{
  struct upcr_net_most all = upcr_collective_most ((struct upcr_net_most){ { error, 0 } }, what);

  if (all.value[0] == 0)
    return 0;
  errno = (int) all.value[0];
  return -1;
}

/* Behind it each thread asks whether thread 0 has come for the same. */
long
upcr_file_most (struct upcr_file *file, const char *what, long value, int error)
{
  struct upcr_net_most all = upcr_collective_most ((struct upcr_net_most){ { error, value } },
                                                   what);

  (void) file;
  upcr_broadcast_from_0 (&(struct upcr_broadcast){ .what = what });
  if (all.value[0] == 0)
    return all.value[1];
  errno = (int) all.value[0];
  return -1;
}
