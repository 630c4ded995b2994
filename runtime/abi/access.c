/* Single accesses and blocks: __getsi2 and its kin.

   Relaxed accesses are plain loads and stores (UPC 1.3, 5.1.2.3). A strict one is
   ordered with every access of its thread before and after it, relaxed ones too: a
   fence before it, and behind a store the fence that the exchange is. On x86-64 a
   load needs none behind it: later accesses do not pass it. */

#include "runtime/abi/place.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/fence.h"
#include "runtime/sync/poll.h"

#include <string.h>

/* Objects may be packed: no alignment is promised, and any type may be there. */
#define ACCESS_TYPE(name, type) \
  typedef type name##_shared __attribute__ ((aligned (1), may_alias));

/* One turn of what may be a loop that waits (runtime/sync/poll.h). */
static void
saw (const void *caller, const void *value, size_t bytes)
{
  uint64_t bits = 0;

  memcpy (&bits, value, bytes);
  upcr_strict_read_at (caller, bits);
}

#define RELAXED(name, type)                                                     \
  type __get##name##2 (upcr_pts p);                                             \
  type __get##name##2 (upcr_pts p)                                              \
  {                                                                             \
    return *(name##_shared *) upcr_pts_address (p);                             \
  }                                                                             \
  void __put##name##2 (upcr_pts p, type value);                                 \
  void __put##name##2 (upcr_pts p, type value)                                  \
  {                                                                             \
    *(name##_shared *) upcr_pts_address (p) = value;                            \
  }

/* Types that one instruction moves. */
#define STRICT_WORD(name, type)                                                 \
  type __gets##name##2 (upcr_pts p);                                            \
  type __gets##name##2 (upcr_pts p)                                             \
  {                                                                             \
    type value;                                                                 \
    upcr_strict_fence ();                                                       \
    __atomic_load ((type *) upcr_pts_address (p), &value, __ATOMIC_SEQ_CST);    \
    if (upcr_is_crowded ())                                                     \
      saw (__builtin_return_address (0), &value, sizeof value);                 \
    return value;                                                               \
  }                                                                             \
  void __puts##name##2 (upcr_pts p, type value);                                \
  void __puts##name##2 (upcr_pts p, type value)                                 \
  {                                                                             \
    __atomic_store ((type *) upcr_pts_address (p), &value, __ATOMIC_SEQ_CST);   \
  }

/* Larger ones, between fences. */
#define STRICT_LARGE(name, type)                                                \
  type __gets##name##2 (upcr_pts p);                                            \
  type __gets##name##2 (upcr_pts p)                                             \
  {                                                                             \
    upcr_strict_fence ();                                                       \
    type value = *(name##_shared *) upcr_pts_address (p);                       \
    upcr_strict_fence ();                                                       \
    return value;                                                               \
  }                                                                             \
  void __puts##name##2 (upcr_pts p, type value);                                \
  void __puts##name##2 (upcr_pts p, type value)                                 \
  {                                                                             \
    upcr_strict_fence ();                                                       \
    *(name##_shared *) upcr_pts_address (p) = value;                            \
    upcr_strict_fence ();                                                       \
  }

#define WITH_PLACE(order, name, type)                                           \
  type __get##order##g##name##3 (upcr_pts p, const char *file, int line);       \
  type __get##order##g##name##3 (upcr_pts p, const char *file, int line)        \
  {                                                                             \
    type value;                                                                 \
    UPCR_AT (file, line, value = __get##order##name##2 (p));                    \
    return value;                                                               \
  }                                                                             \
  void __put##order##g##name##4 (upcr_pts p, type value, const char *file, int line); \
  void __put##order##g##name##4 (upcr_pts p, type value, const char *file, int line)  \
  {                                                                             \
    UPCR_AT (file, line, __put##order##name##2 (p, value));                     \
  }

#define WORD(name, type)  \
  ACCESS_TYPE (name, type) \
  RELAXED (name, type)     \
  STRICT_WORD (name, type) \
  WITH_PLACE (, name, type) \
  WITH_PLACE (s, name, type)

#define LARGE(name, type)   \
  ACCESS_TYPE (name, type)  \
  RELAXED (name, type)      \
  STRICT_LARGE (name, type) \
  WITH_PLACE (, name, type) \
  WITH_PLACE (s, name, type)

WORD (qi, uint8_t)
WORD (hi, uint16_t)
WORD (si, uint32_t)
WORD (di, uint64_t)
WORD (sf, float)
WORD (df, double)
LARGE (ti, unsigned __int128)
LARGE (tf, long double)
LARGE (xf, long double)
