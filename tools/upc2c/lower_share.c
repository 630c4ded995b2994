/* upc_forall whose affinity is an affine expression of the counter:

       upc_forall (i = lo; i < n; i++; &a[i + c]) …       also i + c, p + i, …

   The thread knows its own iterations beforehand and visits no others. What the
   affinity and the bound are made of must not change in the body; then one look at
   them, at the first iteration, tells all. */

#include "tools/upc2c/visit.h"
#include "tools/upc2c/gen.h"

/* A loop that is being written this way. */
struct share
{
  struct stmt *loop;
  struct decl *counter;
  struct expr *index;  /* elements whose index is this belong to the iteration, in … */
  uint32_t block;      /* … static arrays with this block size; 0: in none */
  const char *name;    /* of the variable in C */
  struct share *outer;
};

static struct share *shares;

static bool
is_counter (struct expr *e, struct decl *counter)
{
  e = peel (e);
  return e->kind == EXPR_NAME && e->decl == counter;
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
  target = peel (e->a);
  if (target->kind == EXPR_NAME)
    return target->decl == c->decl;
  return c->by_pointer && may_alias (target->type, c->decl->type);
}

static bool
takes_address (struct expr *e, void *decl)
{
  return e->kind == EXPR_ADDRESS && is_counter (e->a, decl);
}

static bool
is_odd_statement (struct stmt *s, void *data)
{
  (void) data;
  return s->kind == STMT_ASM || s->kind == STMT_GOTO_COMPUTED
         || (s->kind == STMT_DECLARATION && s->declaration->kind == DECLARATION_FUNCTION);
}

/* Whether D, private and scalar, keeps its value while the body of S runs. */
static bool
is_fixed (struct decl *d, struct stmt *s)
{
  struct change change = { .decl = d };

  if ((d->kind != DECL_VARIABLE && d->kind != DECL_PARAMETER) || type_is_shared (d->type)
      || !type_is_scalar (d->type) || quals_of (d->type) & QUAL_VOLATILE || !function_being_written)
    return false;
  if (any_stmt (function_being_written->body, is_odd_statement, NULL))
    return false;
  change.by_pointer = d->has_static_duration
                      || any_in_stmt (function_being_written->body, takes_address, d);
  return !any_in_stmt (s->then, changes, &change) && !any_in_expr (s->expr, changes, &change)
         && !any_in_expr (s->affinity, changes, &change);
}

/* E as COEFFICIENT * counter + what does not change in the loop. */
static bool
is_affine (struct expr *e, struct share *s, int64_t *coefficient)
{
  int64_t a, b;

  *coefficient = 0;
  e = peel (e);
  if (e->is_constant && type_is_integer (e->type))
    return true;
  switch (e->kind)
    {
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      *coefficient = e->decl == s->counter;
      return e->decl && (e->decl == s->counter || is_fixed (e->decl, s->loop));
    case EXPR_CAST:
      return type_is_integer (e->type)
             && type_size (e->type).value >= type_size (s->counter->type).value
             && is_affine (e->a, s, coefficient);
    case EXPR_BINARY:
      if (!type_is_integer (e->type) || !is_affine (e->a, s, &a) || !is_affine (e->b, s, &b))
        return false;
      switch (e->op)
        {
        case '+':
          *coefficient = a + b;
          return true;
        case '-':
          /* Of unsigned values, a difference may wrap on the way. */
          *coefficient = a - b;
          return !type_is_unsigned (e->type);
        case '*':
          if (a == 0 && b == 0)
            return true;
          *coefficient = peel (e->a)->is_constant   ? (int64_t) peel (e->a)->value * b
                         : peel (e->b)->is_constant ? a * (int64_t) peel (e->b)->value
                                                    : 0;
          return *coefficient != 0;
        default:
          return a == 0 && b == 0;
        }
    default:
      return false;
    }
}

