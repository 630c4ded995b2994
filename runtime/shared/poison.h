/* Tells AddressSanitizer and valgrind which memory of the segment belongs to no object. It also makes
   AddressSanitizer print, after its report, a line that names the object (poison.c).

   Requests to valgrind are a few instructions that do nothing outside valgrind. The headers are
   valgrind's; if they are not installed, no requests are made. */

#ifndef UPCR_POISON_H
#define UPCR_POISON_H

#include "runtime/host/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined UPCR_ASAN && !defined UPCR_TSAN && __has_include(<valgrind/memcheck.h>)
#define UPCR_MEMCHECK
#include <valgrind/memcheck.h>
#endif

#ifdef UPCR_ASAN

#include <sanitizer/asan_interface.h>

/* Of functions that read and write what is told to be nobody's: records. */
#define UPCR_SEES_POISON __attribute__ ((no_sanitize_address))

void upcr_explain_asan_reports (void);

/* Counted by those who have something poisoned, and behind that: what generated code has known to be clean since the
   same count is clean still (include/upct/clean.h). Release: who sees the count sees the poison. */
extern _Atomic unsigned long __upc_poisonings;

static inline void
upcr_poison (void *memory, size_t bytes)
{
  __asan_poison_memory_region (memory, bytes);
  atomic_fetch_add_explicit (&__upc_poisonings, 1, memory_order_release);
}

static inline void
upcr_unpoison (void *memory, size_t bytes)
{
  __asan_unpoison_memory_region (memory, bytes);
}

/* What AddressSanitizer knows of BYTES of memory, a multiple of 32 KiB, takes so many bytes. Where it is. */
static inline size_t
upcr_poison_bytes (size_t bytes)
{
  return bytes / 8;
}

static inline void *
upcr_poison_of (const void *memory)
{
  size_t scale, offset;

  __asan_get_shadow_mapping (&scale, &offset);
  return (void *) (((uintptr_t) memory >> scale) + offset);
}

#else

#define UPCR_SEES_POISON

static inline void
upcr_explain_asan_reports (void)
{
}

static inline size_t
upcr_poison_bytes (size_t bytes)
{
  (void) bytes;
  return 0;
}

static inline void *
upcr_poison_of (const void *memory)
{
  (void) memory;
  return NULL;
}

#ifndef UPCR_MEMCHECK

static inline void
upcr_poison (void *memory, size_t bytes)
{
  (void) memory, (void) bytes;
}

static inline void
upcr_unpoison (void *memory, size_t bytes)
{
  (void) memory, (void) bytes;
}

#endif
#endif

#ifdef UPCR_MEMCHECK

static inline void
upcr_poison (void *memory, size_t bytes)
{
  (void) VALGRIND_MAKE_MEM_NOACCESS (memory, bytes);
}

static inline void
upcr_unpoison (void *memory, size_t bytes)
{
  (void) VALGRIND_MAKE_MEM_DEFINED (memory, bytes);
}

/* Is this run one of valgrind's memcheck? Its other tools do not know the request. */
static inline bool
upcr_is_under_memcheck (void)
{
  char byte = 0, bits;

  return VALGRIND_GET_VBITS (&byte, &bits, 1) == 1;
}

/* A block that the calling thread allocates, with contents that are not initialised, or frees. RED_ZONE
   bytes on both sides of it are nobody's. */
static inline void
upcr_show_allocation (void *memory, size_t bytes, size_t red_zone)
{
  VALGRIND_MALLOCLIKE_BLOCK (memory, bytes, red_zone, false);
}

static inline void
upcr_show_freeing (void *memory, size_t red_zone)
{
  VALGRIND_FREELIKE_BLOCK (memory, red_zone);
}

/* Between these the calling thread may read and write what is nobody's: records. */
static inline void
upcr_see_poison (void)
{
  VALGRIND_DISABLE_ERROR_REPORTING;
}

static inline void
upcr_stop_seeing_poison (void)
{
  VALGRIND_ENABLE_ERROR_REPORTING;
}

#else

static inline bool
upcr_is_under_memcheck (void)
{
  return false;
}

static inline void
upcr_show_allocation (void *memory, size_t bytes, size_t red_zone)
{
  (void) memory, (void) bytes, (void) red_zone;
}

static inline void
upcr_show_freeing (void *memory, size_t red_zone)
{
  (void) memory, (void) red_zone;
}

static inline void
upcr_see_poison (void)
{
}

static inline void
upcr_stop_seeing_poison (void)
{
}

#endif

#endif
