/* The `g` form of an entry point: the same call, with its source location known to messages,
   crash reports and tools. */

#ifndef UPCR_ABI_LOCATION_H
#define UPCR_ABI_LOCATION_H

#include "runtime/host/host.h"

#define UPCR_AT(file, line, statement) \
  do                                   \
    {                                  \
      upcr_enter (file, line);         \
      statement;                       \
      upcr_leave ();                   \
    }                                  \
  while (0)

#endif
