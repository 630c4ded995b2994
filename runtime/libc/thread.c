/* Threads that the program makes beside the UPC threads. */

#include "runtime/libc/exit.h"
#include "runtime/libc/libc.h"
#include "runtime/start/private.h"
#include "runtime/start/start.h"
#include "runtime/sync/stuck.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <stdlib.h>

/* Threads that live, by the UPC thread that made them. Written by the threads, each when
   it is made and as its last act; read by that UPC thread. */
static _Atomic uint32_t living[UPCR_MAX_THREADS];

struct birth
{
  void *(*start) (void *);   /* or, for thrd_create, */
  thrd_start_t start_c11;
  void *argument;
  int upc_thread;            /* that made it */
};

/* Release: who waits for the thread sees what it did. */
static void
leave (void *unused)
{
  (void) unused;
  if (atomic_fetch_sub_explicit (&living[MYTHREAD], 1, memory_order_release) == 1)
    upcr_unpark_all (&living[MYTHREAD]);
}

static void *
begin_thread (void *argument)
{
  struct birth birth = *(struct birth *) argument;
  void *result;

  free (argument);
  MYTHREAD = birth.upc_thread;
  upcr_private_fix ();
  /* Also when it ends in pthread_exit. */
  pthread_cleanup_push (leave, NULL);
  if (birth.start)
    result = birth.start (birth.argument);
  else
    result = (void *) (intptr_t) birth.start_c11 (birth.argument);
  pthread_cleanup_pop (1);
  return result;
}

void
upcr_await_made_threads (void)
{
  uint32_t left;

  upcr_waits_in ("pthread_exit", NULL);
  while ((left = atomic_load_explicit (&living[MYTHREAD], memory_order_acquire)) != 0)
    upcr_park_while (&living[MYTHREAD], left);
}

/* The program's attributes, in memory of their own with a larger stack: its private
   data is taken out of it. A stack that the program brings is as large as it is. */
static void
add_private_room (pthread_attr_t *attributes)
{
  void *stack;
  size_t from_top, bytes;

  /* Without an address glibc counts from 0. */
  pthread_attr_getstack (attributes, &stack, &from_top);
  if ((uintptr_t) stack + from_top == 0 && pthread_attr_getstacksize (attributes, &bytes) == 0)
    pthread_attr_setstacksize (attributes, bytes + upcr_tls_bytes ());
}

static int
create_thread (pthread_t *thread, const pthread_attr_t *attributes, struct birth birth)
{
  struct birth *copy = malloc (sizeof *copy);
  pthread_attr_t larger;
  int error;

  if (!copy)
    return EAGAIN;
  *copy = birth;
  copy->upc_thread = MYTHREAD;
  /* A copy without an owner: what it points to stays the program's. */
  if (attributes)
    larger = *attributes;
  else
    pthread_attr_init (&larger);
  add_private_room (&larger);
  atomic_fetch_add_explicit (&living[MYTHREAD], 1, memory_order_relaxed);
  error = pthread_create (thread, &larger, begin_thread, copy);
  if (!attributes)
    pthread_attr_destroy (&larger);
  if (error)
    {
      leave (NULL);
      free (copy);
    }
  return error;
}

int
upcr_pthread_create (pthread_t *thread, const pthread_attr_t *attributes, void *(*start) (void *),
                     void *argument)
{
  return create_thread (thread, attributes, (struct birth){ .start = start, .argument = argument });
}

/* The result is in the pointer as in glibc, whose thrd_exit puts it there too. */
int
upcr_thrd_create (thrd_t *thread, thrd_start_t start, void *argument)
{
  int error = create_thread (thread, NULL, (struct birth){ .start_c11 = start, .argument = argument });

  if (error == 0)
    return thrd_success;
  return error == ENOMEM || error == EAGAIN ? thrd_nomem : thrd_error;
}

/* glibc's own would do, but ThreadSanitizer does not see them. */
int
upcr_thrd_join (thrd_t thread, int *result)
{
  void *value;

  if (pthread_join (thread, &value))
    return thrd_error;
  if (result)
    *result = (intptr_t) value;
  return thrd_success;
}

int
upcr_thrd_detach (thrd_t thread)
{
  return pthread_detach (thread) ? thrd_error : thrd_success;
}
