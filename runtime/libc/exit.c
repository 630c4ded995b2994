/* Exit handlers of a UPC thread: a list that grows at its head and runs from its head, so a
   handler may register more. */

#include "runtime/libc/libc.h"

#include "runtime/host/host.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"

#include <stdbool.h>
#include <stdlib.h>

enum kind
{
  ATEXIT,
  ON_EXIT,
  CXA_ATEXIT
};

struct handler
{
  struct handler *next;
  enum kind kind;
  union
  {
    void (*plain) (void);
    void (*with_status) (int, void *);
    void (*with_argument) (void *);
  } call;
  void *argument;
};

/* Of libc; no header declares it. */
int __cxa_thread_atexit_impl (void (*call) (void *), void *argument, void *dso);

/* Guards the lists: any thread of the UPC thread may register. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct handler *handlers;
static struct handler *thread_local_handlers; /* of the first thread */
static bool destructors_done;

/* 0, or -1 where there is no memory for it. */
static int
add_handler (struct handler **list, struct handler handler)
{
  struct handler *copy = malloc (sizeof *copy);

  if (!copy)
    return -1;
  *copy = handler;
  pthread_mutex_lock (&lock);
  copy->next = *list;
  *list = copy;
  pthread_mutex_unlock (&lock);
  return 0;
}

/* False: there is none any more. */
static bool
take_handler (struct handler **list, struct handler *handler)
{
  struct handler *first;

  pthread_mutex_lock (&lock);
  first = *list;
  if (first)
    {
      *handler = *first;
      *list = first->next;
    }
  pthread_mutex_unlock (&lock);
  free (first);
  return first;
}

int
upcr_atexit (void (*call) (void))
{
  return add_handler (&handlers, (struct handler){ .kind = ATEXIT, .call.plain = call });
}

int
upcr_on_exit (void (*call) (int, void *), void *argument)
{
  return add_handler (
      &handlers,
      (struct handler){ .kind = ON_EXIT, .call.with_status = call, .argument = argument });
}

int
upcr_cxa_atexit (void (*call) (void *), void *argument, void *dso)
{
  (void) dso;
  return add_handler (
      &handlers,
      (struct handler){ .kind = CXA_ATEXIT, .call.with_argument = call, .argument = argument });
}

int
upcr_cxa_thread_atexit (void (*call) (void *), void *argument, void *dso)
{
  if (!upcr_is_upc_thread ())
    return __cxa_thread_atexit_impl (call, argument, dso);
  return add_handler (
      &thread_local_handlers,
      (struct handler){ .kind = CXA_ATEXIT, .call.with_argument = call, .argument = argument });
}

static void
run_handlers (struct handler **list, int status)
{
  struct handler handler;

  while (take_handler (list, &handler))
    if (handler.kind == ATEXIT)
      handler.call.plain ();
    else if (handler.kind == ON_EXIT)
      handler.call.with_status (status, handler.argument);
    else
      handler.call.with_argument (handler.argument);
}

/* In a thread that is not the first of its UPC thread, the objects that are thread_local in the
   first one stay: they are not this one's, which is what a process destroys. */
void
upcr_run_exit_handlers (int status)
{
  if (upcr_before_exit)
    upcr_before_exit (status);
  if (upcr_is_upc_thread ())
    run_handlers (&thread_local_handlers, status);
  run_handlers (&handlers, status);
  if (!destructors_done)
    {
      destructors_done = true;
      upcr_private_destruct ();
    }
}

void
upcr_exit (int status)
{
  upcr_thread_claim_end ();
  upcr_run_exit_handlers (status);
  upcr_exclusive_end ();
  /* Thread 0's first one is the process's, which is always there. */
  if (!upcr_is_upc_thread ())
    upcr_left_threads += upcr_created_threads () + (MYTHREAD != 0);
  upcr_thread_end (status);
}
