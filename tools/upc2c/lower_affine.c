/* Whether a upc_forall's affinity is an affine expression of its counter:

       upc_forall (i = lo; i < n; i++; &a[i + c])      also p + i, &a[2 * i][0],
       upc_forall (i = n; i > 0; i -= k; i / b)        i * THREADS / n, … */

#include "tools/upc2c/share.h"
#include "tools/upc2c/visit.h"

/* What is stored to or has its address taken, seen from the variable it is in. */
static struct expr *
base_of (struct expr *e)
{
  for (e = peel (e); e->kind == EXPR_DOT; e = peel (e->a))
    continue;
  return e;
}

static bool
is_name_of (struct expr *e, struct decl *decl)
{
  return e->kind == EXPR_NAME && e->decl == decl;
}

/* What might change a variable. */
struct change
{
  struct decl *decl;
  bool by_pointer; /* stores through pointers and calls may be to it */
};

static bool
may_alias (const struct type *stored, const struct type *variable)
{
  return stored->kind == variable->kind || stored->kind == TYPE_CHAR || stored->kind == TYPE_UCHAR
         || stored->kind == TYPE_SCHAR || stored->kind == TYPE_UNKNOWN || type_is_record (stored)
         || type_is_record (variable)
         || (type_is_integer (stored)
             && type_size (stored).value == type_size (variable).value);
}

static bool
changes (struct expr *e, void *data)
{
  struct change *c = data;
  struct expr *target;

  if (e->kind == EXPR_CALL)
    return c->by_pointer;
  if (e->kind != EXPR_ASSIGN && e->kind != EXPR_COMPOUND && e->kind != EXPR_STEP)
    return false;
  target = base_of (e->a);
  if (target->kind == EXPR_NAME)
    return target->decl == c->decl;
  return c->by_pointer && may_alias (peel (e->a)->type, c->decl->type);
}

static bool
takes_address (struct expr *e, void *decl)
{
  return e->kind == EXPR_ADDRESS && is_name_of (base_of (e->a), decl);
}

static bool
is_odd_statement (struct stmt *s, void *data)
{
  (void) data;
  return s->kind == STMT_ASM || s->kind == STMT_GOTO_COMPUTED
         || (s->kind == STMT_DECLARATION && s->declaration->kind == DECLARATION_FUNCTION);
}

/* Whether D, a private variable, keeps its value while the body of LOOP runs. The name of
   an array in a record is its address, so records may be stored to from anywhere. */
static bool
is_fixed (struct decl *d, struct stmt *loop)
{
  struct stmt *function = function_being_written ? function_being_written->body : NULL;
  struct change change = { .decl = d };

  if ((!type_is_scalar (d->type) && !type_is_record (d->type)) || !function
      || any_stmt (function, is_odd_statement, NULL))
    return false;
  change.by_pointer = d->has_static_duration || type_is_record (d->type)
                      || any_in_stmt (function, takes_address, d);
  return !any_in_stmt (loop->then, changes, &change) && !any_in_expr (loop->expr, changes, &change)
         && !any_in_expr (loop->affinity, changes, &change);
}

static bool
is_variable (const struct decl *d)
{
  return d && (d->kind == DECL_VARIABLE || d->kind == DECL_PARAMETER);
}

/* Whether the value of the name may differ from one iteration to another. */
static bool
is_unsteady_name (struct expr *e, struct share *s)
{
  if (!is_variable (e->decl) || e->is_constant)
    return false;
  if (e->decl == s->counter || quals_of (e->decl->type) & QUAL_VOLATILE)
    return true;
  /* A shared object's name is read by EXPR_LOAD; without that it is a place. */
  if (type_is_shared (e->decl->type) || s->sureness == TRUSTED)
    return false;
  return !is_fixed (e->decl, s->loop);
}

