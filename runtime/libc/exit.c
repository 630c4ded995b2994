/* Exit handlers of one thread: a list that grows at its head and is run from it,
   so a handler may register more. */

#include "runtime/libc/libc.h"

#include "runtime/host/host.h"
#include "runtime/start/start.h"

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

/* Of libc; no header declares them. */
int __cxa_atexit (void (*call) (void *), void *argument, void *dso);
int __cxa_thread_atexit_impl (void (*call) (void *), void *argument, void *dso);

static __thread struct handler *handlers;
static __thread struct handler *thread_local_handlers;
static __thread bool destructors_done;

static struct handler *
add_handler (struct handler **list, enum kind kind, void *argument)
{
  struct handler *handler = malloc (sizeof *handler);

  if (!handler)
    return NULL;
  *handler = (struct handler){ .next = *list, .kind = kind, .argument = argument };
  *list = handler;
  return handler;
}

int
upcr_atexit (void (*call) (void))
{
  struct handler *handler;

  if (!upcr_is_upc_thread ())
    return atexit (call);
  handler = add_handler (&handlers, ATEXIT, NULL);
  if (!handler)
    return -1;
  handler->call.plain = call;
  return 0;
}

int
upcr_on_exit (void (*call) (int, void *), void *argument)
{
  struct handler *handler;

  if (!upcr_is_upc_thread ())
    return on_exit (call, argument);
  handler = add_handler (&handlers, ON_EXIT, argument);
  if (!handler)
    return -1;
  handler->call.with_status = call;
  return 0;
}

int
upcr_cxa_atexit (void (*call) (void *), void *argument, void *dso)
{
  struct handler *handler;

  if (!upcr_is_upc_thread ())
    return __cxa_atexit (call, argument, dso);
  handler = add_handler (&handlers, CXA_ATEXIT, argument);
  if (!handler)
    return -1;
  handler->call.with_argument = call;
  return 0;
}

int
upcr_cxa_thread_atexit (void (*call) (void *), void *argument, void *dso)
{
  struct handler *handler;

  if (!upcr_is_upc_thread ())
    return __cxa_thread_atexit_impl (call, argument, dso);
  handler = add_handler (&thread_local_handlers, CXA_ATEXIT, argument);
  if (!handler)
    return -1;
  handler->call.with_argument = call;
  return 0;
}

static void
run_handlers (struct handler **list, int status)
{
  struct handler *handler;

  while ((handler = *list))
    {
      struct handler this = *handler;
      *list = this.next;
      free (handler);
      if (this.kind == ATEXIT)
        this.call.plain ();
      else if (this.kind == ON_EXIT)
        this.call.with_status (status, this.argument);
      else
        this.call.with_argument (this.argument);
    }
}

void
upcr_exit (int status)
{
  if (!upcr_is_upc_thread ())
    upcr_end_process (status);
  if (upcr_before_exit)
    upcr_before_exit (status);
  run_handlers (&thread_local_handlers, status);
  run_handlers (&handlers, status);
  if (!destructors_done)
    {
      destructors_done = true;
      upcr_private_destruct ();
    }
  upcr_thread_end (status);
}
