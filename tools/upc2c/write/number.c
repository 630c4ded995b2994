/* Numbers that replace text that is copied token by token. */

#include "tools/upc2c/write/internal.h"

const struct number *
number_from (token_index first)
{
  uint32_t low = 0, high = tree.number_count;

  while (low < high)
    {
      uint32_t middle = (low + high) / 2;

      if (tree.numbers[middle].first < first)
        low = middle + 1;
      else
        high = middle;
    }
  return low < tree.number_count ? &tree.numbers[low] : NULL;
}

void
put_tokens (token_index first, token_index last)
{
  for (token_index t = first; t <= last; t++)
    {
      const struct number *number = number_from (t);

      if (number && number->first == t)
        {
          putf ("%lu ", (unsigned long) number->value);
          t = number->last;
        }
      else
        putf ("%.*s ", (int) token_at (t)->length, token_at (t)->text);
    }
}
