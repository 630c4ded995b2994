/* pupc: how a program speaks to a performance tool (GASP 1.4, 5.2 and 5.3). With no tool events
   end here, and what the program can observe of its own (what it last said to pupc_control, the
   numbers of its events) holds. */

#include "runtime/gasp/tool.h"
#include "runtime/host/host.h"

#include <pupc.h>
#include <stdatomic.h>

/* What each UPC thread said last, and whether it said anything, in one word: relaxed, as its POSIX
   threads may ask for it at once. */
#define SAID (1ul << 32)
static _Atomic uint64_t last_on[UPCR_MAX_THREADS];
static atomic_uint next_event = GASP_UPC_USEREVT_START;

static int
value_of (uint64_t last)
{
  return last & SAID ? (int) last : 1;
}

int
pupc_control (int on)
{
  int was_on = value_of (
      atomic_exchange_explicit (&last_on[MYTHREAD], SAID | (uint32_t) on, memory_order_relaxed));

  if (upcr_gasp_thread.is_active)
    {
      gasp_context_t context = upcr_tool_enter ();
      was_on = upcr_tool.control (context, on);
      upcr_tool_leave ();
    }
  return was_on;
}

/* Of 1.3-pre2; for tools that do not define it themselves. */
int gasp_control_query (gasp_context_t context) __attribute__ ((weak));

int
gasp_control_query (gasp_context_t context)
{
  (void) context;
  return value_of (atomic_load_explicit (&last_on[MYTHREAD], memory_order_relaxed));
}

static unsigned
create_without_tool (void)
{
  unsigned event = atomic_fetch_add_explicit (&next_event, 1, memory_order_relaxed);

  if (event > GASP_UPC_USEREVT_END)
    upcr_fatal ("pupc_create_event: more than %u events",
                GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1);
  return event;
}

unsigned
pupc_create_event (const char *name, const char *description)
{
  gasp_context_t context;
  unsigned event;

  if (!upcr_gasp_thread.is_active)
    return create_without_tool ();
  context = upcr_tool_enter ();
  event = upcr_tool.create_event (context, name, description);
  upcr_tool_leave ();
  return event;
}

#define EVENT(name, type)                                  \
  void name (unsigned event, ...)                          \
  {                                                        \
    va_list args;                                          \
                                                           \
    if (!upct_gasp_tool)                                   \
      return;                                              \
    const struct upcr_gasp_at at = UPCR_GASP_AT (NULL, 0); \
    va_start (args, event);                                \
    upcr_gasp_raise_list (&at, event, type, args);         \
    va_end (args);                                         \
  }

EVENT (pupc_event_start, GASP_START)
EVENT (pupc_event_end, GASP_END)
EVENT (pupc_event_atomic, GASP_ATOMIC)
