/* UPC_COLL in the environment. */

#include "runtime/coll/tuning.h"

#include "runtime/coll/algorithms.h"
#include "runtime/host/host.h"

#include <stdlib.h>
#include <string.h>

int
upcr_forced_algorithm (void)
{
  static const char *const names[] = {
#define ROW(name, kinds) #name,
    UPCR_ALGORITHMS (ROW)
#undef ROW
  };
  const char *wanted = getenv ("UPC_COLL");

  if (!wanted || !*wanted)
    return UPCR_ANY_ALGORITHM;
  for (int i = 0; i < (int) (sizeof names / sizeof *names); i++)
    if (strcmp (wanted, names[i]) == 0)
      return i;
#define ROW(name, kinds) " " #name
  upcr_fatal ("UPC_COLL: no algorithm is called '%s'; there are:" UPCR_ALGORITHMS (ROW), wanted);
#undef ROW
}
