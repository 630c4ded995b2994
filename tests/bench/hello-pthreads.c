/* The same with nothing but POSIX threads: THREADS of them, the first included. */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int threads;

static void *
hello (void *number)
{
  printf ("hello from thread %d of %d\n", (int) (intptr_t) number, threads);
  return NULL;
}

int
main (void)
{
  const char *wanted = getenv ("THREADS");
  threads = wanted ? atoi (wanted) : 1;
  pthread_t *handles = calloc (threads, sizeof *handles);

  for (intptr_t i = 1; i < threads; i++)
    if (pthread_create (&handles[i], NULL, hello, (void *) i))
      return 1;
  hello (0);
  for (int i = 1; i < threads; i++)
    pthread_join (handles[i], NULL);
  free (handles);
  return 0;
}
