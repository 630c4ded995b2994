#include "tools/trace/events.h"

#define GASP_ALL_EVENTS
#include <gasp.h>

#define EVENT(name, number, ...) \
  _Static_assert(GASP_##name == number, "gasp_upc.h and events.def agree");
#include "runtime/gasp/events.def"

static const struct trace_event events[] = {
#define EVENT(name, number, table, raised, arguments, label, category, role, payload, unit) \
  { number, label, TRACE_##category, TRACE_##payload, unit },
#include "runtime/gasp/events.def"
};

static const struct trace_event user_event = { 0, "user event", TRACE_USER_EVENT, TRACE_VALUES,
                                               "" };
static const struct trace_event unknown_event = { 0, "event", TRACE_OTHER, TRACE_NOTHING, "" };

const struct trace_event *
trace_event_of (unsigned tag)
{
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END)
    return &user_event;
  for (unsigned i = 0; i < sizeof events / sizeof *events; i++)
    if (events[i].tag == tag)
      return &events[i];
  return &unknown_event;
}

const char *
trace_category_name (enum trace_category category)
{
  static const char *const names[TRACE_CATEGORIES] = {
    "compute",    "synchronisation", "locks", "shared access",
    "collective", "memory",          "other", "user events",
  };

  return names[category];
}
