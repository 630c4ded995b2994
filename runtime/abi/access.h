/* Single accesses: what __getsi2 and its kin do, in both of their forms.

   Relaxed accesses are plain loads and stores (UPC 1.3, 5.1.2.3). A strict access is ordered
   with every other access of its thread, relaxed ones included: there is a fence before a strict
   load and after a strict store, which on x86 is a fence itself. A seq_cst load needs no fence
   after it, and a seq_cst store none before it: other accesses do not pass them there.

   All of this is inline, as some functions need the return address of the entry point. VALUE is
   the variable that a get stores into, P a pointer-to-shared, NAME the name of a type. */

#ifndef UPCR_ABI_ACCESS_H
#define UPCR_ABI_ACCESS_H

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <string.h>

#ifdef UPCR_NETWORK
#include "runtime/abi/network/access.h"

#define UPCR_GET(name, type, value, p) upcr_load (&value, upcr_pts_address (p), sizeof value)
#define UPCR_PUT(name, type, p, value) upcr_store (upcr_pts_address (p), &value, sizeof value)
#define UPCR_GETS_WORD(name, type, value, p) \
  upcr_load_strictly (&value, upcr_pts_address (p), sizeof value)
#define UPCR_PUTS_WORD(name, type, p, value) \
  upcr_store_strictly (upcr_pts_address (p), &value, sizeof value)
#define UPCR_GETS_LARGE UPCR_GETS_WORD
#define UPCR_PUTS_LARGE UPCR_PUTS_WORD

#else
/* Objects may be packed: no alignment is promised, and any type may be there. */
#define UPCR_OBJECT(name, p) (*(name##_shared *) upcr_pts_address (p))

#define UPCR_GET(name, type, value, p) value = UPCR_OBJECT (name, p)
#define UPCR_PUT(name, type, p, value) UPCR_OBJECT (name, p) = value

/* One iteration of what may be a loop that waits (runtime/sync/sync.h). */
static inline void
upcr_saw (const void *caller, const void *value, size_t bytes)
{
  uint64_t bits = 0;

  memcpy (&bits, value, bytes);
  upcr_strict_read_at (caller, bits);
}

/* Types that one instruction moves. */
#define UPCR_GETS_WORD(name, type, value, p)                                   \
  do                                                                           \
    {                                                                          \
      upcr_strict_fence ();                                                    \
      __atomic_load ((type *) upcr_pts_address (p), &value, __ATOMIC_SEQ_CST); \
      if (upcr_is_oversubscribed ())                                           \
        upcr_saw (__builtin_return_address (0), &value, sizeof value);         \
    }                                                                          \
  while (0)

#define UPCR_PUTS_WORD(name, type, p, value)                                    \
  do                                                                            \
    {                                                                           \
      __atomic_store ((type *) upcr_pts_address (p), &value, __ATOMIC_SEQ_CST); \
      upcr_fence_after_rmw ();                                                  \
    }                                                                           \
  while (0)

/* Larger ones, between fences. */
#define UPCR_GETS_LARGE(name, type, value, p) \
  do                                          \
    {                                         \
      upcr_strict_fence ();                   \
      value = UPCR_OBJECT (name, p);          \
      upcr_strict_fence ();                   \
    }                                         \
  while (0)

#define UPCR_PUTS_LARGE(name, type, p, value) \
  do                                          \
    {                                         \
      upcr_strict_fence ();                   \
      UPCR_OBJECT (name, p) = value;          \
      upcr_strict_fence ();                   \
    }                                         \
  while (0)

#endif

/* DO (name, type, what its strict forms are) for each type of the object interface. */
#define UPCR_ACCESS_TYPES(DO)       \
  DO (qi, uint8_t, WORD)            \
  DO (hi, uint16_t, WORD)           \
  DO (si, uint32_t, WORD)           \
  DO (di, uint64_t, WORD)           \
  DO (sf, float, WORD)              \
  DO (df, double, WORD)             \
  DO (ti, unsigned __int128, LARGE) \
  DO (tf, long double, LARGE)       \
  DO (xf, long double, LARGE)

#define UPCR_ACCESS_TYPE(name, type, size) \
  typedef type name##_shared __attribute__ ((aligned (1), may_alias));

UPCR_ACCESS_TYPES (UPCR_ACCESS_TYPE)

#endif
