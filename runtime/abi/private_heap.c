/* The program's free and realloc: the linker redirects its calls here (--wrap). malloc does not know a
   block of the shared heap, to which a cast pointer leads. It would find that out late, with an address
   that says nothing, or not at all. */

#include "runtime/shared/shared.h"

#include <stdint.h>

/* No jump more by the linker's table. Weak: programs that export all of the runtime have these functions, too, where
   sanitizers take their place and nobody calls them. */
__attribute__ ((__noplt__, __weak__)) void __real_free (void *block);
__attribute__ ((__noplt__, __weak__)) void *__real_realloc (void *block, size_t bytes);
void __wrap_free (void *block);
void *__wrap_realloc (void *block, size_t bytes);

static inline uint64_t
place_of (const void *block)
{
  return (uintptr_t) block - UPCR_SEGMENT_BASE;
}

static inline bool
is_shared (const void *block)
{
  return __builtin_expect (place_of (block) < UPCR_MAX_THREADS * UPCR_STRIDE, 0);
}

static __attribute__ ((cold, noinline)) _Noreturn void
refuse (const void *block, const char *what)
{
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  upcr_access_text (place_of (block) / UPCR_STRIDE, place_of (block) % UPCR_STRIDE, 0, text,
                    sizeof text);
  upcr_fatal ("%s: shared memory, which upc_free frees: %s", what, text);
}

void
__wrap_free (void *block)
{
  if (is_shared (block))
    refuse (block, "free");
  __real_free (block);
}

void *
__wrap_realloc (void *block, size_t bytes)
{
  if (is_shared (block))
    refuse (block, "realloc");
  return __real_realloc (block, bytes);
}
