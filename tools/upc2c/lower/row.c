/* Rows of elements that the loops around know:

       for (i = 1; i < n; i++) for (j = 1; j < m; j++) a[i][j] = b[i - 1][j] + b[i][j - 1];

   Where blocks consist of whole rows, the outer loop keeps the addresses of a[i], b[i - 1] and
   b[i], and the inner one starts from those. C would not have columns outside of a row, but
   programs do: where columns are not known to stay in it, they are looked at. */

#include "tools/upc2c/lower/internal.h"

/* The element itself, or a row that it is in. */
static bool
note_row (struct expr *e, void *span)
{
  struct expr *l = accessed_element (e);
  struct row row;

  if (!l || add_reference (span, l) || find_row (l, &row))
    return false;
  for (l = row_around (l); l; l = row_around (l))
    if (add_reference (span, l))
      break;
  return false;
}

void
note_rows (struct span *span, struct stmt *s)
{
  if (!s)
    return;
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      any_in_stmt (s, note_row, span);
      return;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        note_rows (span, item);
      return;
    default:
      note_rows (span, s->then);
      note_rows (span, s->otherwise);
    }
}

bool
has_row (struct span *span, struct expr *l)
{
  for (l = row_around (l); l; l = row_around (l))
    if (reference_to (span, l))
      return true;
  return false;
}

bool
find_row (struct expr *l, struct row *row)
{
  for (l = row_around (l); l; l = row_around (l))
    if ((row->span = find_known (l, &row->reference)))
      {
        row->l = l;
        row->count = ultimate_count (l->type).value;
        return true;
      }
  return false;
}

/* The column of L in ROW as a linear form. */
static bool
find_column (struct expr *l, const struct row *row, struct share *s, struct linear *sum)
{
  *sum = (struct linear){ .factor = 0 };
  for (; l != row->l; l = peel (pointer_of (l)->a))
    {
      int64_t count = (int64_t) ultimate_count (l->type).value;
      struct linear own;

      if (!find_linear (number_of (l), s, &own) || own.divisor != 0)
        return false;
      *sum = (struct linear){ sum->factor + own.factor * count, sum->constant + own.constant * count, 0 };
    }
  return true;
}

bool
stays_in_row (struct expr *l, const struct row *row, struct share *s)
{
  int64_t first, last, count = (int64_t) row->count;
  struct linear at;

  if (!find_column (l, row, s, &at) || !find_range (s, &first, &last))
    return false;
  first = at.constant + at.factor * first;
  last = at.constant + at.factor * last;
  return first >= 0 && first < count && last >= 0 && last < count;
}
