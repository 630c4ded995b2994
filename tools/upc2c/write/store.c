/* Loads and stores of shared lvalues. A relaxed one is C's load or store of the lvalue that
   access.c writes. A strict one is a statement expression with the fences of
   runtime/abi/access.c. */

#include "tools/upc2c/write/internal.h"

/* Depth of statement expressions: each has names of its own, so that no compiler
   warns of shadows. */
static int depth;

bool
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

/* The race detector sees order where it is told of it. */
static const char *
strict_fence (void)
{
  return switches.race ? "__upc_race_fence ();" : "__upc_strict_fence ();";
}

static const char *
saw (void)
{
  return switches.race ? "__upc_race_saw" : "__upc_saw";
}

/* Whether an access to L, which is no word that is strict, stands between fences. */
static bool
is_fenced (const struct expr *l)
{
  return l->is_strict || (switches.race && (quals_of (l->type) & QUAL_ATOMIC));
}

void
gen_load (struct expr *l)
{
  const char *pointer = declare_address (l->type, ""), *value;

  if (event_hooks->load (l) || put_carried (l) || put_fixed_value (l) || gen_network_load (l))
    return;
  if (!is_fenced (l) && !l->is_awaited)
    {
      gen_raced_lvalue (l, false);
      return;
    }
  depth++;
  value = declare_value (l->type, arena_format ("__upc_value%d", depth));
  if (is_word_access (l))
    {
      putf ("__extension__ ({ %s; %s __atomic_load (", value, strict_fence ());
      put_raced_address (l, pointer, false);
      putf (", &__upc_value%d, __upc_strict); %s (&__upc_value%d, sizeof __upc_value%d); ", depth,
            saw (), depth, depth);
    }
  else
    {
      /* Initialised, as a member may be const. */
      putf ("__extension__ ({ %s %s = ", strict_fence (), value);
      gen_raced_lvalue (l, false);
      putf ("; %s ", strict_fence ());
    }
  putf ("__upc_value%d; })", depth);
  depth--;
  close_at (l->last);
}

const char *
operator_text (int op)
{
  switch (op)
    {
    case TOKEN_SHIFT_LEFT:
      return "<<";
    case TOKEN_SHIFT_RIGHT:
      return ">>";
    default:
      return arena_format ("%c", op);
    }
}

void
put_operator (int op)
{
  putf (" %s= ", operator_text (op));
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
  putf ("__extension__ ({ %s ", strict_fence ());
  if (!e->is_discarded)
    putf ("%s = ", declare_value (e->type, arena_format ("__upc_value%d", depth)));
  put ("(");
  store (e);
  putf ("); %s ", strict_fence ());
  put_result (e, "value");
  depth--;
}

static const char *
address_text (struct expr *l)
{
  struct buffering *c = begin_buffering ();

  if (type_is_shared (l->type))
    put_raced_address (l, "__upc_pts *", true);
  else
    {
      put ("&");
      gen_operand (l);
    }
  return end_buffering (c);
}

static void
put_plain_assign (struct expr *e)
{
  gen_raced_lvalue (e->a, true);
  put (" = ");
  gen_operand (e->b);
}

/* `({ T value = right side; lvalue = value; })`; a compound assignment likewise. */
static void
put_in_steps (struct expr *e)
{
  depth++;
  putf ("__extension__ ({ %s = ", declare_value (e->kind == EXPR_ASSIGN ? e->a->type : e->b->type,
                                                 arena_format ("__upc_value%d", depth)));
  gen_argument (e->b);
  put ("; ");
  if (type_is_pts (e->a->type) && e->kind == EXPR_COMPOUND)
    put_pointer_update (e, address_text (e->a), arena_format ("__upc_value%d", depth));
  else
    {
      gen_raced_lvalue (e->a, true);
      if (e->kind == EXPR_ASSIGN)
        put (" = ");
      else
        put_operator (e->op);
      putf ("__upc_value%d", depth);
    }
  put ("; })");
  depth--;
}

bool
gen_reduction (struct expr *e)
{
  const char *name, *type, *wrapping;

  if ((e->op != '+' && e->op != '-') || e->kind != EXPR_COMPOUND || type_is_unsigned (e->a->type))
    return false;
  name = c_name (strip_parens (e->a)->decl);
  type = plain_type (e->a->type);
  /* Each signed type is followed by the unsigned one. */
  wrapping = plain_type (type_basic (e->a->type->kind + 1));
  putf ("%s = (%s) ((%s) %s %c (%s) ", name, type, wrapping, name, e->op, wrapping);
  gen_operand (e->b);
  put (")");
  return true;
}

void
gen_assign (struct expr *e)
{
  const char *pointer = declare_address (e->a->type, "");

  if (event_hooks->assign (e) || gen_network_assign (e))
    return;
  if (is_in_steps (e))
    {
      put_in_steps (e);
      return;
    }
  if (!is_fenced (e->a))
    {
      const char *end = open_store (e);

      put (" = ");
      gen_expr (e->b);
      put (end);
      return;
    }
  if (!is_word_access (e->a) || !e->a->is_strict)
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
  putf ("; %s__atomic_store (__upc_address%d, &__upc_value%d, __upc_strict); __upc_strict_end (); ",
        switches.race ? "__upc_race_fence (); " : "", depth, depth);
  put_result (e, "value");
  depth--;
}

void
put_pointer_update (struct expr *e, const char *address, const char *number)
{
  struct type *target = e->type->base;
  const char *factor = step_factor (target);
  bool minus = e->op == '-' || e->op == TOKEN_DECREMENT, is_checked;

  if (e->kind == EXPR_STEP && !*factor)
    {
      putf ("__upc_%s_%s (", e->is_prefix ? "pre" : "post", minus ? "decrement" : "increment");
      put (address);
    }
  else
    {
      putf ("__upc_advance%s (%s, ", e->kind == EXPR_STEP && !e->is_prefix ? "_after" : "",
            address);
      is_checked = e->kind != EXPR_STEP && open_reach (e->b, e->first);
      put (minus ? "-(long) " : "(long) ");
      if (e->kind == EXPR_STEP)
        put ("1");
      else if (number)
        put (number);
      else
        gen_operand (e->b);
      put (factor);
      close_reach (is_checked, e, target);
    }
  put_layout (target);
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
  putf ("; %s __atomic_load (__upc_address%d, &__upc_value%d, __upc_strict); ", strict_fence (),
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
  putf ("; __atomic_store (__upc_address%d, &__upc_value%d, __upc_strict); __upc_strict_end (); %s",
        depth, depth, switches.race ? "__upc_race_fence (); " : "");
  put_result (e, old ? "old" : "value");
  depth--;
}

static void
put_plain_compound (struct expr *e)
{
  const char *end;

  if (put_walk (e))
    return;
  if (type_is_pts (e->a->type))
    {
      put_pointer_update (e, address_text (e->a), NULL);
      return;
    }
  end = open_store (e);
  if (!put_carried_sum (e))
    put_operator (e->op);
  gen_operand (e->b);
  put (end);
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
  gen_raced_lvalue (e->a, true);
  if (!e->is_prefix)
    put (e->op == TOKEN_INCREMENT ? "++" : "--");
}

static void
gen_update (struct expr *e, void (*plain) (struct expr *))
{
  bool is_strict = type_is_shared (e->a->type) && is_fenced (e->a);

  if (event_hooks->update (e) || gen_network_update (e))
    return;
  if (is_in_steps (e))
    put_in_steps (e);
  else if (!is_strict)
    plain (e);
  else if (is_word_access (e->a) && e->a->is_strict)
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
