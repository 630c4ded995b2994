/* The comparison of calls if other processes have threads. Process 0 has a record of each call, of the first thread
   that made it, and each thread asks it. Nobody waits for the call of another thread, or correct programs could
   deadlock. The last thread to ask removes the record. */

#include "runtime/coll/network/check.h"

#include "runtime/coll/network/tile.h"
#include "runtime/host/host.h"
#include "runtime/net/net.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  WHAT_BYTES = 32
};

enum value
{
  NAME = -2, /* another function is called */
  NOTHING = -1,
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

/* A call, as it may be compared in another process. */
struct question
{
  char what[WHAT_BYTES];
  uint64_t number;
  uint64_t values[VALUES];
  int thread;
};

struct reply
{
  char what[WHAT_BYTES];
  uint64_t value; /* of what differs */
  int difference, thread;
};

_Static_assert(sizeof (struct question) <= UPCR_NET_ARGUMENT_BYTES, "a call has room for it");

struct record
{
  struct record *next;
  struct question first;
  int compared;
};

/* In the order of calls. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record *records;

/* How many calls each thread of this process has made. */
static struct
{
  _Alignas(64) uint64_t calls;
} own[UPCR_MAX_THREADS];

/* The link of the record of NUMBER, which MINE is the first of if there is none. */
static struct record **
link_of (const struct question *mine)
{
  struct record **link = &records, *record;

  while (*link && (*link)->first.number < mine->number)
    link = &(*link)->next;
  if (*link && (*link)->first.number == mine->number)
    return link;
  record = malloc (sizeof *record);
  if (!record)
    upcr_fatal ("%s: no memory to check it", mine->what);
  *record = (struct record){ .next = *link, .first = *mine };
  *link = record;
  return link;
}

static int
difference_of (const struct question *mine, const struct question *first)
{
  if (strcmp (mine->what, first->what) != 0)
    return NAME;
  for (int i = 0; i < VALUES; i++)
    if (mine->values[i] != first->values[i])
      return i;
  return NOTHING;
}

static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  const struct question *mine = arguments;
  struct reply reply = { 0 };
  struct record **link, *record;

  pthread_mutex_lock (&lock);
  link = link_of (mine);
  record = *link;
  reply.difference = difference_of (mine, &record->first);
  reply.thread = record->first.thread;
  reply.value = reply.difference >= 0 ? record->first.values[reply.difference] : 0;
  memcpy (reply.what, record->first.what, sizeof reply.what);
  if (++record->compared == THREADS)
    {
      *link = record->next;
      free (record);
    }
  pthread_mutex_unlock (&lock);
  upcr_net_reply (caller, &reply, sizeof reply);
}

void
upcr_serve_calls (void)
{
  upcr_net_serve (UPCR_NET_CALLS, serve);
}

static bool
computes (const struct upcr_coll *call)
{
  return call->kind == UPCR_REDUCE || call->kind == UPCR_REDUCE_ALL || call->kind == UPCR_SCAN;
}

/* Processes have the program at different addresses. */
static uint64_t
place_in_program (void (*function) (void))
{
  return function ? (uintptr_t) function - (uintptr_t) upcr_serve_calls : 0;
}

static struct question
question_of (const struct upcr_coll *call)
{
  struct question question = { .number = ++own[MYTHREAD].calls, .thread = MYTHREAD };
  uint64_t *values = question.values;

  snprintf (question.what, sizeof question.what, "%s", call->what);
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
  return question;
}

static _Noreturn void
refuse (const struct upcr_coll *call, const struct question *mine, const struct reply *first)
{
  static const char *const numbers[VALUES] = { [ROOT] = "the root",
                                               [ELEMENT] = "the size of an element",
                                               [BLOCK] = "the source's block size",
                                               [OFFSET] = "the source's offset" };
  static const char *const others[VALUES]
      = { [SOURCE] = "source", [DESTINATION] = "destination", [OPERATION] = "operation" };
  enum value which = first->difference;
  const char *name = numbers[which < 0 ? 0 : which];

  if (which == NAME)
    upcr_fatal ("%s, but thread %d calls %s", call->what, first->thread, first->what);
  if (which == FLAGS)
    upcr_fatal ("%s: the flags are 0x%x, but 0x%x on thread %d", call->what,
                (unsigned) mine->values[which], (unsigned) first->value, first->thread);
  if (which == SIZE)
    name = computes (call) ? "the number of elements" : "nbytes";
  if (!name)
    upcr_fatal ("%s: another %s than on thread %d", call->what, others[which], first->thread);
  upcr_fatal ("%s: %s is %zu, but %zu on thread %d", call->what, name, (size_t) mine->values[which],
              (size_t) first->value, first->thread);
}

void
upcr_compare_call (const struct upcr_coll *call)
{
  struct question mine = question_of (call);
  struct reply first;
  upcr_net_open open = 0;

  upcr_net_call (0, UPCR_NET_CALLS, &mine, sizeof mine, &first, &open);
  upcr_net_await (&open);
  if (first.difference != NOTHING)
    refuse (call, &mine, &first);
}
