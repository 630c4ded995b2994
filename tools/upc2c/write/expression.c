/* Expressions. Tokens that are not about shared data pass through, with their operands. */

#include "tools/upc2c/write/internal.h"

/* Operands in the order of their tokens. */
struct operands
{
  struct expr *item[3];
  int count;
};

static struct operands
operands_of (struct expr *e)
{
  struct operands o = { .count = 0 };

  if (e->a)
    o.item[o.count++] = e->a;
  if (e->b)
    o.item[o.count++] = e->b;
  if (e->c)
    o.item[o.count++] = e->c;
  return o;
}

/* Copies the tokens from *AT to before the operand, then the operand. */
static void
gen_next (token_index *at, struct expr *operand)
{
  if (operand->first > *at)
    copy (*at, operand->first - 1);
  gen_expr (operand);
  *at = operand->last + 1;
}

/* The tokens of E with its operands generated where they stand. */
static void
gen_around (struct expr *e)
{
  struct operands o = operands_of (e);
  token_index at = e->first;

  for (int i = 0; i < o.count; i++)
    gen_next (&at, o.item[i]);
  if (at <= e->last)
    copy (at, e->last);
}

static void
gen_list (struct expr *e, token_index at)
{
  for (uint32_t i = 0; e->list && i < e->list->count; i++)
    gen_next (&at, e->list->item[i]);
  if (at <= e->last)
    copy (at, e->last);
}

static void
put_integer (struct expr *e)
{
  unsigned long value = (unsigned long) e->value;

  if (type_is_unsigned (e->type))
    putf (type_size (e->type).value > 4 ? "%luul" : "%luu", value);
  else
    putf ((long) value < 0 ? "(%ld)" : "%ld", (long) value);
}

/* The operators sizeof and the like: their operands are not evaluated, so that only a
   number is left, unless the layout is the compiler's to know. */
static void
gen_sizeof (struct expr *e)
{
  if (e->times_threads)
    putf ("(%luul * (unsigned long) __upc_threads)", (unsigned long) e->value);
  else if (e->is_constant)
    putf ("%luul", (unsigned long) e->value);
  else if (e->type_name)
    putf ("%s (%s)", e->op == KEY_ALIGNOF ? "__alignof__" : "sizeof",
          declare (without_shared (e->type_name->type), ""));
  else
    putf ("%s (%s)", e->op == KEY_ALIGNOF ? "__alignof__" : "sizeof",
          declare (without_shared (e->a->type), ""));
}

static void
gen_typed (struct expr *e, struct type_name *name, struct expr *before, struct expr *behind)
{
  token_index at = e->first;

  if (before)
    gen_next (&at, before);
  if (name->first > at)
    copy (at, name->first - 1);
  gen_type_name (name);
  at = name->last + 1;
  if (behind)
    gen_next (&at, behind);
  if (at <= e->last)
    copy (at, e->last);
}

static void
gen_literal (struct expr *e)
{
  if (!function_being_written && type_holds_pts (e->type))
    {
      open_at (e->first);
      put (static_literal (e));
      close_at (e->last);
      return;
    }
  if (type_is_pts (e->type))
    {
      /* The braces are those of an array: the value is a record already. */
      open_at (e->first);
      put ("((__upc_pts[1]) { ");
      gen_initializer (e->init);
      put (" })[0]");
      close_at (e->last);
      return;
    }
  copy (e->first, e->first);
  gen_type_name (e->type_name);
  if (e->init->first > e->type_name->last + 1)
    copy (e->type_name->last + 1, e->init->first - 1);
  gen_initializer (e->init);
}

static void
gen_offsetof (struct expr *e)
{
  token_index at = e->type_name->last + 1;

  copy (e->first, e->type_name->first - 1);
  gen_type_name (e->type_name);
  gen_list (e, at);
}

static bool
gen_library_call (struct expr *e)
{
  const char *ours = manipulation_of (e);

  if (!ours)
    return false;
  open_at (e->first);
  putf ("%s (", ours);
  gen_argument (e->list->item[0]);
  put (")");
  close_at (e->last);
  return true;
}

static void
gen_plain_call (struct expr *e)
{
  token_index at = e->first;

  gen_next (&at, e->a);
  gen_list (e, at);
}

/* Whether E may free what gcc's AddressSanitizer has just checked, and would not check again: it sees
   no call in one with a structure as argument, such as a pointer-to-shared. */
