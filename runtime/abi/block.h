/* How functions on blocks of bytes are written, in programs of one process and of several. */

#ifndef UPCR_ABI_BLOCK_H
#define UPCR_ABI_BLOCK_H

#include "runtime/sync/sync.h"

#define FUNCTION(name, parameters, statement) \
  void name parameters;                       \
  void name parameters                        \
  {                                           \
    statement;                                \
  }

#define STRICT(statement) \
  upcr_strict_fence ();   \
  statement;              \
  upcr_strict_fence ()

#endif
