/* Searches in sets of pages. */

#include "runtime/shared/pages.h"

enum
{
  BITS = 64
};

/* The first page from PAGE on that is in A or B (FREE: in neither), or LIMIT. */
static uint64_t
next (const upcr_pages *a, const upcr_pages *b, uint64_t page, uint64_t limit, bool free)
{
  upcr_pages flip = free ? -1ul : 0, word;

  if (page >= limit)
    return limit;
  word = ((a[page / BITS] | b[page / BITS]) ^ flip) & (-1ul << page % BITS);
  while (!word)
    {
      page = (page / BITS + 1) * BITS;
      if (page >= limit)
        return limit;
      word = (a[page / BITS] | b[page / BITS]) ^ flip;
    }
  page = page / BITS * BITS + (unsigned) __builtin_ctzl (word);
  return page < limit ? page : limit;
}

/* One past the last page below PAGE that is in A or B (FREE: in neither), or LIMIT. */
static uint64_t
last (const upcr_pages *a, const upcr_pages *b, uint64_t page, uint64_t limit, bool free)
{
  upcr_pages flip = free ? -1ul : 0, word;
  uint64_t at = (page - 1) / BITS;

  if (page <= limit)
    return limit;
  word = ((a[at] | b[at]) ^ flip) & (-1ul >> (BITS - 1 - (page - 1) % BITS));
  while (!word)
    {
      if (at * BITS <= limit)
        return limit;
      at--;
      word = (a[at] | b[at]) ^ flip;
    }
  page = at * BITS + BITS - (unsigned) __builtin_clzl (word);
  return page > limit ? page : limit;
}

uint64_t
upcr_pages_next_free (const upcr_pages *a, const upcr_pages *b, uint64_t page, uint64_t limit)
{
  return next (a, b, page, limit, true);
}

uint64_t
upcr_pages_last_free (const upcr_pages *a, const upcr_pages *b, uint64_t page, uint64_t limit)
{
  return last (a, b, page, limit, true);
}

uint64_t
upcr_pages_lowest (const upcr_pages *a, const upcr_pages *b, uint64_t low, uint64_t high,
                   uint64_t count, uint64_t alignment)
{
  for (;;)
    {
      uint64_t page = (next (a, b, low, high, true) + alignment - 1) & -alignment;

      if (page > high || count > high - page)
        return 0;
      low = next (a, b, page, page + count, false);
      if (low == page + count)
        return page;
    }
}

uint64_t
upcr_pages_highest (const upcr_pages *a, const upcr_pages *b, uint64_t low, uint64_t high,
                    uint64_t count, uint64_t alignment)
{
  for (;;)
    {
      uint64_t end = last (a, b, high, low, true), page;

      if (end < count)
        return 0;
      page = (end - count) & -alignment;
      if (page < low)
        return 0;
      high = last (a, b, page + count, page, false);
      if (high == page)
        return page;
      high--;
    }
}

/* The bits of a word from FROM up to TO. */
static upcr_pages
mask (uint64_t from, uint64_t to)
{
  return (-1ul << from) & (-1ul >> (BITS - to));
}

/* Sets COUNT bits from PAGE on, or clears them. */
static void
assign (upcr_pages *set, uint64_t page, uint64_t count, bool value)
{
  uint64_t end = page + count;

  while (page < end)
    {
      uint64_t base = page / BITS * BITS;
      uint64_t to = end - base < BITS ? end - base : BITS;
      upcr_pages bits = mask (page - base, to);

      set[page / BITS] = value ? set[page / BITS] | bits : set[page / BITS] & ~bits;
      page = base + to;
    }
}

void
upcr_pages_add (upcr_pages *set, uint64_t page, uint64_t count)
{
  assign (set, page, count, true);
}

void
upcr_pages_remove (upcr_pages *set, uint64_t page, uint64_t count)
{
  assign (set, page, count, false);
}
