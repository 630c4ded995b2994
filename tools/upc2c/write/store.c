/* Loads and stores of shared lvalues. A relaxed one is C's, of the lvalue that
   access.c writes. A strict one is loaded and stored in statement expressions,
   between the fences that runtime/abi/access.c has. */

#include "tools/upc2c/write/internal.h"

/* Depth of statement expressions: each has names of its own, so that no compiler
   warns of shadows. */
static int depth;

/* Whether L may lie across words. */
static bool
is_packed (const struct expr *l)
{
  for (;;)
    switch (l->kind)
      {
      case EXPR_PAREN:
        l = l->a;
        break;
      case EXPR_INDEX:
        if (l->a->kind != EXPR_DECAY)
          return false;
        l = l->a->a;
        break;
      case EXPR_DOT:
      case EXPR_ARROW:
        if (l->member
            && (l->member->is_packed || l->member->parent->is_packed || l->member->parent->pack))
          return true;
        if (l->kind == EXPR_ARROW)
          return false;
        l = l->a;
        break;
      default:
        return false;
      }
}

bool
is_word_access (const struct expr *l)
{
  const struct type *t = l->type;
  uint64_t size = type_size (t).value;

  if (is_packed (l) && size > 1)
    return false;
  if (l->is_bit_field || !type_is_scalar (t) || t->kind == TYPE_COMPLEX)
    return false;
  return size == 1 || size == 2 || size == 4 || size == 8;
}

void
gen_load (struct expr *l)
{
  const char *pointer = declare_address (l->type, ""), *value;

  if (event_hooks->load (l))
    return;
  if (!l->is_strict && !l->is_awaited)
    {
      gen_lvalue (l);
      return;
    }
  depth++;
  value = declare_value (l->type, arena_format ("__upc_value%d", depth));
  if (is_word_access (l))
    {
      putf ("__extension__ ({ %s; __upc_strict_fence (); __atomic_load (", value);
      put_typed_address (l, pointer);
      putf (", &__upc_value%d, __upc_strict); __upc_saw (&__upc_value%d, sizeof __upc_value%d); ",
            depth, depth, depth);
    }
  else
    {
      /* Initialised, as a member may be const. */
      putf ("__extension__ ({ __upc_strict_fence (); %s = ", value);
      gen_lvalue (l);
      put ("; __upc_strict_fence (); ");
    }
  putf ("__upc_value%d; })", depth);
  depth--;
  close_at (l->last);
}

void
put_operator (int op)
{
  switch (op)
    {
    case TOKEN_SHIFT_LEFT:
      put (" <<= ");
      break;
    case TOKEN_SHIFT_RIGHT:
      put (" >>= ");
      break;
    default:
      putf (" %c= ", op);
    }
}

/* Ends a statement expression: its value is the variable NAME of this depth, unless nobody
   wants E's. clang warns of values that are not used. */
static void
put_result (const struct expr *e, const char *name)
{
  if (!e->is_discarded)
    putf ("__upc_%s%d; ", name, depth);
  put ("})");
}

/* A strict store that is no single word: everything between fences. STORE writes
   the plain expression. */
static void
put_fenced (struct expr *e, void (*store) (struct expr *))
{
  depth++;
  put ("__extension__ ({ __upc_strict_fence (); ");
  if (!e->is_discarded)
    putf ("%s = ", declare_value (e->type, arena_format ("__upc_value%d", depth)));
  put ("(");
  store (e);
  put ("); __upc_strict_fence (); ");
  put_result (e, "value");
  depth--;
}

static void
put_plain_assign (struct expr *e)
{
  gen_lvalue (e->a);
  put (" = ");
  gen_operand (e->b);
}

void
gen_assign (struct expr *e)
{
  const char *pointer = declare_address (e->a->type, "");

  if (event_hooks->assign (e))
    return;
  if (!e->a->is_strict)
    {
      gen_lvalue (e->a);
      put (" = ");
      gen_expr (e->b);
      return;
    }
  if (!is_word_access (e->a))
    {
      put_fenced (e, put_plain_assign);
      return;
    }
  depth++;
  putf ("__extension__ ({ %s = ",
        declare_address (e->a->type, arena_format ("__upc_address%d", depth)));
  put_typed_address (e->a, pointer);
  putf ("; %s = ", declare_value (e->a->type, arena_format ("__upc_value%d", depth)));
  gen_expr (e->b);
  putf ("; __atomic_store (__upc_address%d, &__upc_value%d, __upc_strict); ", depth, depth);
  put_result (e, "value");
  depth--;
}