static bool
is_invariant (struct expr *e, struct share *s)
{
  int64_t coefficient;

  return is_affine (e, s, &coefficient) && coefficient == 0;
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

const char *
share_of_element (struct expr *l)
{
  struct expr *pointer;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return NULL;
  pointer = pointer_of (l);
  if (pointer->kind != EXPR_DECAY || peel (pointer->a)->kind != EXPR_NAME)
    return NULL;
  for (struct share *s = shares; s; s = s->outer)
    if (s->block == block_of (l->type) && s->index && are_equal (s->index, number_of (l)))
      return s->name;
  return NULL;
}

/* `break` of this loop, not of one inside. */
static bool
has_break (struct stmt *s)
{
  if (!s)
    return false;
  switch (s->kind)
    {
    case STMT_BREAK:
      return true;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (has_break (item))
          return true;
      return false;
    case STMT_SWITCH:
    case STMT_WHILE:
    case STMT_DO:
    case STMT_FOR:
    case STMT_FORALL:
      return false;
    default:
      return has_break (s->then) || has_break (s->otherwise);
    }
}

/* The bound of `i < E` and `i <= E`, or NULL. */
static struct expr *
bound_of (struct stmt *s, struct decl **counter, bool *inclusive)
{
  struct expr *e = s->expr ? peel (s->expr) : NULL;
  bool swapped;
  struct expr *i;

  if (!e || e->kind != EXPR_BINARY)
    return NULL;
  swapped = e->op == '>' || e->op == TOKEN_GREATER_EQUAL;
  if (!swapped && e->op != '<' && e->op != TOKEN_LESS_EQUAL)
    return NULL;
  *inclusive = e->op == TOKEN_LESS_EQUAL || e->op == TOKEN_GREATER_EQUAL;
  i = peel (swapped ? e->b : e->a);
  if (i->kind != EXPR_NAME || !i->decl || i->is_constant)
    return NULL;
  *counter = i->decl;
  return swapped ? e->a : e->b;
}

static bool
steps_by_one (struct stmt *s, struct decl *counter)
{
  struct expr *e = s->step ? peel (s->step) : NULL;

  if (!e)
    return false;
  if (e->kind == EXPR_STEP)
    return e->op == TOKEN_INCREMENT && is_counter (e->a, counter);
  return e->kind == EXPR_COMPOUND && e->op == '+' && is_counter (e->a, counter)
         && e->b->is_constant && e->b->value == 1;
}

static bool
is_good_counter (struct decl *counter, struct stmt *s)
{
  switch (counter->type->kind)
    {
    case TYPE_INT:
    case TYPE_UINT:
    case TYPE_LONG:
    case TYPE_ULONG:
    case TYPE_LLONG:
    case TYPE_ULLONG:
      return !counter->has_static_duration && is_fixed (counter, s)
             && !any_in_stmt (function_being_written->body, takes_address, counter);
    default:
      return false;
    }
}

/* Where the iterations lie in the layout. */
struct start
{
  uint32_t block;
  struct expr *element; /* of a static array: the position is its index */
  bool by_threads;      /* or that of the affinity, counted in threads */
  struct expr *integer;
};

/* The element whose affinity `&x[…].member` has. */
static struct expr *
element_of (struct expr *address)
{
  struct expr *l = peel (address->a);

  while (l->kind == EXPR_DOT)
    l = peel (l->a);
  return l;
}

/* The affinity without conversions, when it is `&x[…]` or `x + …`; and what it steps
   over. */
static struct expr *
affinity_of (struct share *s, struct type **target)
{
  struct expr *e = peel (s->loop->affinity);

  if (e->kind == EXPR_CONVERT)
    e = peel (e->a);
  if (e->kind == EXPR_ADDRESS && element_of (e)->kind == EXPR_INDEX)
    *target = element_of (e)->type;
  else if (e->kind == EXPR_BINARY && e->op == '+' && type_is_pts (e->a->type))
    *target = e->type->base;
  else
    return NULL;
  return e;
}

/* How far one iteration moves the element L, in ultimate elements; false when that is
   not the same for all. ROOT comes back as what the indexes start from. */
static bool
find_step (struct share *s, struct expr *l, int64_t *step, struct expr **root)
{
  int64_t coefficient;
  struct size size;

  for (*step = 0; l->kind == EXPR_INDEX; l = peel ((*root)->a))
    {
      size = ultimate_count (l->type);
      if (!size.is_known || size.times_threads || !is_affine (number_of (l), s, &coefficient))
        return false;
      *step += coefficient * (int64_t) size.value;
      *root = pointer_of (l);
      if ((*root)->kind != EXPR_DECAY)
        return true;
    }
  return true;
}

/* Whether ROOT is the start of a static array, or a pointer that does not change. */
static bool
is_steady (struct share *s, struct expr *root)
{
  if (root->kind == EXPR_DECAY)
    return peel (root->a)->kind == EXPR_NAME;
  return root->kind == EXPR_NAME && root->decl && is_fixed (root->decl, s->loop);
}

static bool
find_pointer_start (struct share *s, struct start *start)
{
  struct type *target = NULL;
  struct expr *e = affinity_of (s, &target), *l = NULL, *root = NULL;
  int64_t step;

  if (!e || block_of (target) == 0)
    return false;
  start->block = block_of (target);
  if (e->kind == EXPR_BINARY)
    {
      struct size size = ultimate_count (target);

      root = peel (e->a);
      if (!size.is_known || size.times_threads || !is_affine (e->b, s, &step))
        return false;
      step *= size.value;
    }
  else
    {
      l = element_of (e);
      if (!find_step (s, l, &step, &root))
        return false;
      if (l->type->kind != TYPE_ARRAY && root == pointer_of (l) && root->kind == EXPR_DECAY)
        {
          start->element = l;
          s->index = number_of (l);
        }
    }
  if (!is_steady (s, root))
    return false;
  start->by_threads = step == start->block && start->block != 1;
  if (step != 1)
    {
      start->element = NULL;
      s->index = NULL;
    }
  /* The address of a member has no phase to start from. */
  if (!start->element && !start->by_threads && e->kind == EXPR_ADDRESS && l != peel (e->a))
    return false;
  return step == 1 || start->by_threads;
}

static bool
find_start (struct share *s, struct start *start)
{
  int64_t coefficient;

  if (s->loop->affinity_kind == AFFINITY_POINTER)
    {
      if (!find_pointer_start (s, start))
        return false;
      if (start->by_threads)
        start->block = 1;
      s->block = s->index ? start->block : 0;
      return true;
    }
  start->integer = s->loop->affinity;
  start->block = s->block = 1;
  s->index = start->integer;
  return is_affine (start->integer, s, &coefficient) && coefficient == 1;
}

static void
put_start (struct start *start, struct share *s)
{
  if (start->integer)
    {
      put ("(long) ");
      gen_operand (start->integer);
    }
  else if (start->element)
    put_distance (start->element, true);
  else if (start->by_threads)
    {
      put ("(long) __upc_thread (");
      gen_argument (s->loop->affinity);
      put (")");
    }
  else
    {
      put ("__upc_position (");
      gen_argument (s->loop->affinity);
      putf (", %u)", start->block);
    }
}

/* The bound and the counter are compared as COMMON. */
static const char *
cast_to (const struct type *common, const struct type *from)
{
  return from->kind == common->kind ? "" : arena_format ("(%s) ", plain_type (common));
}

static void
put_loop (struct stmt *s, struct share *share, struct start *start, struct expr *bound,
          bool inclusive, int loop)
{
  const char *i = c_name (share->counter), *type = plain_type (share->counter->type);
  const struct type *common = common_type (promoted (share->counter->type),
                                           promoted (unqualified (bound->type)));

  putf ("{ int __upc_outer%d = __upc_depth++; ", loop);
  if (s->declaration)
    gen_declaration (s->declaration);
  else if (s->init_expr)
    {
      gen_expr (s->init_expr);
      put (";");
    }
  putf (" unsigned long __upc_first%d = %s; __upc_share %s = __upc_share_begin ((", loop, i,
        share->name);
  gen_expr (s->expr);
  putf (") ? (unsigned long) %s", cast_to (common, bound->type));
  gen_operand (bound);
  putf (" - (unsigned long) %s%s%s : 0, ", cast_to (common, share->counter->type), i,
        inclusive ? " + 1" : "");
  put_start (start, share);
  putf (", %u, __upc_outer%d); for (; %s.__at < %s.__end; __upc_share_next (&%s, %u)) "
        "{ %s = (%s) (__upc_first%d + %s.__at); ",
        start->block, loop, share->name, share->name, share->name, start->block, i, type, loop,
        share->name);
  share->outer = shares;
  shares = share;
  gen_stmt (s->then);
  shares = share->outer;
  putf (" } %s = (%s) (__upc_first%d + %s.__end); __upc_depth = __upc_outer%d; }", i,
        type, loop, share->name, loop);
}

bool
gen_share (struct stmt *s, int loop)
{
  struct share *share = NEW (struct share);
  struct start start = { 0 };
  struct expr *bound;
  bool inclusive;

  share->loop = s;
  share->name = arena_format ("__upc_share%d", loop);
  bound = bound_of (s, &share->counter, &inclusive);
  if (!bound || has_break (s->then) || !steps_by_one (s, share->counter)
      || !is_good_counter (share->counter, s) || !type_is_integer (bound->type)
      || !is_invariant (bound, share) || !find_start (share, &start))
    return false;
  put_loop (s, share, &start, bound, inclusive, loop);
  return true;
}
