/* How an event changes the heaps: what has become of a block's bytes, and whose they are. A block keeps its
   change as it was allocated (blocks.c), and is freed with the same one. So threads may free each other's
   blocks, and of a block that all free together one thread's event has the change. */

#include "tools/trace/events.h"
#include "tools/trace/recorder/recorder.h"

#define WITH_LESS(change) ((change) | (uint64_t) TRACE_LESS << 52)

/* The change from a block BEFORE to one NOW, each with its own or 0; they are the same heap's. */
static uint64_t
distance (uint64_t before, uint64_t now)
{
  uint64_t less = trace_bytes_of (before), more = trace_bytes_of (now);
  uint64_t rest = (now ? now : before) & ~TRACE_MAX_BYTES;

  return more >= less ? rest | (more - less) : WITH_LESS (rest | (less - more));
}

/* CHANGE, if the block is there and its end will be known. One that was at its place has been freed by code that
   tells nobody, as of C libraries. */
static unsigned
allocated (uint64_t key, uint64_t change, uint64_t *word)
{
  uint64_t before = key ? take_block (key) : 0;
  bool is_same_heap = (before & ~TRACE_MAX_BYTES) == (change & ~TRACE_MAX_BYTES);

  if (!key || !add_block (key, change))
    return 0;
  *word = is_same_heap ? distance (before, change) : change;
  return 1;
}

static uint64_t
private_key (va_list *args)
{
  return (uint64_t) (uintptr_t) va_arg (*args, void *);
}

/* 0: a null pointer-to-shared. */
static uint64_t
shared_key (const void *pointer)
{
  return upcall_is_null (pointer) ? 0 : upcall_place_of (pointer);
}

uint64_t
begin_realloc (gasp_context_t context, va_list *args)
{
  context->reallocated = take_block (private_key (args));
  return va_arg (*args, size_t);
}

/* The distance from the block that was to the one that is. Where there is no memory the old one stays. */
static unsigned
reallocated (gasp_context_t context, va_list *args, uint64_t *word)
{
  uint64_t old = private_key (args), before = context->reallocated, now = va_arg (*args, size_t);
  uint64_t key = private_key (args);

  if (!key && now)
    {
      if (before)
        add_block (old, before);
      return 0;
    }
  now = trace_transfer (now, context->thread, 0);
  *word = distance (before, allocated (key, now, word) ? now : 0);
  return 1;
}

/* Blocks of a symmetric one go to the threads in turn, and it takes as much of each. */
static unsigned
symmetric (bool is_counted, va_list *args, uint64_t *word)
{
  size_t blocks = va_arg (*args, size_t), bytes = va_arg (*args, size_t);
  size_t each = (blocks + upcall_threads () - 1) / upcall_threads () * bytes;
  const void *pointer = va_arg (*args, void *);

  return is_counted ? allocated (shared_key (pointer),
                                 trace_transfer (each, TRACE_EACH, TRACE_SHARED_HEAP), word)
                    : 0;
}

unsigned
take_allocated (gasp_context_t context, unsigned payload, va_list *args, uint64_t *word)
{
  uint64_t bytes;

  if (payload == TRACE_REALLOC)
    return reallocated (context, args, word);
  /* All threads have the event of one block. */
  if (payload == TRACE_ALL_BLOCK || payload == TRACE_GLOBAL_BLOCK)
    return symmetric (payload == TRACE_GLOBAL_BLOCK || context->thread == 0, args, word);
  bytes = va_arg (*args, size_t);
  if (payload == TRACE_MALLOC)
    return allocated (private_key (args), trace_transfer (bytes, context->thread, 0), word);
  return allocated (shared_key (va_arg (*args, void *)),
                    trace_transfer (bytes, context->thread, TRACE_SHARED_HEAP), word);
}

unsigned
take_freed (const char *letters, va_list *args, uint64_t *word)
{
  uint64_t key = letters[0] == 'v' ? private_key (args) : shared_key (va_arg (*args, void *));
  uint64_t change = key ? take_block (key) : 0;

  *word = WITH_LESS (change);
  return change != 0;
}
