/* Fork handlers. Libraries that are private register theirs in each UPC thread, where they
   lock and free what is that thread's; a fork calls those of the thread that forks, in the
   order of pthread_atfork. */

#include "runtime/libc/buffer.h"
#include "runtime/libc/libc.h"

#include <errno.h>

struct fork_handlers
{
  void (*prepare) (void), (*parent) (void), (*child) (void);
};

static __thread struct upcr_thread_buffer kept;
static __thread size_t registered;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int registration_error;

/* None any more where the thread's end has freed them. */
static size_t
handler_count (void)
{
  return kept.memory ? registered : 0;
}

static void
prepare (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = handler_count (); i-- > 0;)
    if (handlers[i].prepare)
      handlers[i].prepare ();
}

static void
parent (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = 0; i < handler_count (); i++)
    if (handlers[i].parent)
      handlers[i].parent ();
}

static void
child (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = 0; i < handler_count (); i++)
    if (handlers[i].child)
      handlers[i].child ();
}

static void
register_all (void)
{
  registration_error = pthread_atfork (prepare, parent, child);
}

int
upcr_pthread_atfork (void (*prepare_one) (void), void (*parent_one) (void),
                     void (*child_one) (void))
{
  struct fork_handlers one = { prepare_one, parent_one, child_one };
  size_t count = handler_count ();

  pthread_once (&once, register_all);
  if (registration_error || ((count + 1) * sizeof one > kept.bytes && !upcr_buffer_grow (&kept)))
    return ENOMEM;
  ((struct fork_handlers *) kept.memory)[count] = one;
  registered = count + 1;
  return 0;
}
