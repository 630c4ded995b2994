/* pupc: how a program speaks to a performance tool (GASP 1.4, 3.4 and 4.2). With no
   tool there is nobody to tell: events end here, and what the program can observe
   of its own (whether instrumentation is on, the numbers of its events) holds. */

#include "runtime/start/start.h"

#include <stdatomic.h>

/* User events are numbered in this range (GASP 1.4, 4.2). */
enum { FIRST_USER_EVENT = 1000, LAST_USER_EVENT = 1999 };

static __thread int is_on = 1;
static atomic_uint next_event = FIRST_USER_EVENT;

int pupc_control (int on);
unsigned pupc_create_event (const char *name, const char *description);
void pupc_event_start (unsigned event, ...);
void pupc_event_end (unsigned event, ...);
void pupc_event_atomic (unsigned event, ...);
void pupc_event_startg (unsigned event, const char *file, int line, ...);
void pupc_event_endg (unsigned event, const char *file, int line, ...);
void pupc_event_atomicg (unsigned event, const char *file, int line, ...);
void __upc_funcg (int start, const char *function, const char *file, int line);
void __upc_forallg (int start, const char *file, int line);

/* Returns what was in force before. */
int
pupc_control (int on)
{
  int was_on = is_on;

  is_on = on != 0;
  return was_on;
}

unsigned
pupc_create_event (const char *name, const char *description)
{
  unsigned event = atomic_fetch_add_explicit (&next_event, 1, memory_order_relaxed);

  (void) name, (void) description;
  if (event > LAST_USER_EVENT)
    upcr_fatal ("pupc_create_event: more than %d events", LAST_USER_EVENT - FIRST_USER_EVENT + 1);
  return event;
}

void
pupc_event_start (unsigned event, ...)
{
  (void) event;
}

void
pupc_event_end (unsigned event, ...)
{
  (void) event;
}

void
pupc_event_atomic (unsigned event, ...)
{
  (void) event;
}

void
pupc_event_startg (unsigned event, const char *file, int line, ...)
{
  (void) event, (void) file, (void) line;
}

void
pupc_event_endg (unsigned event, const char *file, int line, ...)
{
  (void) event, (void) file, (void) line;
}

void
pupc_event_atomicg (unsigned event, const char *file, int line, ...)
{
  (void) event, (void) file, (void) line;
}

void
__upc_funcg (int start, const char *function, const char *file, int line)
{
  (void) start, (void) function, (void) file, (void) line;
}

void
__upc_forallg (int start, const char *file, int line)
{
  (void) start, (void) file, (void) line;
}
