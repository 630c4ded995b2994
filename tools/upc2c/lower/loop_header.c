/* The loop header: the induction variable, its step and its bound:

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
  e = strip_parens (e);
  return e->kind == EXPR_NAME && is_variable (e->decl) && !e->is_constant
         && e->type->kind != TYPE_BOOL && type_is_integer (e->type) && !type_is_shared (e->type)
         && type_size (e->type).value <= 8 && !(quals_of (e->decl->type) & QUAL_VOLATILE);
}

/* The variable that STEP changes: a candidate for the induction variable. */
static struct decl *
stepped_variable (struct expr *step)
{
  step = step ? strip_parens (step) : NULL;
  if (!step
      || (step->kind != EXPR_STEP && step->kind != EXPR_COMPOUND && step->kind != EXPR_ASSIGN))
    return NULL;
  return is_integer_variable (step->a) ? strip_parens (step->a)->decl : NULL;
}

/* i++, i -= 2, i = i + k, … */
static bool
find_step (struct iteration_set *s)
{
  struct expr *e = strip_parens (s->loop->step), *sum;

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
      sum = strip_parens (e->b);
      if (sum->kind != EXPR_BINARY || (sum->op != '+' && sum->op != '-'))
        return false;
      s->is_down = sum->op == '-';
      if (is_induction (sum->a, s))
        s->step = sum->b;
      else if (is_induction (sum->b, s) && !s->is_down)
        s->step = sum->a;
      else
        return false;
    }
  if (!type_is_integer (s->step->type) || !is_loop_invariant (s->step, s))
    return false;
  if (!strip_parens (s->step)->is_constant)
    return true;
  s->step_value = strip_parens (s->step)->value;
  if (s->step_value < 0)
    {
      s->is_down = !s->is_down;
      s->step_value = -s->step_value;
    }
  s->step = NULL;
  return s->step_value > 0;
}

bool
find_bound (struct iteration_set *s)
{
  struct expr *e = s->loop->expr ? strip_parens (s->loop->expr) : NULL;

  if (!e || e->kind != EXPR_BINARY)
    return false;
  s->relation = is_induction (e->a, s) ? e->op : mirrored (e->op);
  s->bound = is_induction (e->a, s) ? e->b : e->a;
  if ((!is_induction (e->a, s) && !is_induction (e->b, s)) || !type_is_integer (s->bound->type)
      || type_size (s->bound->type).value > 8 || !is_loop_invariant (s->bound, s))
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
is_valid_induction (struct iteration_set *s)
{
  if (!s->induction)
    return false;
  return s->single_valued == ASSUMED
         || (!s->induction->has_static_duration && is_unchanged (s->induction, s->loop)
             && !s->induction->has_address_taken);
}

bool
find_induction (struct iteration_set *s)
{
  s->induction = stepped_variable (s->loop->step);
  return is_valid_induction (s) && find_step (s);
}

bool
find_header (struct iteration_set *s)
{
  return find_induction (s) && find_bound (s);
}

bool
find_range (struct iteration_set *s, int64_t *first, int64_t *last)
{
  struct expr *init = s->loop->init_expr && !s->loop->declaration
                          ? strip_parens (s->loop->init_expr)
                          : NULL;
  struct decl *declared = s->loop->declaration ? s->loop->declaration->decls : NULL;
  struct expr *start = NULL, *bound = s->bound ? strip_parens (s->bound) : NULL;

  if (init && init->kind == EXPR_ASSIGN && is_induction (init->a, s))
    start = strip_parens (init->b);
  else if (declared && declared == s->induction && declared->init && declared->init->expr)
    start = strip_parens (declared->init->expr);
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