void
put_pointer_update (struct expr *e, const char *address, const char *number)
{
  struct type *target = e->type->base;
  const char *factor = step_factor (target);
  bool minus = e->op == '-' || e->op == TOKEN_DECREMENT;

  if (e->kind == EXPR_STEP && !*factor)
    {
      putf ("__upc_%s_%s (", e->is_prefix ? "pre" : "post", minus ? "decrement" : "increment");
      put (address);
    }
  else
    {
      putf ("__upc_advance%s (%s, ", e->kind == EXPR_STEP && !e->is_prefix ? "_after" : "",
            address);
      put (minus ? "-(long) " : "(long) ");
      if (e->kind == EXPR_STEP)
        put ("1");
      else if (number)
        put (number);
      else
        gen_operand (e->b);
      put (factor);
    }
  put_layout (target);
}

static const char *
address_text (struct expr *l)
{
  struct buffering *c = begin_buffering ();

  if (type_is_shared (l->type))
    put_typed_address (l, "__upc_pts *");
  else
    {
      put ("&");
      gen_operand (l);
    }
  return end_buffering (c);
}

/* Load, change, store: an update of a strict word. */
static void
put_strict_update (struct expr *e)
{
  bool old = e->kind == EXPR_STEP && !e->is_prefix && !e->is_discarded;

  depth++;
  putf ("__extension__ ({ %s = ",
        declare_address (e->a->type, arena_format ("__upc_address%d", depth)));
  put_typed_address (e->a, declare_address (e->a->type, ""));
  putf ("; %s", declare_value (e->a->type, arena_format ("__upc_value%d", depth)));
  if (old && e->a->type->kind == TYPE_POINTER && !type_is_pts (e->a->type))
    putf ("; %s", declare_value (e->a->type, arena_format ("__upc_old%d", depth)));
  else if (old)
    putf (", __upc_old%d", depth);
  putf ("; __upc_strict_fence (); __atomic_load (__upc_address%d, &__upc_value%d, __upc_strict); ",
        depth, depth);
  if (old)
    putf ("__upc_old%d = __upc_value%d; ", depth, depth);
  if (type_is_pts (e->a->type))
    put_pointer_update (e, arena_format ("&__upc_value%d", depth), NULL);
  else
    {
      putf ("__upc_value%d", depth);
      if (e->kind == EXPR_STEP)
        put (e->op == TOKEN_INCREMENT ? "++" : "--");
      else
        {
          put_operator (e->op);
          gen_expr (e->b);
        }
    }
  putf ("; __atomic_store (__upc_address%d, &__upc_value%d, __upc_strict); ", depth, depth);
  put_result (e, old ? "old" : "value");
  depth--;
}

static void
put_plain_compound (struct expr *e)
{
  if (put_walk (e))
    return;
  if (type_is_pts (e->a->type))
    {
      put_pointer_update (e, address_text (e->a), NULL);
      return;
    }
  gen_lvalue (e->a);
  put_operator (e->op);
  gen_operand (e->b);
}

static void
put_plain_step (struct expr *e)
{
  if (put_walk (e))
    return;
  if (type_is_pts (e->a->type))
    {
      put_pointer_update (e, address_text (e->a), NULL);
      return;
    }
  if (e->is_prefix)
    put (e->op == TOKEN_INCREMENT ? "++" : "--");
  gen_lvalue (e->a);
  if (!e->is_prefix)
    put (e->op == TOKEN_INCREMENT ? "++" : "--");
}

static void
gen_update (struct expr *e, void (*plain) (struct expr *))
{
  bool is_strict = type_is_shared (e->a->type) && e->a->is_strict;

  if (event_hooks->update (e))
    return;
  if (!is_strict)
    plain (e);
  else if (is_word_access (e->a))
    put_strict_update (e);
  else
    put_fenced (e, plain);
}

void
gen_compound (struct expr *e)
{
  gen_update (e, put_plain_compound);
}

void
gen_step (struct expr *e)
{
  gen_update (e, put_plain_step);
}
