/* The bodies of functions on blocks of bytes, for programs of one process and of several. */

#ifndef UPCR_ABI_BLOCK_H
#define UPCR_ABI_BLOCK_H

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <string.h>

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

/* N bytes between `dst` and `src`, or of `c`; WHAT is the function's name for messages, or NULL. In one process COPY moves
   them, as memcpy does. A get has its bytes behind it; a put to another process may be on its way, as relaxed stores may
   be. */
#ifdef UPCR_NETWORK
#define UPCR_GET_BY(copy) upcr_load
#define UPCR_PUT_BY(copy) upcr_store
#define UPCR_COPY_BY(copy) upcr_transfer
#define UPCR_SET upcr_fill
#else
#define UPCR_GET_BY(copy) copy
#define UPCR_PUT_BY(copy) copy
#define UPCR_COPY_BY(copy) copy
#define UPCR_SET memset
#endif

/* The N bytes at P, which are one object's. */
#define UPCR_CHECKED(p, what) (upcr_check_range (p, n, what), upcr_pts_address (p))

#define UPCR_GET_BLOCK(copy, what) UPCR_GET_BY (copy) (dst, UPCR_CHECKED (src, what), n)
#define UPCR_PUT_BLOCK(copy, what) UPCR_PUT_BY (copy) (UPCR_CHECKED (dst, what), src, n)
/* A struct may be assigned to itself: the compilers call the copy all the same. */
#define UPCR_MOVE_BLOCK(what) \
  UPCR_COPY_BY (memmove) (UPCR_CHECKED (dst, what), UPCR_CHECKED (src, what), n)
#define UPCR_COPY_BLOCK(copy, what)                                              \
  ({                                                                             \
    if (__builtin_expect (upcr_is_checked, 0))                                   \
      upcr_check_apart (dst, src, n, what);                                      \
    UPCR_COPY_BY (copy) (UPCR_CHECKED (dst, what), UPCR_CHECKED (src, what), n); \
  })
#define UPCR_SET_BLOCK(what) UPCR_SET (UPCR_CHECKED (dst, what), c, n)

#endif
