/* Coverage and profiles of objects compiled by gcc (--coverage, -fprofile-generate). Counters
   are statics, so each thread has its own, and adds them to the count files when it ends. Each
   object's constructor registers its counters, and its destructor says that they are final.
   libgcov's own list of counters is for a process that ends once. */

#include "runtime/host/host.h"
#include "runtime/libc/buffer.h"
#include "runtime/libc/libc.h"

#include <pthread.h>
#include <stdlib.h>

/* Of libgcov. */
void __gcov_init (struct gcov_info *info);
void __gcov_dump (void);
void __gcov_reset (void);

/* This UPC thread's, that libgcov does not know yet. */
static struct upcr_buffer infos;
static size_t known, announced, final;

static UPCR_OF_PROCESS pthread_mutex_t one_by_one = PTHREAD_MUTEX_INITIALIZER;

/* What is in the list from earlier, of this thread and of those that have ended, has been
   set to 0 and adds nothing. The memory of threads that have ended stays until all have. */
static void
dump (void)
{
  struct gcov_info **info = infos.memory;

  pthread_mutex_lock (&one_by_one);
  for (; known < announced; known++)
    __gcov_init (info[known]);
  __gcov_dump ();
  __gcov_reset ();
  pthread_mutex_unlock (&one_by_one);
}

void
upcr_gcov_init (struct gcov_info *info)
{
  if ((announced + 1) * sizeof info > infos.bytes && !upcr_buffer_grow (&infos))
    upcr_fatal ("no memory for the coverage of this thread");
  ((struct gcov_info **) infos.memory)[announced++] = info;
}

void
upcr_gcov_exit (void)
{
  if (++final == announced)
    dump ();
}

void
upcr_gcov_dump (void)
{
  dump ();
}
