/* events: which constructs raise events of a performance tool (GASP 1.4), according to the
   command line and `#pragma pupc`. instrument writes the C of the events. Needs ast. */

#ifndef UPC2C_EVENTS_H
#define UPC2C_EVENTS_H

#include "tools/upc2c/ast/ast.h"

/* select.c */

/* Whether any event is raised at all. */
bool is_instrumenting (void);
/* Whether EVENT is to be raised for the construct whose token WHERE is. */
bool is_watched (unsigned event, token_index where);
/* The code that is written belongs to a system header or is upc2c's own, or no longer: it
   raises no events. Returns what was so before. */
bool set_system_code (bool is_system);
/* Gets and puts in what is planned or written. */
enum access_events
{
  SOME_ACCESS_EVENTS, /* each asks whether the tool wants it */
  NO_ACCESS_EVENTS,
  ALL_ACCESS_EVENTS
};
/* Returns what was so before. */
enum access_events set_access_events (enum access_events which);
enum access_events which_access_events (void);
/* Whether FUNCTION, a definition, raises events of its own. */
bool is_watched_function (const struct decl *function);
/* Whether any access to shared data in S raises events. */
bool has_watched_access (struct stmt *s);
/* Whether the parts of S, a upc_forall, that are evaluated in each iteration raise events. */
bool has_watched_header (struct stmt *s);

/* library_call.c: calls by name, with the events of tables 2, 6, 8 and 10, of pupc (5.2,
   5.3), and of what leaves functions behind. */

enum call_kind
{
  CALL_UNKNOWN,
  CALL_LIBRARY,
  CALL_USER_EVENT,
  CALL_EXIT,
  CALL_SETJMP
};

struct known_call
{
  const char *name;
  unsigned event;
  const char *values; /* its arguments' */
};

struct call
{
  enum call_kind kind;
  struct known_call known; /* CALL_LIBRARY; the event of CALL_EXIT */
  int type;                /* CALL_USER_EVENT; of a reduction: which one */
  struct decl *function;
  token_index where;
};

struct call find_call (struct expr *e);
/* Whether E, a call, is written with events around it, or taken away. */
bool is_watched_call (struct expr *e);

#endif