static bool
is_unsteady (struct expr *e, void *share)
{
  struct share *s = share;

  switch (e->kind)
    {
    case EXPR_UNKNOWN:
    case EXPR_STATEMENT:
    case EXPR_LABEL:
    case EXPR_CALL:
    case EXPR_STEP:
    case EXPR_LITERAL:
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_VA_ARG:
    case EXPR_BUILTIN_TYPES:
      return true;
    case EXPR_NAME:
      return is_unsteady_name (e, s);
    case EXPR_LOAD:
      return s->sureness == SURE || e->a->is_strict || quals_of (e->a->type) & QUAL_VOLATILE;
    case EXPR_ARROW:
    case EXPR_DEREF:
    case EXPR_INDEX:
      return !type_is_shared (e->type)
             && (s->sureness == SURE || quals_of (e->type) & QUAL_VOLATILE);
    default:
      return false;
    }
}

/* Whether E has the same value in all iterations, and no side effects. */
static bool
is_steady (struct expr *e, struct share *s)
{
  return !any_in_expr (e, is_unsteady, s);
}

/* Values of such types wrap around at 2^32, which no longer is affine. */
static bool
is_short_unsigned (const struct type *type)
{
  return type_is_unsigned (type) && type_size (type).value <= 4;
}

static int64_t
times (int64_t factor, struct expr *e)
{
  e = peel (e);
  if (factor == UNKNOWN_FACTOR || !e->is_constant || e->value > INT32_MAX || e->value < -INT32_MAX
      || factor > INT32_MAX || factor < -INT32_MAX)
    return UNKNOWN_FACTOR;
  return factor * e->value;
}

static int64_t
plus (int64_t a, int64_t b)
{
  return a == UNKNOWN_FACTOR || b == UNKNOWN_FACTOR ? UNKNOWN_FACTOR : a + b;
}

static int64_t
minus (int64_t a)
{
  return a == UNKNOWN_FACTOR ? a : -a;
}

static bool is_affine (struct expr *e, struct share *s, int64_t *factor);

static bool
is_affine_binary (struct expr *e, struct share *s, int64_t *factor)
{
  int64_t a, b;
  struct expr *invariant;

  if (!is_affine (e->a, s, &a) || !is_affine (e->b, s, &b))
    return false;
  switch (e->op)
    {
    case '+':
      *factor = plus (a, b);
      return !is_short_unsigned (e->type)
             || !((peel (e->a)->is_constant && peel (e->a)->value > INT32_MAX)
                  || (peel (e->b)->is_constant && peel (e->b)->value > INT32_MAX));
    case '-':
      *factor = plus (a, minus (b));
      return !is_short_unsigned (e->type);
    case '*':
      if (a != 0 && b != 0)
        return false;
      invariant = a == 0 ? e->a : e->b;
      *factor = times (a == 0 ? b : a, invariant);
      /* Large factors are hash functions, which mean to wrap around. */
      return !is_short_unsigned (e->type)
             && !(peel (invariant)->is_constant && *factor == UNKNOWN_FACTOR);
    default:
      return false;
    }
}

static bool
is_counter (struct expr *e, struct share *s)
{
  return is_name_of (peel (e), s->counter);
}

/* E as FACTOR * counter + what does not change in the loop. */
static bool
is_affine (struct expr *e, struct share *s, int64_t *factor)
{
  *factor = 0;
  e = peel (e);
  if (!type_is_integer (e->type))
    return false;
  if (is_steady (e, s))
    return true;
  switch (e->kind)
    {
    case EXPR_NAME:
      *factor = 1;
      return is_counter (e, s);
    case EXPR_CAST:
      if (is_short_unsigned (e->type) && !is_counter (e->a, s))
        return false;
      return type_size (e->type).value >= type_size (s->counter->type).value
             && is_affine (e->a, s, factor);
    case EXPR_UNARY:
      if (e->op == '-' && !is_short_unsigned (e->type) && is_affine (e->a, s, factor))
        {
          *factor = minus (*factor);
          return true;
        }
      return e->op == '+' && is_affine (e->a, s, factor);
    case EXPR_BINARY:
      return is_affine_binary (e, s, factor);
    default:
      return false;
    }
}

static bool
are_equal (struct expr *a, struct expr *b)
{
  a = peel (a);
  b = peel (b);
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
    case EXPR_BINARY:
      return a->op == b->op && are_equal (a->a, b->a) && are_equal (a->b, b->b);
    default:
      return false;
    }
}

