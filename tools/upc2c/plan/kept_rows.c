/* Rows that an outer loop goes through one by one, and that stay in windows (window.c):

       for (i = 1; i < n - 1; i++)
         for (j = 1; j < m - 1; j++)
           a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1];

   Row i + 1 of `b` is row i in the next iteration, and row i - 1 in the one after that. So each row is
   copied once, when it is first read, and the windows for its later uses are at the same place
   (upct/window.h).

   Nothing in a nest (nest.c) synchronises with other threads, so a relaxed access may have the value that
   an earlier one had (UPC 1.3, B.3.1), if the nest itself does not store there: no array that it writes
   may be this one, nor may private pointers through which it stores lead to it. A new row is copied from
   the first element to the last that any iteration will access. Near the end of the outer loop, where not
   all of these iterations follow, windows are as they are without kept rows. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_COLUMNS_APART = LEAST_WINDOW
};

/* Adds N times the factor of T times SYMBOL. */
static void
add_symbol (struct affine *f, struct expr *symbol, struct term t, int64_t n)
{
  t.symbol = symbol;
  t.factor *= n;
  add_term (f, t);
}

/* T's symbol is a product of what moves with AROUND, `i`, `i + 1` and so on, and of what does not. */
static bool
add_product (struct term t, struct loop *around, struct affine *rest, struct affine *row)
{
  struct expr *e = strip_parens (t.symbol), *moving, *fixed;
  struct affine f;

  while (e->kind == EXPR_CAST
         && type_size (e->type).value >= type_size (strip_parens (e->a)->type).value)
    e = strip_parens (e->a);
  if (e->kind != EXPR_BINARY || e->op != '*' || type_is_unsigned (e->type))
    return false;
  moving = strip_parens (e->a);
  fixed = strip_parens (e->b);
  if (is_loop_invariant (moving, around))
    moving = fixed, fixed = strip_parens (e->a);
  if (!is_loop_invariant (fixed, around) || !find_affine (moving, around, &f) || f.is_partial
      || f.wrap != WRAPS_NEVER || f.count != 1 || induction_factor (&f, around) != 1)
    return false;
  add_symbol (row, fixed, t, 1);
  if (f.constant != 0)
    add_symbol (rest, fixed, t, f.constant);
  return true;
}

/* Adds to ROW by how much T grows with its symbol. */
static void
add_each (struct affine *row, struct term t)
{
  const struct affine one = { .constant = t.factor };

  if (t.times_threads)
    add_by_threads (row, &one, 1);
  else
    row->constant += t.factor;
}

/* AT as REST, and ROW times the induction variable of the loop around LOOP; what LOOP's own one adds is left out. */
static bool
split_rows (const struct affine *at, struct loop *loop, struct affine *rest, struct affine *row)
{
  struct loop *around = loop->around;

  *rest = (struct affine){ .constant = at->constant };
  *row = (struct affine){ .constant = 0 };
  if (at->is_partial)
    return false;
  for (int i = 0; i < at->count; i++)
    {
      struct term t = at->term[i];

      if (t.factor == UNKNOWN_FACTOR)
        return false;
      if (is_induction (t.symbol, loop))
        continue;
      if (is_induction (t.symbol, around))
        add_each (row, t);
      else if (is_loop_invariant (t.symbol, around))
        add_term (rest, t);
      else if (!add_product (t, around, rest, row))
        return false;
    }
  return !rest->is_partial && !row->is_partial && (row->count > 0 || row->constant != 0);
}

static bool
are_same_form (const struct affine *a, const struct affine *b)
{
  int64_t apart;

  return find_apart (a, b, &apart) && apart == 0;
}

static int64_t
size_of (int64_t n)
{
  return n < 0 ? -n : n;
}

/* How many rows W is behind OTHER, and how many columns after that. */
static bool
find_row_apart (const struct window *w, const struct window *other, struct loop *loop,
                int *row_apart, int64_t *column)
{
  struct affine rest, row, other_rest, other_row;
  bool is_found = false;

  if (!split_rows (&w->first->at, loop, &rest, &row)
      || !split_rows (&other->first->at, loop, &other_rest, &other_row)
      || !are_same_form (&row, &other_row))
    return false;
  for (int k = -MOST_KEPT_ROWS; k <= MOST_KEPT_ROWS; k++)
    {
      struct affine moved = other_rest;
      int64_t apart;

      add_scaled (&moved, &row, k);
      if (!find_apart (&moved, &rest, &apart) || size_of (apart) > MOST_COLUMNS_APART
          || (is_found && size_of (apart) >= size_of (*column)))
        continue;
      *row_apart = k;
      *column = apart;
      is_found = true;
    }
  return is_found;
}

