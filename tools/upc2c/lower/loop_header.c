/* The clauses of a upc_forall that counts:

       for (i = lo; i < n; i++)   (i = n; i > 0; i -= k)   (i = 0; n != i; i = i + 1) … */

#include "tools/upc2c/lower/internal.h"

int
mirrored (int relation)
{
  switch (relation)
    {
    case '<':
      return '>';
    case '>':
      return '<';
    case TOKEN_LESS_EQUAL:
      return TOKEN_GREATER_EQUAL;
    case TOKEN_GREATER_EQUAL:
      return TOKEN_LESS_EQUAL;
    default:
      return relation;
    }
}

static bool
is_integer_variable (struct expr *e)
{
  e = peel (e);
  return e->kind == EXPR_NAME && is_variable (e->decl) && !e->is_constant
         && e->type->kind != TYPE_BOOL && type_is_integer (e->type) && !type_is_shared (e->type)
         && type_size (e->type).value <= 8 && !(quals_of (e->decl->type) & QUAL_VOLATILE);
}

/* The variable that STEP moves: a candidate for the counter. */
static struct decl *
stepped_variable (struct expr *step)
{
  step = step ? peel (step) : NULL;
  if (!step || (step->kind != EXPR_STEP && step->kind != EXPR_COMPOUND && step->kind != EXPR_ASSIGN))
    return NULL;
  return is_integer_variable (step->a) ? peel (step->a)->decl : NULL;
}

/* i++, i -= 2, i = i + k, … */
static bool
find_counter_step (struct share *s)
{
  struct expr *e = peel (s->loop->step), *sum;

  switch (e->kind)
    {
    case EXPR_STEP:
      s->step_value = 1;
      s->is_down = e->op == TOKEN_DECREMENT;
      return true;
    case EXPR_COMPOUND:
      s->step = e->b;
      s->is_down = e->op == '-';
      if (e->op != '+' && e->op != '-')
        return false;
      break;
    default:
      sum = peel (e->b);
      if (sum->kind != EXPR_BINARY || (sum->op != '+' && sum->op != '-'))
        return false;
      s->is_down = sum->op == '-';
      if (is_counter (sum->a, s))
        s->step = sum->b;
      else if (is_counter (sum->b, s) && !s->is_down)
        s->step = sum->a;
      else
        return false;
    }
  if (!type_is_integer (s->step->type) || !is_steady (s->step, s))
    return false;
  if (!peel (s->step)->is_constant)
    return true;
  s->step_value = peel (s->step)->value;
  if (s->step_value < 0)
    {
      s->is_down = !s->is_down;
      s->step_value = -s->step_value;
    }
  s->step = NULL;
  return s->step_value > 0;
}

bool
find_bound (struct share *s)
{
  struct expr *e = s->loop->expr ? peel (s->loop->expr) : NULL;

  if (!e || e->kind != EXPR_BINARY)
    return false;
  s->relation = is_counter (e->a, s) ? e->op : mirrored (e->op);
  s->bound = is_counter (e->a, s) ? e->b : e->a;
  if ((!is_counter (e->a, s) && !is_counter (e->b, s)) || !type_is_integer (s->bound->type)
      || type_size (s->bound->type).value > 8 || !is_steady (s->bound, s))
    return false;
  switch (s->relation)
    {
    case '<':
    case TOKEN_LESS_EQUAL:
      return !s->is_down;
    case '>':
    case TOKEN_GREATER_EQUAL:
      return s->is_down;
    case TOKEN_NOT_EQUAL:
      return !s->step && s->step_value == 1;
    default:
      return false;
    }
}

bool
is_good_counter (struct share *s)
{
  if (!s->counter)
    return false;
  return s->sureness == TRUSTED
         || (!s->counter->has_static_duration && is_fixed (s->counter, s->loop)
             && !s->counter->has_address_taken);
}

bool
find_counter (struct share *s)
{
  s->counter = stepped_variable (s->loop->step);
  return is_good_counter (s) && find_counter_step (s);
}

bool
find_clauses (struct share *s)
{
  return find_counter (s) && find_bound (s);
}

bool
find_range (struct share *s, int64_t *first, int64_t *last)
{
  struct expr *init = s->loop->init_expr && !s->loop->declaration ? peel (s->loop->init_expr) : NULL;
  struct decl *declared = s->loop->declaration ? s->loop->declaration->decls : NULL;
  struct expr *start = NULL, *bound = s->bound ? peel (s->bound) : NULL;

  if (init && init->kind == EXPR_ASSIGN && is_counter (init->a, s))
    start = peel (init->b);
  else if (declared && declared == s->counter && declared->init && declared->init->expr)
    start = peel (declared->init->expr);
  if (!start || !start->is_constant || !bound || !bound->is_constant)
    return false;
  *first = start->value;
  *last = bound->value;
  if (s->relation == '<' || (s->relation == TOKEN_NOT_EQUAL && !s->is_down))
    --*last;
  else if (s->relation == '>' || s->relation == TOKEN_NOT_EQUAL)
    ++*last;
  return *first >= 0 && *first < INT32_MAX && *last >= 0 && *last < INT32_MAX;
}
