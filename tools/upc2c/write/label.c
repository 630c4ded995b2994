/* Labels before declarations and at the end of blocks, as in C23 and in C of old, get an empty
   statement: compilers of other years refuse them. */

#include "tools/upc2c/write/internal.h"

void
complete_labels (void)
{
  for (token_index i = 1; i < unit.token_count; i++)
    if (token_at (i)->flags & TOKEN_LABELED)
      insert_before (i, "; ");
}
