/* What runtime/gasp/events.def says of an event to reports: what people call it, what kind of
   work it is, and what is recorded of its arguments. */

#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <stdbool.h>

enum trace_category
{
  TRACE_COMPUTE, /* functions, and upc_forall: the program's own work */
  TRACE_SYNC,
  TRACE_LOCK,
  TRACE_ACCESS, /* of shared variables, and bulk copies */
  TRACE_COLLECTIVE,
  TRACE_MEMORY,
  TRACE_OTHER,
  TRACE_USER_EVENT,
  TRACE_CATEGORIES
};

/* What is recorded of an event's arguments, most in a word of the start's record. */
enum trace_payload
{
  TRACE_NOTHING,
  TRACE_FIRST, /* a number: the first argument, and so on */
  TRACE_THIRD,
  TRACE_MALLOC, /* the bytes asked for; the end's record has the change of a heap (record.h) */
  TRACE_REALLOC,
  TRACE_LOCAL_BLOCK,
  TRACE_ALL_BLOCK,
  TRACE_GLOBAL_BLOCK,
  TRACE_FREED,  /* the change of a heap */
  TRACE_LOCKED, /* which lock it is: a number of its own */
  TRACE_READ,   /* transfers (trace_transfer): dst, src, n; of memory the thread reads */
  TRACE_WRITE,
  TRACE_COPY, /* between two others */
  TRACE_SET,  /* dst, c, n */
  TRACE_ATOMIC_UPDATE,
  TRACE_FROM_ROOT, /* of a collective: what the thread gets from one */
  TRACE_TO_ROOT,   /* what it gives to one */
  TRACE_FROM_EACH,
  TRACE_PERMUTE, /* the end's record has the transfer */
  TRACE_REDUCE,  /* the start's has the number of elements, the end's the transfer */
  TRACE_PREFIX_REDUCE,
  TRACE_VALUES /* of a user event: see format.h */
};

struct trace_event
{
  unsigned tag;
  const char *name;
  enum trace_category category;
  enum trace_payload payload;
  const char *unit; /* of the number */
};

/* Does the start's record have a number? */
static inline bool
trace_has_number (const struct trace_event *event)
{
  return (event->payload >= TRACE_FIRST && event->payload <= TRACE_GLOBAL_BLOCK)
         || event->payload == TRACE_REDUCE || event->payload == TRACE_PREFIX_REDUCE;
}

/* Does the end's record have a transfer? */
static inline bool
trace_moves_at_end (const struct trace_event *event)
{
  return event->payload >= TRACE_PERMUTE && event->payload <= TRACE_PREFIX_REDUCE;
}

/* Does the start's? */
static inline bool
trace_moves_at_start (const struct trace_event *event)
{
  return event->payload >= TRACE_READ && event->payload < TRACE_PERMUTE;
}

/* Does the end's record have the change of a heap? The start's has it of TRACE_FREED. */
static inline bool
trace_allocates (const struct trace_event *event)
{
  return event->payload >= TRACE_MALLOC && event->payload <= TRACE_GLOBAL_BLOCK;
}

/* Of any tag: there is an entry for user events and one for unknown ones. */
const struct trace_event *trace_event_of (unsigned tag);

const char *trace_category_name (enum trace_category category);

#endif
