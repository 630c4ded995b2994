/* The loop header: the induction variable, its step and its bound:

       for (i = lo; i < n; i++)   (i = n; i > 0; i -= k)   (i = 0; n != i; i = i + 1)
       (p = a; p < a + n; p++) … */

#include "tools/upc2c/plan/internal.h"

int
next_number (void)
{
  static int count;

  return ++count;
}

/* The relation with its sides exchanged. */
static int
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

bool
is_pointer_variable (struct expr *e)
{
  const struct type *element;

  e = strip_parens (e);
  if (e->kind != EXPR_NAME || !is_variable (e->decl) || !type_is_pts (e->decl->type)
      || quals_of (e->decl->type))
    return false;
  element = e->decl->type->base;
  return type_is_complete (element) && element->kind != TYPE_ARRAY && element->kind != TYPE_VOID
         && type_size (element).is_known;
}

bool
is_forall (const struct loop *loop)
{
  return loop->stmt->kind == STMT_FORALL;
}

bool
is_by_pointer (const struct loop *loop)
{
  return loop->induction && type_is_pts (loop->induction->type);
}

int64_t
change_of_induction (const struct loop *loop)
{
  return loop->is_down ? -loop->step_value : loop->step_value;
}

bool
moves_by_one (const struct loop *loop)
{
  return !loop->step && loop->step_value == 1;
}

bool
is_counted (const struct loop *loop)
{
  return loop->bound || loop->counter;
}

bool
may_wrap (const struct loop *loop)
{
  return loop->induction && type_size (loop->induction->type).value < 4;
}

/* The variable that STEP changes: a candidate for the induction variable. */
static struct decl *
stepped_variable (struct expr *step, bool may_be_pointer)
{
  step = step ? strip_parens (step) : NULL;
  if (!step
      || (step->kind != EXPR_STEP && step->kind != EXPR_COMPOUND && step->kind != EXPR_ASSIGN))
    return NULL;
  return is_integer_variable (step->a)
                 || (may_be_pointer && is_pointer_variable (step->a)
                     && block_of (strip_parens (step->a)->type->base) > 0)
             ? strip_parens (step->a)->decl
             : NULL;
}

/* Whether PART of a step changes a variable that the condition is about. */
static bool
controls (struct expr *part, const struct loop *loop)
{
  struct decl *variable = stepped_variable (part, false);

  return variable && any_in_expr (loop->stmt->expr, is_name_of, variable);
}

/* The part of the step that changes the induction variable: i++ of `i++, p++`. */
static struct expr *
induction_part (const struct loop *loop)
{
  struct expr *e = loop->stmt->step ? strip_parens (loop->stmt->step) : NULL;

  for (; !is_forall (loop) && e && e->kind == EXPR_COMMA; e = strip_parens (e->a))
    if (controls (strip_parens (e->b), loop))
      return strip_parens (e->b);
  return e;
}

bool
moves_induction (const struct expr *e, const struct loop *loop)
{
  return loop->induction && is_store (e) && is_induction (e->a, loop);
}

/* i += THREADS, i = i + 4 * THREADS, … */
static void
find_rounds (struct loop *loop)
{
  struct affine f;
  int64_t factor;

  if (find_affine (loop->step, loop, &f) && f.wrap == WRAPS_NEVER
      && is_multiple_of_threads (&f, &factor) && factor > 0)
    loop->rounds = factor;
}

/* NAME = SUM */
static bool
find_move_by_sum (struct expr *name, struct expr *sum, struct expr **by, bool *is_down)
{
  if (sum->kind != EXPR_BINARY || (sum->op != '+' && sum->op != '-'))
    return false;
  *is_down = sum->op == '-';
  if (is_name_of (strip_parens (sum->a), name->decl))
    *by = sum->b;
  else if (is_name_of (strip_parens (sum->b), name->decl) && !*is_down)
    *by = sum->a;
  return *by;
}

bool
find_move (struct expr *part, struct expr **by, bool *is_down)
{
  *by = NULL;
  switch (part->kind)
    {
    case EXPR_STEP:
      *is_down = part->op == TOKEN_DECREMENT;
      return true;
    case EXPR_COMPOUND:
      *by = part->b;
      *is_down = part->op == '-';
      return part->op == '+' || part->op == '-';
    case EXPR_ASSIGN:
      return find_move_by_sum (strip_parens (part->a), strip_parens (part->b), by, is_down);
    default:
      return false;
    }
}

static bool
find_step (struct loop *loop)
{
  bool is_known = find_move (induction_part (loop), &loop->step, &loop->is_down);

  if (!is_known)
    return false;
  if (!loop->step)
    {
      loop->step_value = 1;
      return true;
    }
  if (!type_is_integer (loop->step->type) || !is_loop_invariant (loop->step, loop))
    return false;
  if (!strip_parens (loop->step)->is_constant)
    {
      find_rounds (loop);
      return true;
    }
  loop->step_value = strip_parens (loop->step)->value;
  if (loop->step_value < 0)
    {
      loop->is_down = !loop->is_down;
      loop->step_value = -loop->step_value;
    }
  loop->step = NULL;
  return loop->step_value > 0;
}

/* Whether the bound is of the same kind as the induction variable: an integer, or a pointer in the
   same layout. */
static bool
is_good_bound (const struct loop *loop)
{
  const struct type *type = loop->bound->type, *variable = loop->induction->type;

  if (!is_by_pointer (loop))
    return type_is_integer (type) && type_size (type).value <= 8;
  return type_is_pts (type) && types_match_unqualified (type->base, variable->base)
         && block_of (type->base) == block_of (variable->base);
}

