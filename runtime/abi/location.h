/* The `g` form of an entry point: the same call, whose source location messages, crash reports
   and tools know. */

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
