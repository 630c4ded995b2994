/* What is compared of a call of a collective function if other processes have threads. */

#include "runtime/coll/network/check.h"

#include "runtime/coll/network/tile.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdio.h>

enum value
{
  FLAGS,
  ROOT,
  SIZE,
  ELEMENT,
  SOURCE,
  DESTINATION,
  BLOCK,
  OFFSET,
  OPERATION,
  VALUES
};

_Static_assert((int) VALUES <= UPCR_CALL_VALUES, "a note has room for them");

static bool
computes (const struct upcr_coll *call)
{
  return call->kind == UPCR_REDUCE || call->kind == UPCR_REDUCE_ALL || call->kind == UPCR_SCAN;
}

/* Processes have the program at different addresses. */
static uint64_t
place_in_program (void (*function) (void))
{
  return function ? (uintptr_t) function - (uintptr_t) upcr_compare_call : 0;
}

static struct upcr_call_note
note_of (const struct upcr_coll *call)
{
  struct upcr_call_note note = { .thread = MYTHREAD };
  uint64_t *values = note.values;

  snprintf (note.what, sizeof note.what, "%s", call->what);
  values[FLAGS] = call->flags;
  values[ROOT] = call->root;
  values[SOURCE] = (uintptr_t) upcr_at_thread (call->src, 0);
  values[DESTINATION] = (uintptr_t) upcr_at_thread (call->dst, 0);
  values[SIZE] = computes (call) ? call->count : call->bytes;
  if (computes (call))
    {
      values[ELEMENT] = call->op->bytes;
      values[BLOCK] = call->source.block;
      values[OFFSET] = call->source.offset;
      values[OPERATION] = 31 * place_in_program ((void (*) (void)) call->op->fold)
                          + place_in_program (call->op->function);
    }
  return note;
}

static _Noreturn void
refuse (const struct upcr_coll *call, const struct upcr_call_note *mine,
        const struct upcr_call_note *first, int which)
{
  static const char *const numbers[VALUES] = { [ROOT] = "the root",
                                               [ELEMENT] = "the size of an element",
                                               [BLOCK] = "the source's block size",
                                               [OFFSET] = "the source's offset" };
  static const char *const others[VALUES]
      = { [SOURCE] = "source", [DESTINATION] = "destination", [OPERATION] = "operation" };
  const char *name = numbers[which < 0 ? 0 : which];

  if (which == UPCR_ANOTHER_CALL)
    upcr_fatal ("%s, but thread %d calls %s", call->what, first->thread, first->what);
  if (which == FLAGS)
    upcr_fatal ("%s: the flags are 0x%x, but 0x%x on thread %d", call->what,
                (unsigned) mine->values[which], (unsigned) first->values[which], first->thread);
  if (which == SIZE)
    name = computes (call) ? "the number of elements" : "nbytes";
  if (!name)
    upcr_fatal ("%s: another %s than on thread %d", call->what, others[which], first->thread);
  upcr_fatal ("%s: %s is %zu, but %zu on thread %d", call->what, name, (size_t) mine->values[which],
              (size_t) first->values[which], first->thread);
}

void
upcr_compare_call (const struct upcr_coll *call)
{
  struct upcr_call_note mine = note_of (call), first;
  int difference = upcr_compare_calls (UPCR_CALLS_OF_COLLECTIVES, &mine, &first);

  if (difference != UPCR_SAME_CALL)
    refuse (call, &mine, &first, difference);
}
