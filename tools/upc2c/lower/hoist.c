/* Base addresses of rows, which outer loops hoist out of inner ones:

       for (i = 1; i < n; i++) for (j = 1; j < m; j++) a[i][j] = b[i - 1][j] + b[i][j - 1];

   Where blocks consist of whole rows, the outer loop computes the addresses of a[i], b[i - 1]
   and b[i], and the inner one adds the column. C does not allow columns outside the row, but
   programs have them: a column that is not known to stay in its row is checked. */

#include "tools/upc2c/lower/internal.h"

/* Adds the element that E accesses, or else a row that it is in. */
static bool
note_hoisted_base (struct expr *e, void *strip)
{
  struct expr *l = accessed_element (e);
  struct hoisted_base base;

  if (!l || add_reference (strip, l) || find_hoisted_base (l, &base))
    return false;
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    if (add_reference (strip, l))
      break;
  return false;
}

void
note_hoisted_bases (struct strip *strip, struct stmt *s)
{
  if (!s)
    return;
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      any_in_stmt (s, note_hoisted_base, strip);
      return;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        note_hoisted_bases (strip, item);
      return;
    default:
      note_hoisted_bases (strip, s->then);
      note_hoisted_bases (strip, s->otherwise);
    }
}

bool
has_hoisted_base (struct strip *strip, struct expr *l)
{
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    if (reference_to (strip, l))
      return true;
  return false;
}

bool
find_hoisted_base (struct expr *l, struct hoisted_base *base)
{
  for (l = enclosing_row (l); l; l = enclosing_row (l))
    if ((base->strip = find_known (l, &base->reference)))
      {
        base->l = l;
        base->count = ultimate_count (l->type).value;
        return true;
      }
  return false;
}

/* The column of L in ROW as a linear form. */
static bool
find_column (struct expr *l, const struct hoisted_base *base, struct iteration_set *s,
             struct linear *sum)
{
  *sum = (struct linear){ .factor = 0 };
  for (; l != base->l; l = strip_parens (pointer_of (l)->a))
    {
      int64_t count = (int64_t) ultimate_count (l->type).value;
      struct linear own;

      if (!find_linear (index_of (l), s, &own) || own.divisor != 0)
        return false;
      *sum = (struct linear){ sum->factor + own.factor * count,
                              sum->constant + own.constant * count, 0 };
    }
  return true;
}

bool
stays_in_row (struct expr *l, const struct hoisted_base *base, struct iteration_set *s)
{
  int64_t first, last, count = (int64_t) base->count;
  struct linear at;

  if (!find_column (l, base, s, &at) || !find_range (s, &first, &last))
    return false;
  first = at.constant + at.factor * first;
  last = at.constant + at.factor * last;
  return first >= 0 && first < count && last >= 0 && last < count;
}
