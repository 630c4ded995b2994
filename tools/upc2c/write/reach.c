/* Checks of distances (-fupc-check): a pointer-to-shared that is moved by more elements than all partitions have may
   lead to an object again, as offsets are modulo the size of a partition. No number of 32 bits does so but with
   large elements. */

#include "tools/upc2c/write/internal.h"

enum
{
  SURE_BITS = 31
};

static bool
is_wide (struct expr *n)
{
  if (n->is_constant)
    return n->value >> SURE_BITS != 0 && n->value >> SURE_BITS != -1;
  return type_size (strip_conversions (n)->type).value > sizeof (int);
}

static void
put_reach (struct expr *e, const struct type *target)
{
  const struct token *t = token_at (e->first);
  struct size bytes = type_size (ultimate_type (target));

  putf (", %u, %luul, \"%s\", \"%s\", %u)", block_of (target),
        bytes.is_known ? (unsigned long) bytes.value : 1, quoted (source_text (e)), quoted_file (t),
        (unsigned) t->line);
}

bool
open_reach (struct expr *n, token_index where)
{
  bool is_open = is_checked_code (where) && is_wide (n);

  if (is_open)
    put ("__upc_in_reach (");
  return is_open;
}

void
close_reach (bool is_open, struct expr *e, const struct type *target)
{
  if (is_open)
    put_reach (e, target);
}

static bool
has_wide_index (struct expr *l)
{
  for (; l && l->kind == EXPR_INDEX; l = array_of_element (l))
    if (is_wide (index_of (l)))
      return true;
  return false;
}

void
put_distance_from (struct expr *l, struct element root, enum index_use use)
{
  bool is_open = root.pointer && is_checked_code (l->first) && has_wide_index (l);

  if (is_open)
    put ("__upc_in_reach (");
  put_distance (l, use);
  close_reach (is_open, l, l->type);
}
