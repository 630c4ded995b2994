/* User events with their source location. */

#include "runtime/abi/watch.h"

UPCR_IS_INSTRUMENTED

#define EVENT(name, type)                                      \
  void name (unsigned event, const char *file, int line, ...); \
  void name (unsigned event, const char *file, int line, ...)  \
  {                                                            \
    va_list args;                                              \
                                                               \
    if (!upct_gasp_tool)                                       \
      return;                                                  \
    const struct upcr_gasp_at at = UPCR_GASP_AT (file, line);  \
    va_start (args, line);                                     \
    upcr_gasp_raise_list (&at, event, type, args);             \
    va_end (args);                                             \
  }

EVENT (pupc_event_startg, GASP_START)
EVENT (pupc_event_endg, GASP_END)
EVENT (pupc_event_atomicg, GASP_ATOMIC)
