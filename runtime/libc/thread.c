/* Threads that the program, or a shared library of it, creates in addition to the UPC threads. */

#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* The number of live threads that the UPC thread has created. Written by them, when each is
   created and as its last act; read by the UPC thread's first one. Nobody waits for those of
   shared libraries: they may live for ever. */
static _Atomic uint32_t living;

/* The same with those of shared libraries. */
static _Atomic int created;

struct birth
{
  void *(*start) (void *); /* or, for thrd_create, */
  thrd_start_t start_c11;
  void *argument;
  bool is_library; /* a shared library creates it, on the UPC thread's behalf */
  struct upcr_owner owner;
};

/* Release: whoever waits for the thread sees what it did. */
static void
leave (void *is_library)
{
  atomic_fetch_sub_explicit (&created, 1, memory_order_relaxed);
  if (!is_library && atomic_fetch_sub_explicit (&living, 1, memory_order_release) == 1)
    upcr_unpark_all (&living);
}

static void *
begin_thread (void *argument)
{
  struct birth birth = *(struct birth *) argument;
  void *result;

  upcr_block_begin_posix_thread (birth.owner);
  free (argument);
  /* Also when it ends in pthread_exit. */
  pthread_cleanup_push (leave, birth.is_library ? &living : NULL);
  if (birth.start)
    result = birth.start (birth.argument);
  else
    result = (void *) (intptr_t) birth.start_c11 (birth.argument);
  pthread_cleanup_pop (1);
  return result;
}

int
upcr_created_threads (void)
{
  return atomic_load_explicit (&created, memory_order_relaxed);
}

void
upcr_await_created_threads (void)
{
  uint32_t left;

  upcr_set_wait_reason ("pthread_exit", NULL);
  while ((left = atomic_load_explicit (&living, memory_order_acquire)) != 0)
    upcr_park_while (&living, left);
}

static int
create_thread (pthread_t *thread, const pthread_attr_t *attributes, struct birth birth)
{
  struct birth *copy = malloc (sizeof *copy);
  int error;

  if (!copy)
    return EAGAIN;
  *copy = birth;
  copy->owner = upcr_block_owner ();
  upcr_block_share ();
  atomic_fetch_add_explicit (&created, 1, memory_order_relaxed);
  if (!birth.is_library)
    atomic_fetch_add_explicit (&living, 1, memory_order_relaxed);
  error = upcr_create_posix_thread (thread, attributes, begin_thread, copy);
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
