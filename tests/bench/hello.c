/* The UPC program whose start and exit are measured. */

#include <stdio.h>

extern int THREADS;
extern __thread int MYTHREAD;
int upc_main (void);

int
upc_main (void)
{
  printf ("hello from thread %d of %d\n", MYTHREAD, THREADS);
  return 0;
}