static bool
frees_unseen (struct expr *e)
{
  if (!switches.red_zones || !function_being_written || e->type->kind == TYPE_UNKNOWN
      || manipulation_of (e))
    return false;
  for (uint32_t i = 0; e->list && i < e->list->count; i++)
    if (type_is_pts (e->list->item[i]->type))
      return true;
  return false;
}

static void
gen_any_call (struct expr *e)
{
  if (!event_hooks->call (e, gen_plain_call) && !gen_library_call (e) && !gen_raced_call (e))
    gen_plain_call (e);
}

static void
gen_call (struct expr *e)
{
  bool has_value = e->type->kind != TYPE_VOID && !e->is_discarded;

  if (!frees_unseen (e))
    {
      gen_any_call (e);
      return;
    }
  put (has_value
           ? arena_format ("__extension__ ({ %s = ", declare_value (e->type, "__upc_returned"))
           : "(");
  gen_any_call (e);
  put (has_value ? "; __upc_called (); __upc_returned; })" : ", __upc_called ())");
}

static bool
is_shared_lvalue (const struct expr *e)
{
  return e->is_lvalue && type_is_shared (e->type);
}

/* p ?: q, where p is its own condition. */
static void
gen_elvis (struct expr *e)
{
  put ("__extension__ ({ __upc_pts __upc_either = ");
  gen_expr (e->a);
  put ("; __upc_is_set (__upc_either) ? __upc_either : ");
  gen_operand (e->c);
  put ("; })");
}

/* `v[i]`, of a vector in shared memory: to the front end the vector is read. */
static bool
is_part_of_shared_vector (struct expr *e)
{
  struct expr *l = strip_parens (e), *vector = l->kind == EXPR_INDEX ? pointer_of (l) : NULL;

  return vector && vector->kind == EXPR_LOAD && vector->type->kind == TYPE_VECTOR
         && type_is_shared (vector->a->type);
}

/* What changes a shared lvalue, or a pointer-to-shared by arithmetic. */
static bool
gen_store (struct expr *e)
{
  if (is_part_of_shared_vector (e->a))
    refuse_on_network (e, "changing an element of a shared vector is");
  if (is_instrumenting () && event_hooks->vector_store (e))
    return true;
  if (e->is_reduction && gen_reduction (e))
    return true;
  if (!is_shared_lvalue (e->a) && (e->kind == EXPR_ASSIGN || !type_is_pts (e->a->type)))
    return false;
  if (e->kind == EXPR_ASSIGN)
    gen_assign (e);
  else if (e->kind == EXPR_COMPOUND)
    gen_compound (e);
  else
    gen_step (e);
  return true;
}

/* An index that has the value of a variable (plan/index_value.c). */
static void
gen_index_value (struct expr *e)
{
  putf ("((%s) (", plain_type (e->type));
  gen_expr (e->a);
  put ("))");
}

/* Constructs that are replaced as a whole: true if E is one. A sum without an operator is what a counter has in the program
   where its steps are elsewhere (plan/steps.c). */
static bool
gen_replaced (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return gen_store (e);
    case EXPR_THREADS:
      put (switches.threads ? arena_format ("%u", switches.threads) : "__upc_threads");
      return true;
    case EXPR_MYTHREAD:
      put ("__upc_mythread");
      return true;
    case EXPR_MAX_BLOCK:
    case EXPR_TYPES_COMPATIBLE:
      put_integer (e);
      return true;
    case EXPR_SIZEOF:
      gen_sizeof (e);
      return true;
    case EXPR_GENERIC:
      put ("(");
      gen_expr (e->b);
      put (")");
      return true;
    case EXPR_CHOOSE:
      put ("(");
      gen_expr (e->a);
      put (")");
      return true;
    case EXPR_LOAD:
      gen_load (e->a);
      return true;
    case EXPR_DECAY:
      gen_pointer_to (e->a);
      return true;
    case EXPR_CONVERT:
      gen_convert (e);
      return true;
    case EXPR_CONDITION:
      if (e->b || !type_is_pts (e->a->type))
        return false;
      gen_elvis (e);
      return true;
    case EXPR_ADDRESS:
      if (!is_shared_lvalue (e->a))
        return false;
      gen_pointer_to (e->a);
      return true;
    case EXPR_PAREN:
      if (e->token != NO_TOKEN)
        return false;
      gen_index_value (e);
      return true;
    case EXPR_CAST:
      if (e->token == NO_TOKEN)
        gen_index_value (e);
      else
        gen_cast (e);
      return true;
    case EXPR_BINARY:
      if (e->token == NO_TOKEN)
        putf ("(%s %c %ld)", c_name (e->a->decl), e->op, (long) e->b->value);
      else if (is_pointer_binary (e))
        gen_pointer_binary (e);
      else
        return false;
      return true;
    default:
      return false;
    }
}

