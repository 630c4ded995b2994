/* Fork handlers. Private libraries register theirs in each UPC thread, in which they lock and
   release what belongs to that thread. A fork calls the handlers of the UPC thread that forks,
   in the order of pthread_atfork. */

#include "runtime/libc/buffer.h"
#include "runtime/libc/libc.h"

#include <errno.h>

struct fork_handlers
{
  void (*prepare) (void), (*parent) (void), (*child) (void);
};

static struct upcr_buffer kept;
static size_t registered;

static UPCR_OF_PROCESS pthread_once_t once = PTHREAD_ONCE_INIT;
static UPCR_OF_PROCESS int registration_error;

static void
prepare (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = registered; i-- > 0;)
    if (handlers[i].prepare)
      handlers[i].prepare ();
}

static void
parent (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = 0; i < registered; i++)
    if (handlers[i].parent)
      handlers[i].parent ();
}

static void
child (void)
{
  const struct fork_handlers *handlers = kept.memory;

  for (size_t i = 0; i < registered; i++)
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

  pthread_once (&once, register_all);
  if (registration_error
      || ((registered + 1) * sizeof one > kept.bytes && !upcr_buffer_grow (&kept)))
    return ENOMEM;
  ((struct fork_handlers *) kept.memory)[registered++] = one;
  return 0;
}
