/* Sets of pages of a partition, with a bit for each page. Searches look at the union of two
   sets.

   A search skips a whole word, 64 pages, at a time if it has nothing of interest. */

#ifndef UPCR_PAGES_H
#define UPCR_PAGES_H

#include "runtime/arch/arch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UPCR_PAGE ((size_t) UPCR_PAGE_BYTES)

typedef uint64_t upcr_pages; /* a word of a set */

static inline bool
upcr_pages_have (const upcr_pages *set, uint64_t page)
{
  return set[page / 64] >> page % 64 & 1;
}

/* The first page from PAGE on that is in neither A nor B, or LIMIT. */
uint64_t upcr_pages_next_free (const upcr_pages *a, const upcr_pages *b, uint64_t page,
                               uint64_t limit);

/* One past the last page below PAGE that is in neither A nor B, or LIMIT. */
uint64_t upcr_pages_last_free (const upcr_pages *a, const upcr_pages *b, uint64_t page,
                               uint64_t limit);

/* The lowest and the highest COUNT pages in a row that are in neither A nor B and lie from LOW up
   to HIGH. The first of them, a multiple of ALIGNMENT; 0: there are none. */
uint64_t upcr_pages_lowest (const upcr_pages *a, const upcr_pages *b, uint64_t low, uint64_t high,
                            uint64_t count, uint64_t alignment);
uint64_t upcr_pages_highest (const upcr_pages *a, const upcr_pages *b, uint64_t low, uint64_t high,
                             uint64_t count, uint64_t alignment);

/* Puts COUNT pages from PAGE on into SET, or takes them out. */
void upcr_pages_add (upcr_pages *set, uint64_t page, uint64_t count);
void upcr_pages_remove (upcr_pages *set, uint64_t page, uint64_t count);

#endif