/* E without constants that are added to it, and their sum. */
static struct expr *
without_constant (struct expr *e, int64_t *sum)
{
  for (*sum = 0, e = peel (e); e->kind == EXPR_BINARY && !e->is_constant; e = peel (e))
    {
      if ((e->op == '+' || e->op == '-') && peel (e->b)->is_constant)
        {
          *sum += e->op == '-' ? -peel (e->b)->value : peel (e->b)->value;
          e = e->a;
        }
      else if (e->op == '+' && peel (e->a)->is_constant)
        {
          *sum += peel (e->a)->value;
          e = e->b;
        }
      else
        break;
    }
  return e;
}

bool
differ_by (struct expr *a, struct expr *b, int64_t *apart)
{
  int64_t more_a, more_b;

  a = without_constant (a, &more_a);
  b = without_constant (b, &more_b);
  *apart = more_b - more_a;
  return are_equal (a, b) && *apart > -(1 << 30) && *apart < 1 << 30;
}

/* The clauses of the loop. */

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

static bool
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

static bool
is_good_counter (struct share *s)
{
  if (!s->counter)
    return false;
  return s->sureness == TRUSTED
         || (!s->counter->has_static_duration && is_fixed (s->counter, s->loop)
             && !any_in_stmt (function_being_written->body, takes_address, s->counter));
}

/* Affinity. */

static bool
is_one_element (struct share *s, int64_t factor)
{
  return factor == 1 && !s->step && s->step_value == 1 && !s->is_down;
}

/* Of an expression that is no constant or known not to be negative: quotients round
   towards zero, and layouts towards the negative. */
static bool
is_never_negative (struct expr *e, struct share *s)
{
  struct expr *init = s->loop->init_expr ? peel (s->loop->init_expr) : NULL;
  struct decl *declared = s->loop->declaration ? s->loop->declaration->decls : NULL;
  struct expr *start = NULL;

  e = peel (e);
  if (type_is_unsigned (e->type) || (e->is_constant && e->value >= 0) || e->kind == EXPR_THREADS)
    return true;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '*'))
    return is_never_negative (e->a, s) && is_never_negative (e->b, s);
  if (e->kind == EXPR_CAST)
    return is_never_negative (e->a, s);
  if (!is_counter (e, s) || s->is_down || s->step)
    return false;
  if (init && init->kind == EXPR_ASSIGN && is_counter (init->a, s))
    start = peel (init->b);
  else if (declared && declared == s->counter && declared->init)
    start = declared->init->expr ? peel (declared->init->expr) : NULL;
  return start && start->is_constant && start->value >= 0;
}

static bool
find_integer (struct share *s)
{
  struct expr *e = peel (s->loop->affinity);
  int64_t factor;

  s->position = POSITION_INTEGER;
  s->block = 1;
  /* Values that are not negative lie as they are modulo THREADS. */
  if (e->kind == EXPR_BINARY && e->op == '%' && peel (e->b)->kind == EXPR_THREADS
      && is_never_negative (e->a, s))
    e = peel (e->a);
  if (e->kind == EXPR_BINARY && e->op == '/' && is_steady (e->b, s) && !is_steady (e->a, s)
      && type_is_integer (e->type) && is_never_negative (e->a, s))
    {
      s->divisor = e->b;
      s->place = e->a;
      return is_affine (e->a, s, &factor);
    }
  s->place = e;
  if (!is_affine (e, s, &factor))
    return false;
  s->is_by_one = is_one_element (s, factor);
  s->index = e;
  return true;
}

/* The element whose affinity `&x[…].member` has. */
static struct expr *
element_of (struct expr *address)
{
  struct expr *l = peel (address->a);

  while (l->kind == EXPR_DOT)
    l = peel (l->a);
  return l;
}

static int64_t
scaled (int64_t factor, const struct type *element)
{
  struct size size = ultimate_count (element);

  if (factor == 0)
    return 0;
  return factor == UNKNOWN_FACTOR || !size.is_known || size.times_threads
           ? UNKNOWN_FACTOR : factor * (int64_t) size.value;
}

/* Adds to FACTOR how far one iteration moves the element L, in ultimate elements. ROOT
   comes back as what the indexes start from. */
