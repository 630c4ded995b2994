/* Affine forms as sums of terms. */

#include "tools/upc2c/plan/internal.h"

bool
is_small_number (int64_t n)
{
  return n > -(1l << MOST_BITS) && n < 1l << MOST_BITS;
}

bool
is_small_form (const struct affine *f)
{
  for (int i = 0; i < f->count; i++)
    if (f->term[i].factor != UNKNOWN_FACTOR && !is_small_number (f->term[i].factor))
      return false;
  return is_small_number (f->constant);
}

bool
is_induction (struct expr *e, const struct loop *loop)
{
  e = strip_parens (e);
  return e->kind == EXPR_NAME && e->decl == loop->induction;
}

const struct secondary *
secondary_of (const struct expr *e, const struct loop *loop)
{
  const struct secondary *s = loop->secondaries;

  while (s && !(e->kind == EXPR_NAME && e->decl == s->decl))
    s = s->next;
  return s;
}

/* Expressions of the same variables; a symbol is compared by that. */
bool
are_same_expr (struct expr *a, struct expr *b)
{
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->is_constant && b->is_constant)
    return a->value == b->value;
  if (a->kind != b->kind)
    return false;
  switch (a->kind)
    {
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      return a->decl == b->decl;
    case EXPR_CAST:
      return types_match (a->type, b->type) && are_same_expr (a->a, b->a);
    case EXPR_UNARY:
      return a->op == b->op && are_same_expr (a->a, b->a);
    case EXPR_BINARY:
      return a->op == b->op && are_same_expr (a->a, b->a) && are_same_expr (a->b, b->b);
    default:
      return false;
    }
}

static int64_t
plus (int64_t a, int64_t b)
{
  return a == UNKNOWN_FACTOR || b == UNKNOWN_FACTOR ? UNKNOWN_FACTOR : a + b;
}

static int64_t
times (int64_t factor, int64_t n)
{
  return factor == UNKNOWN_FACTOR && n ? UNKNOWN_FACTOR : factor * n;
}

void
add_term (struct affine *f, struct term added)
{
  struct term *t = f->term, *end = t + f->count;

  while (t != end
         && !(t->times_threads == added.times_threads && are_same_expr (t->symbol, added.symbol)))
    t++;
  if (t != end)
    t->factor = plus (t->factor, added.factor);
  else if (f->count == MOST_TERMS)
    {
      f->is_partial = true;
      return;
    }
  else
    f->term[f->count++] = added;
  if (t->factor == 0)
    *t = f->term[--f->count];
}

/* What is no term of F. */
static void
add_rest (struct affine *sum, const struct affine *f)
{
  sum->is_partial = sum->is_partial || f->is_partial;
  sum->is_early = sum->is_early && f->is_early;
  if (f->wrap > sum->wrap)
    sum->wrap = f->wrap;
}

void
add_scaled (struct affine *sum, const struct affine *f, int64_t n)
{
  for (int i = 0; i < f->count; i++)
    {
      struct term t = f->term[i];

      t.factor = times (t.factor, n);
      add_term (sum, t);
    }
  sum->constant += f->constant * n;
  add_rest (sum, f);
}

static struct expr *
threads_symbol (void)
{
  static struct expr *symbol;

  if (!symbol)
    {
      symbol = NEW (struct expr);
      *symbol = (struct expr){ .kind = EXPR_THREADS, .type = new_type (TYPE_INT, NULL) };
    }
  return symbol;
}

/* No square of THREADS is followed. */
void
add_by_threads (struct affine *sum, const struct affine *f, int64_t n)
{
  for (int i = 0; i < f->count; i++)
    {
      struct term t = f->term[i];

      t.factor = t.times_threads ? UNKNOWN_FACTOR : times (t.factor, n);
      t.times_threads = true;
      add_term (sum, t);
    }
  if (f->constant != 0)
    add_term (sum, (struct term){ threads_symbol (), f->constant * n, false });
  add_rest (sum, f);
}

int64_t
induction_factor (const struct affine *f, const struct loop *loop)
{
  int64_t factor = 0;

  for (int i = 0; i < f->count; i++)
    if (is_induction (f->term[i].symbol, loop))
      factor = f->term[i].times_threads ? UNKNOWN_FACTOR : plus (factor, f->term[i].factor);
  return factor;
}

int64_t
threads_factor (const struct affine *f, const struct loop *loop)
{
  int64_t factor = 0;

  for (int i = 0; i < f->count; i++)
    if (is_induction (f->term[i].symbol, loop))
      factor = f->term[i].times_threads ? plus (factor, f->term[i].factor) : UNKNOWN_FACTOR;
  return factor;
}

uint64_t
common_divisor (uint64_t a, uint64_t b)
{
  while (b)
    {
      uint64_t rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

uint64_t
fixed_divisor (const struct affine *f, const struct loop *loop)
{
  uint64_t divisor = f->is_partial;

  for (int i = 0; i < f->count; i++)
    if (!is_induction (f->term[i].symbol, loop))
      divisor = f->term[i].factor == UNKNOWN_FACTOR
                    ? 1
                    : common_divisor (divisor,
                                      (uint64_t) (f->term[i].factor < 0 ? -f->term[i].factor
                                                                        : f->term[i].factor));
  return divisor;
}

bool
is_multiple_of_threads (const struct affine *f, int64_t *factor)
{
  const struct term *t = f->term;

  *factor = f->count == 1 ? t->factor : 0;
  return f->count == 1 && f->constant == 0 && !f->is_partial && t->symbol->kind == EXPR_THREADS
         && !t->times_threads && t->factor != UNKNOWN_FACTOR;
}

bool
find_distance (const struct affine *a, const struct affine *b, struct distance *apart)
{
  struct affine difference = *b;
  bool is_zero;

  add_scaled (&difference, a, -1);
  *apart = (struct distance){ .fixed = difference.constant };
  difference.constant = 0;
  if (difference.is_partial || difference.wrap == WRAPS_INSIDE || !is_small_number (apart->fixed)
      || (difference.count > 0
          && (!is_multiple_of_threads (&difference, &apart->by_threads)
              || !is_small_number (apart->by_threads))))
    return false;
  is_zero = apart->fixed == 0 && apart->by_threads == 0;
  return !is_zero || a->wrap == b->wrap;
}

bool
find_apart (const struct affine *a, const struct affine *b, int64_t *apart)
{
  struct distance d;

  if (!find_distance (a, b, &d) || d.by_threads != 0)
    return false;
  *apart = d.fixed;
  return true;
}
