/* What AddressSanitizer is told of the segment: which memory is nobody's. And what it is to tell of
   errors there: a line that names the object, behind its report (poison.c). */

#ifndef UPCR_POISON_H
#define UPCR_POISON_H

#include "runtime/host/host.h"

#include <stddef.h>

#ifdef UPCR_ASAN

#include <sanitizer/asan_interface.h>

/* Of functions that read and write what is told to be nobody's: records. */
#define UPCR_SEES_POISON __attribute__ ((no_sanitize_address))

void upcr_explain_asan_reports (void);

static inline void
upcr_poison (void *memory, size_t bytes)
{
  __asan_poison_memory_region (memory, bytes);
}

static inline void
upcr_unpoison (void *memory, size_t bytes)
{
  __asan_unpoison_memory_region (memory, bytes);
}

#else

#define UPCR_SEES_POISON

static inline void
upcr_explain_asan_reports (void)
{
}

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
