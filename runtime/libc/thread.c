/* Threads that the program, or a shared library of it, creates besides the UPC threads. */

#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/libc/stacks.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The number of live threads of the program, by the UPC thread that created them. Written by
   the threads, when each is created and as its last act; read by that UPC thread. Nobody
   waits for those of shared libraries: they may live for ever. */
static _Atomic uint32_t living[UPCR_MAX_THREADS];

struct birth
{
  void *(*start) (void *); /* or, for thrd_create, */
  thrd_start_t start_c11;
  void *argument;
  int upc_thread;  /* that created it */
  bool is_library; /* a shared library did, on its behalf */
};

/* Release: whoever waits for the thread sees what it did. */
static void
leave (void *is_library)
{
  if (is_library)
    return;
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
  upcr_stack_begin ();
  upcr_private_fix ();
  /* Also when it ends in pthread_exit. */
  pthread_cleanup_push (leave, birth.is_library ? &living : NULL);
  if (birth.start)
    result = birth.start (birth.argument);
  else
    result = (void *) (intptr_t) birth.start_c11 (birth.argument);
  pthread_cleanup_pop (1);
  return result;
}

void
upcr_await_created_threads (void)
{
  uint32_t left;

  upcr_set_wait_reason ("pthread_exit", NULL);
  while ((left = atomic_load_explicit (&living[MYTHREAD], memory_order_acquire)) != 0)
    upcr_park_while (&living[MYTHREAD], left);
}

/* On a stack that is larger: private data is taken out of it. One that the program
   brings is as large as it is; but with large private data a new one is taken in its
   place, since what is above it is not free for the bss. */
static int
create_with (pthread_t *thread, pthread_attr_t *attributes, struct birth *birth)
{
  void *start;
  size_t from_top, bytes;
  bool has_bss = upcr_bss_bytes () != 0;

  pthread_attr_getstack (attributes, &start, &from_top);
  pthread_attr_getstacksize (attributes, &bytes);
  bytes += upcr_tls_bytes ();
  if (has_bss)
    return upcr_stack_create (thread, attributes, bytes, begin_thread, birth);
  /* Without an address glibc counts from 0. */
  if ((uintptr_t) start + from_top == 0)
    pthread_attr_setstacksize (attributes, bytes);
  return UPCR_NEXT (pthread_create) (thread, attributes, begin_thread, birth);
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
  if (!birth.is_library)
    atomic_fetch_add_explicit (&living[MYTHREAD], 1, memory_order_relaxed);
  error = create_with (thread, &larger, copy);
  if (!attributes)
    pthread_attr_destroy (&larger);
  if (error)
    {
      leave (birth.is_library ? &living : NULL);
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

int
upcr_library_pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*start) (void *), void *argument)
{
  return create_thread (thread, attributes,
                        (struct birth){ .start = start, .argument = argument, .is_library = true });
}

/* The result is in the pointer as in glibc, whose thrd_exit puts it there too. */
static int
create_c11_thread (thrd_t *thread, struct birth birth)
{
  int error = create_thread (thread, NULL, birth);

  if (error == 0)
    return thrd_success;
  return error == ENOMEM || error == EAGAIN ? thrd_nomem : thrd_error;
}

int
upcr_thrd_create (thrd_t *thread, thrd_start_t start, void *argument)
{
  return create_c11_thread (thread, (struct birth){ .start_c11 = start, .argument = argument });
}

int
upcr_library_thrd_create (thrd_t *thread, thrd_start_t start, void *argument)
{
  return create_c11_thread (
      thread, (struct birth){ .start_c11 = start, .argument = argument, .is_library = true });
}

int
upcr_pthread_join (pthread_t thread, void **result)
{
  int error = UPCR_NEXT (pthread_join) (thread, result);

  if (!error)
    upcr_stack_joined (thread);
  return error;
}

int
upcr_pthread_tryjoin_np (pthread_t thread, void **result)
{
  int error = UPCR_NEXT (pthread_tryjoin_np) (thread, result);

  if (!error)
    upcr_stack_joined (thread);
  return error;
}

int
upcr_pthread_timedjoin_np (pthread_t thread, void **result, const struct timespec *limit)
{
  int error = UPCR_NEXT (pthread_timedjoin_np) (thread, result, limit);

  if (!error)
    upcr_stack_joined (thread);
  return error;
}

int
upcr_pthread_clockjoin_np (pthread_t thread, void **result, clockid_t clock,
                           const struct timespec *limit)
{
  int error = UPCR_NEXT (pthread_clockjoin_np) (thread, result, clock, limit);

  if (!error)
    upcr_stack_joined (thread);
  return error;
}

int
upcr_pthread_detach (pthread_t thread)
{
  int error = UPCR_NEXT (pthread_detach) (thread);

  /* The thread may be gone by now, but its stack stays until this is said, and with it
     THREAD is no other thread's name. */
  if (!error)
    upcr_stack_detached (thread);
  return error;
}

/* glibc's own would do, but ThreadSanitizer does not see them. */
int
upcr_thrd_join (thrd_t thread, int *result)
{
  void *value;

  if (upcr_pthread_join (thread, &value))
    return thrd_error;
  if (result)
    *result = (intptr_t) value;
  return thrd_success;
}

int
upcr_thrd_detach (thrd_t thread)
{
  return upcr_pthread_detach (thread) ? thrd_error : thrd_success;
}
