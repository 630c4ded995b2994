/* Loops that only copy an array to another one. */

#include "tools/upc2c/write/internal.h"

bool
put_whole_copy (struct iteration_set *s, struct strip *strip, const char *count)
{
  struct expr *to, *from;

  if (!find_copy (s, strip, &to, &from))
    return false;
  put ("__builtin_memcpy (");
  put_typed_address (to, "void *");
  put (", ");
  put_typed_address (from, "const void *");
  putf (", %s * %luul); ", count, (unsigned long) type_size (to->type).value);
  return true;
}