static bool
may_keep (const struct window *w)
{
  return !w->kept && w->first->stride == 1;
}

/* Puts into ROWS what is in rows of FIRST's array, a few of them. */
static void
find_members (struct loop *loop, struct window *first, struct kept_rows *rows)
{
  for (struct window *w = first; w; w = w->next)
    {
      int row;
      int64_t column;

      if (!may_keep (w) || w->first->root->decl != first->first->root->decl
          || !find_row_apart (w, first, loop, &row, &column)
          || (row > rows->first_row ? row : rows->last_row)
                     - (row < rows->first_row ? row : rows->first_row)
                 >= MOST_KEPT_ROWS)
        continue;
      w->kept = rows;
      w->row = row;
      w->column = column;
      if (row < rows->first_row)
        rows->first_row = row;
      if (row > rows->last_row)
        rows->last_row = row;
      if (column < rows->first_column)
        rows->first_column = column;
      if (column + w->farthest > rows->last_column)
        rows->last_column = column + w->farthest;
    }
}

static void
leave_out (struct loop *loop, const struct kept_rows *rows)
{
  for (struct window *w = loop->windows; w; w = w->next)
    if (w->kept == rows)
      w->kept = NULL;
}

/* Whether the nest stores to what ROOT leads to; NEEDS_QUESTION: that depends on pointers. */
static bool
is_written_in (const struct nest *nest, struct expr *root, bool *needs_question)
{
  *needs_question = false;
  for (const struct nest_array *a = nest->arrays; a; a = a->next)
    if (a->is_written && a->root->decl == root->decl)
      return true;
    else if (a->is_written && may_overlap (a->root, root))
      *needs_question = true;
  return false;
}

static bool
may_be_in_row (struct expr *e, void *type)
{
  return may_be_element (e, type);
}

/* Whether E may store to elements of TYPE by a private pointer, as to a part of one. */
static bool
may_store_to_row (struct expr *e, void *type)
{
  return is_store (e) && any_in_expr (e->a, may_be_in_row, type);
}

static void
keep_rows_of (struct loop *loop, struct window *first, struct nest *nest)
{
  struct kept_rows *rows = NEW (struct kept_rows);

  *rows = (struct kept_rows){ .around = loop->around,
                              .root = first->first->root,
                              .number = loop->number,
                              .window = first->number };
  if (is_written_in (nest, first->first->root, &rows->needs_question)
      || any_in_stmt (loop->around->stmt, may_store_to_row, (void *) first->first->type))
    return;
  find_members (loop, first, rows);
  if (rows->first_row == rows->last_row || (rows->needs_question && !ask_nest (loop, nest)))
    {
      leave_out (loop, rows);
      return;
    }
  rows->next = loop->around->kept_rows;
  loop->around->kept_rows = rows;
}

/* Whether S is nothing that is done each time that what is around it is. */
static bool
may_leave (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind != STMT_BLOCK && s->kind != STMT_EXPR && s->kind != STMT_EMPTY
         && s->kind != STMT_DECLARATION && s->kind != STMT_FOR;
}

/* Whether LOOP, through the same columns, is in each iteration of AROUND, which goes from row to row. */
static bool
goes_through_rows (struct loop *loop, struct loop *around)
{
  return !around->is_kept && around->form == LOOP_AS_WRITTEN && !around->in_order && around->bound
         && around->induction && !is_by_pointer (around) && moves_by_one (around)
         && !around->is_down && (around->relation == '<' || around->relation == TOKEN_LESS_EQUAL)
         && !any_stmt (around->stmt->then, may_leave, NULL) && first_value (loop)
         && is_loop_invariant (first_value (loop), around)
         && is_loop_invariant (loop->bound, around);
}

void
keep_rows (struct loop *loop, struct nest *nest)
{
  if (!loop->windows || !nest || !loop->around || nest->loops->loop->stmt == loop->stmt
      || !goes_through_rows (loop, loop->around))
    return;
  for (struct window *w = loop->windows; w; w = w->next)
    if (may_keep (w))
      keep_rows_of (loop, w, nest);
}
