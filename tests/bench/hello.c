/* The UPC program whose start and exit are measured. */

#include "runtime/host/host.h"

#include <stdio.h>

int upc_main (void);

int
upc_main (void)
{
  printf ("hello from thread %d of %d\n", MYTHREAD, THREADS);
  return 0;
}
