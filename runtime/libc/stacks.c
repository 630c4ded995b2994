/* A stack goes when its thread has been joined; that of a detached thread when the
   kernel has no such thread any more, which is looked at when the next one is made. */

#include "runtime/libc/stacks.h"

#include "runtime/start/start.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define GUARD_BYTES (64ul << 10)

/* Besides what the program asks for: the descriptor, and what ThreadSanitizer insists on. */
#define SLACK_BYTES (128ul << 10)

struct stack
{
  struct stack *next;
  char *memory;
  size_t bytes;
  pthread_t thread;
  pid_t tid; /* 0 until it has begun */
  bool is_detached;
};

/* Guards the list and all in it; held while a thread is made, so that the thread finds
   itself. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct stack *stacks;

static void
release (struct stack *stack)
{
  munmap (stack->memory, stack->bytes);
  free (stack);
}

/* A number that the kernel has given to another thread of this process since only
   keeps the stack longer. */
static bool
is_gone (const struct stack *stack)
{
  return stack->is_detached && stack->tid && tgkill (getpid (), stack->tid, 0) < 0
         && errno == ESRCH;
}

static void
release_gone (void)
{
  for (struct stack **at = &stacks, *stack; (stack = *at);)
    if (is_gone (stack))
      {
        *at = stack->next;
        release (stack);
      }
    else
      at = &stack->next;
}

static struct stack *
make_stack (pthread_attr_t *attributes, size_t bytes)
{
  struct stack *stack = calloc (1, sizeof *stack);

  if (!stack)
    return NULL;
  bytes = (bytes + SLACK_BYTES + 4095) & -4096ul;
  stack->bytes = GUARD_BYTES + bytes + upcr_bss_bytes ();
  stack->memory = mmap (NULL, stack->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack->memory == MAP_FAILED)
    {
      free (stack);
      return NULL;
    }
  if (mprotect (stack->memory, GUARD_BYTES, PROT_NONE)
      || pthread_attr_setstack (attributes, stack->memory + GUARD_BYTES, bytes))
    {
      release (stack);
      return NULL;
    }
  return stack;
}

int
upcr_stack_create (pthread_t *thread, pthread_attr_t *attributes, size_t bytes,
                   void *(*start) (void *), void *argument)
{
  struct stack *stack = make_stack (attributes, bytes);
  int error, state;

  if (!stack)
    return EAGAIN;
  stack->is_detached = pthread_attr_getdetachstate (attributes, &state) == 0
                       && state == PTHREAD_CREATE_DETACHED;
  pthread_mutex_lock (&lock);
  release_gone ();
  error = UPCR_NEXT (pthread_create) (&stack->thread, attributes, start, argument);
  if (error)
    release (stack);
  else
    {
      *thread = stack->thread;
      stack->next = stacks;
      stacks = stack;
    }
  pthread_mutex_unlock (&lock);
  return error;
}

/* Where THREAD's stack is in the list, or its end; the lock is held. */
static struct stack **
find (pthread_t thread)
{
  struct stack **at = &stacks;

  while (*at && !pthread_equal ((*at)->thread, thread))
    at = &(*at)->next;
  return at;
}

void
upcr_stack_begin (void)
{
  struct stack *stack;

  if (!upcr_bss_bytes ())
    return;
  pthread_mutex_lock (&lock);
  stack = *find (pthread_self ());
  if (stack)
    stack->tid = gettid ();
  pthread_mutex_unlock (&lock);
}

void
upcr_stack_joined (pthread_t thread)
{
  struct stack **at, *stack;

  pthread_mutex_lock (&lock);
  at = find (thread);
  stack = *at;
  if (stack)
    *at = stack->next;
  pthread_mutex_unlock (&lock);
  if (stack)
    release (stack);
}

void
upcr_stack_detached (pthread_t thread)
{
  struct stack *stack;

  pthread_mutex_lock (&lock);
  stack = *find (thread);
  if (stack)
    stack->is_detached = true;
  pthread_mutex_unlock (&lock);
}