static bool
find_element_factor (struct share *s, struct expr *l, int64_t *factor, struct expr **root)
{
  for (; l->kind == EXPR_INDEX; l = peel ((*root)->a))
    {
      int64_t own;

      if (!is_affine (number_of (l), s, &own))
        return false;
      *factor = plus (*factor, scaled (own, l->type));
      *root = pointer_of (l);
      if ((*root)->kind != EXPR_DECAY)
        return true;
    }
  return true;
}

static bool is_affine_pointer (struct expr *e, struct share *s, int64_t *factor);

static bool
is_affine_element (struct expr *l, struct share *s, int64_t *factor)
{
  struct expr *root = NULL;
  int64_t own;

  if (l->kind != EXPR_INDEX || !find_element_factor (s, l, factor, &root))
    return false;
  if (root->kind == EXPR_DECAY)
    return peel (root->a)->kind == EXPR_NAME;
  if (!is_affine_pointer (root, s, &own))
    return false;
  *factor = plus (*factor, own);
  return true;
}

/* A pointer-to-shared that moves by FACTOR ultimate elements in each iteration. */
static bool
is_affine_pointer (struct expr *e, struct share *s, int64_t *factor)
{
  int64_t own;
  bool swapped;

  e = peel (e);
  *factor = 0;
  if (is_steady (e, s))
    return true;
  switch (e->kind)
    {
    case EXPR_ADDRESS:
      return is_affine_element (peel (e->a), s, factor);
    case EXPR_DECAY:
      return is_affine_element (peel (e->a), s, factor);
    case EXPR_BINARY:
      swapped = !type_is_pts (e->a->type);
      if (!is_affine_pointer (swapped ? e->b : e->a, s, factor)
          || !is_affine (swapped ? e->a : e->b, s, &own))
        return false;
      *factor = plus (*factor, scaled (e->op == '-' ? minus (own) : own, e->type->base));
      return true;
    default:
      return false;
    }
}

/* `&x[…]` of a static array: the index is known itself. */
static bool
is_static_element (struct expr *l)
{
  struct expr *root = NULL;

  for (; l->kind == EXPR_INDEX; l = peel (root->a))
    {
      root = pointer_of (l);
      if (root->kind != EXPR_DECAY)
        return false;
    }
  return root && l->kind == EXPR_NAME;
}

static void
set_position (struct share *s, struct expr *place, int64_t factor)
{
  s->place = place;
  s->position = place->kind == EXPR_INDEX && is_static_element (place) ? POSITION_ELEMENT
                                                                       : POSITION_POINTER;
  s->is_by_one = is_one_element (s, factor);
  if (s->position == POSITION_ELEMENT && place->type->kind != TYPE_ARRAY
      && peel (pointer_of (place)->a)->kind == EXPR_NAME)
    s->index = number_of (place);
  if (factor != s->block || s->is_by_one || !is_one_element (s, 1))
    return;
  /* From block to block, as in a layout of single elements. */
  s->position = POSITION_THREAD;
  s->block = 1;
  s->is_by_one = true;
  s->index = NULL;
}

static bool
find_pointer (struct share *s)
{
  struct expr *e = peel (s->loop->affinity), *l = NULL;
  const struct type *target;
  int64_t factor = 0;

  if (e->kind == EXPR_CONVERT)
    e = peel (e->a);
  if (!type_is_pts (e->type))
    return false;
  /* The address of a member has no phase: the element it is in has. */
  if (e->kind == EXPR_ADDRESS)
    l = element_of (e);
  target = l ? l->type : e->type->base;
  s->block = block_of (target);
  if (s->block == 0 || target->kind == TYPE_VOID
      || !(l ? is_affine_element (l, s, &factor) : is_affine_pointer (e, s, &factor)))
    return false;
  set_position (s, l ? l : e, factor);
  return true;
}

bool
find_share (struct share *s)
{
  s->counter = stepped_variable (s->loop->step);
  if (!is_good_counter (s) || !find_counter_step (s) || !find_bound (s))
    return false;
  if (!(s->loop->affinity_kind == AFFINITY_POINTER ? find_pointer (s) : find_integer (s)))
    return false;
  s->index_block = s->block;
  return true;
}