bool
find_bound (struct loop *loop)
{
  struct expr *e = loop->stmt->expr ? strip_parens (loop->stmt->expr) : NULL;

  if (!e || e->kind != EXPR_BINARY)
    return false;
  loop->relation = is_induction (e->a, loop) ? e->op : mirrored (e->op);
  loop->bound = is_induction (e->a, loop) ? e->b : e->a;
  if ((!is_induction (e->a, loop) && !is_induction (e->b, loop)) || !is_good_bound (loop)
      || !is_loop_invariant (loop->bound, loop))
    return false;
  switch (loop->relation)
    {
    case '<':
    case TOKEN_LESS_EQUAL:
      return !loop->is_down;
    case '>':
    case TOKEN_GREATER_EQUAL:
      return loop->is_down;
    case TOKEN_NOT_EQUAL:
      return !loop->step && loop->step_value == 1;
    default:
      return false;
    }
}

/* Whether nothing in S, nor anywhere else, changes D while the loop runs. */
static bool
is_own_variable (struct decl *d, struct stmt *s)
{
  return !d->has_static_duration && !d->has_address_taken && is_unchanged (d, s);
}

/* Whether only its part of the step changes the induction variable. */
static bool
is_valid_induction (struct loop *loop)
{
  struct stmt rest = *loop->stmt;
  struct expr *e = rest.step, *part = induction_part (loop);

  rest.step = NULL;
  if (!loop->induction)
    return false;
  if (loop->form == LOOP_ONE_BY_ONE)
    return true;
  for (e = strip_parens (e); e != part; e = strip_parens (e->a))
    {
      rest.step = strip_parens (e->b) == part ? e->a : e->b;
      if (!is_own_variable (loop->induction, &rest))
        return false;
      if (rest.step == e->a)
        return true;
    }
  return is_own_variable (loop->induction, &rest);
}

bool
find_induction (struct loop *loop)
{
  loop->secondaries = NULL;
  loop->compared = NULL;
  loop->induction = stepped_variable (induction_part (loop), is_forall (loop));
  return is_valid_induction (loop) && find_step (loop)
         && (!is_by_pointer (loop) || (moves_by_one (loop) && !loop->is_down));
}

/* E is `n--`, or compares that or `--n` with 0. */
void
find_counter (struct loop *loop)
{
  struct stmt rest = *loop->stmt;
  struct expr *e = rest.expr ? strip_parens (rest.expr) : NULL, *zero = NULL;

  loop->relation = TOKEN_NOT_EQUAL;
  if (e && e->kind == EXPR_BINARY)
    {
      loop->relation = e->op;
      zero = strip_parens (e->b);
      e = strip_parens (e->a);
    }
  rest.expr = NULL;
  if (!e || e->kind != EXPR_STEP || e->op != TOKEN_DECREMENT || !is_integer_variable (e->a)
      || type_size (e->type).value < 4 || !is_own_variable (strip_parens (e->a)->decl, &rest)
      || (zero
          && (!zero->is_constant || zero->value != 0
              || (type_is_unsigned (zero->type) && !type_is_unsigned (e->type)))))
    return;
  if (e->is_prefix ? loop->relation == TOKEN_GREATER_EQUAL && !type_is_unsigned (e->type)
                   : loop->relation == TOKEN_NOT_EQUAL || loop->relation == '>')
    loop->counter = strip_parens (e->a);
}

bool
find_header (struct loop *loop)
{
  /* A condition behind the body does not say whether there is an iteration. */
  return !loop->stmt->is_do && find_induction (loop) && find_bound (loop);
}

struct expr *
first_value (const struct loop *loop)
{
  struct stmt *s = loop->stmt;
  struct decl *declared = s->declaration ? s->declaration->decls : NULL;
  struct expr *init = s->init_expr && !s->declaration ? strip_parens (s->init_expr) : NULL;

  if (init && init->kind == EXPR_ASSIGN && is_induction (init->a, loop))
    return strip_parens (init->b);
  return declared && declared == loop->induction && declared->init && declared->init->expr
             ? strip_parens (declared->init->expr)
             : NULL;
}

/* Whether the induction variable of LOOP has VALUE without a conversion, and nothing overflows near it. */
static bool
is_small_value (int64_t value, const struct loop *loop)
{
  return value < INT32_MAX && value > (type_is_unsigned (loop->induction->type) ? -1 : INT32_MIN);
}

bool
find_constants (struct loop *loop, int64_t *first, int64_t *last)
{
  struct expr *start = first_value (loop), *bound = loop->bound ? strip_parens (loop->bound) : NULL;

  if (!start || !start->is_constant || !bound || !bound->is_constant || loop->compared)
    return false;
  *first = start->value;
  *last = bound->value;
  if (loop->relation == '<' || (loop->relation == TOKEN_NOT_EQUAL && !loop->is_down))
    --*last;
  else if (loop->relation == '>' || loop->relation == TOKEN_NOT_EQUAL)
    ++*last;
  return is_small_value (*first, loop) && is_small_value (*last, loop);
}

struct loop *
whole_loop (struct loop *loop)
{
  return loop->stmt->whole ? loop->stmt->whole : loop;
}

bool
find_range (struct loop *loop, int64_t *first, int64_t *last)
{
  return find_constants (whole_loop (loop), first, last) && *first >= 0 && *last >= 0;
}

int64_t
constant_iterations (struct stmt *s, struct loop *loop, int64_t *first)
{
  int64_t last, distance;

  *loop = (struct loop){ .stmt = s, .is_consecutive = true };
  if (!find_header (loop) || is_by_pointer (loop) || loop->step
      || strip_parens (loop->stmt->step)->kind == EXPR_COMMA
      || !find_constants (loop, first, &last))
    return 0;
  distance = loop->is_down ? *first - last : last - *first;
  return distance < 0 ? 0 : distance / loop->step_value + 1;
}
