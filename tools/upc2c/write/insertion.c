/* Generated text before tokens of the program. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

/* In the order of the tokens. */
static struct insertion
{
  token_index where;
  const char *text;
} * insertions;
static uint32_t insertion_count;
static size_t insertion_capacity;

/* The first insertion before token FIRST or a later one. */
static uint32_t
insertion_from (token_index first)
{
  uint32_t low = 0, high = insertion_count;

  while (low < high)
    {
      uint32_t middle = (low + high) / 2;
      if (insertions[middle].where < first)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
keep_insertion (token_index where, const char *text)
{
  uint32_t at = insertion_from (where + 1);

  insertions = grow_array (insertions, insertion_count + 1, &insertion_capacity,
                           sizeof *insertions);
  memmove (&insertions[at + 1], &insertions[at], (insertion_count++ - at) * sizeof *insertions);
  insertions[at] = (struct insertion){ where, text };
}

token_index
next_insertion (token_index first, token_index last)
{
  uint32_t i = insertion_from (first);

  return i < insertion_count && insertions[i].where <= last ? insertions[i].where : last + 1;
}

const char *
insertion_at (token_index where, uint32_t n)
{
  uint32_t i = insertion_from (where) + n;

  return i < insertion_count && insertions[i].where == where ? insertions[i].text : NULL;
}