/* Steps of a loop that stand in different places (plan/steps.c). */
static void
gen_steps (struct expr *e)
{
  gen_expr (e->a);
  put (", ");
  gen_expr (e->b);
}

static void
gen_through (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_NAME:
      put (c_name (e->decl));
      close_at (e->last);
      break;
    case EXPR_STATEMENT:
      copy (e->first, e->body->first - 1);
      note_value (e->body);
      gen_stmt (e->body);
      copy (e->body->last + 1, e->last);
      break;
    case EXPR_COMMA:
      discard (e->a);
      if (e->token == NO_TOKEN)
        gen_steps (e);
      else
        gen_around (e);
      break;
    case EXPR_CALL:
      gen_call (e);
      break;
    case EXPR_LITERAL:
      gen_literal (e);
      break;
    case EXPR_VA_ARG:
      gen_typed (e, e->type_name, e->a, NULL);
      break;
    case EXPR_OFFSETOF:
      gen_offsetof (e);
      break;
    case EXPR_BUILTIN_TYPES:
      error_at (e->token, "pointer-to-shared as argument of this builtin is not supported");
      break;
    default:
      gen_around (e);
    }
}

void
gen_expr (struct expr *e)
{
  if (!e->translate)
    {
      copy (e->first, e->last);
      return;
    }
  if (gen_private_access (e))
    return;
  open_at (e->first);
  /* A shared lvalue whose value nobody reads: the operand of typeof and the like. */
  if (is_shared_lvalue (e) && e->kind != EXPR_PAREN)
    gen_lvalue (e);
  else if (!gen_replaced (e))
    {
      gen_through (e);
      return;
    }
  close_at (e->last);
}

static bool
is_primary (const struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_NAME:
    case EXPR_INTEGER:
    case EXPR_FLOAT:
    case EXPR_STRING:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
    case EXPR_PAREN:
    case EXPR_STATEMENT:
    case EXPR_CALL:
    case EXPR_INDEX:
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_LOAD:
    case EXPR_DECAY:
      return true;
    default:
      return false;
    }
}

void
gen_operand (struct expr *e)
{
  if (is_primary (e))
    {
      gen_expr (e);
      return;
    }
  open_at (e->first);
  put ("(");
  gen_expr (e);
  put (")");
}

void
gen_argument (struct expr *e)
{
  if (e->kind == EXPR_COMMA)
    gen_operand (e);
  else
    gen_expr (e);
}

const char *
gen_buffered (struct expr *e)
{
  struct buffering *c = begin_buffering ();

  gen_expr (e);
  return end_buffering (c);
}

static bool is_static;

void
gen_static_initializer (struct initializer *init)
{
  is_static = true;
  gen_initializer (init);
  is_static = false;
}

void
gen_initializer (struct initializer *init)
{
  token_index at = init->first;

  if (!init->translate)
    {
      copy (init->first, init->last);
      return;
    }
  if (init->expr && is_static && type_is_pts (init->expr->type))
    {
      open_at (init->first);
      put (init->is_elided ? "(__upc_pts) { 0 }" : "{ 0 }");
      close_at (init->last);
      return;
    }
  if (init->expr)
    {
      gen_expr (init->expr);
      return;
    }
  if (type_is_pts (init->type) && init->items && !init->items->next)
    {
      /* What is a scalar in UPC is a record in C. */
      gen_initializer (init->items->value);
      close_at (init->last);
      return;
    }
  for (struct init_item *item = init->items; item; item = item->next)
    {
      if (item->first > at)
        copy (at, item->first - 1);
      at = item->first;
      for (struct designator *d = item->designators; d; d = d->next)
        {
          if (d->index)
            gen_next (&at, d->index);
          if (d->end)
            gen_next (&at, d->end);
        }
      if (item->value->first > at)
        copy (at, item->value->first - 1);
      gen_initializer (item->value);
      at = item->last + 1;
    }
  if (at <= init->last)
    copy (at, init->last);
}
