/* The events of a UPC program, as a table: what people call them, what kind of work they
   are, and what a start's record says of their arguments. */

#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

enum trace_category
{
  TRACE_COMPUTE,      /* functions, and upc_forall: the program's own work */
  TRACE_SYNC,
  TRACE_LOCK,
  TRACE_ACCESS,       /* of shared variables, and bulk copies */
  TRACE_COLLECTIVE,
  TRACE_MEMORY,
  TRACE_OTHER,
  TRACE_USER_EVENT,
  TRACE_CATEGORIES
};

/* The words of a start's or an atomic event's record. */
enum trace_payload
{
  TRACE_NO_PAYLOAD,
  TRACE_TRANSFER,     /* see trace_transfer */
  TRACE_NUMBER,       /* one word, as the table names it */
  TRACE_ELEMENTS,     /* the same; the end's record has a transfer */
  TRACE_VALUES        /* see format.h */
};

struct trace_event
{
  unsigned tag;
  const char *name;
  enum trace_category category;
  enum trace_payload payload;
  const char *number; /* what TRACE_NUMBER and TRACE_ELEMENTS are */
};

/* Of any tag: there is an entry for user events and one for unknown ones. */
const struct trace_event *trace_event_of (unsigned tag);

const char *trace_category_name (enum trace_category category);

#endif
