/* Shared lvalues. A relaxed one becomes a C lvalue at the address of the access,

       (*(int *) __upc_element_address (a, i, 4, 4))

   and all that C does with lvalues follows. A strict one is loaded and stored in
   statement expressions, between the fences that runtime/abi/access.c has. */

#include "tools/upc2c/gen.h"

/* Depth of statement expressions: each has names of its own, so that no compiler
   warns of shadows. */
static int depth;

struct expr *
peel (struct expr *e)
{
  while (e->kind == EXPR_PAREN || (e->kind == EXPR_UNARY && e->op == KEY_EXTENSION)
         || e->kind == EXPR_CHOOSE || e->kind == EXPR_GENERIC)
    e = e->kind == EXPR_GENERIC ? e->b : e->a;
  return e;
}

struct expr *
pointer_of (struct expr *index)
{
  return peel (index->index_swapped ? index->b : index->a);
}

struct expr *
number_of (struct expr *index)
{
  return index->index_swapped ? index->a : index->b;
}

/* Whether L lies inside a record or another object of one piece, so that C finds it
   once the piece is found. */
static bool
is_inside (struct expr *l)
{
  switch (l->kind)
    {
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_UNARY:
      return true;
    case EXPR_INDEX:
      {
        struct expr *p = pointer_of (l);

        if (p->type->kind == TYPE_VECTOR)
          return true;
        return p->kind == EXPR_DECAY && is_inside (peel (p->a));
      }
    default:
      return false;
    }
}

void
put_object (struct expr *name)
{
  open_at (name->first);
  if (is_far (name->decl))
    put (far_object (name->decl));
  else
    putf ("%s%s", name->decl->type->kind == TYPE_ARRAY ? "" : "&", c_name (name->decl));
  close_at (name->last);
}

struct element
root_of (struct expr *l)
{
  while (l->kind == EXPR_INDEX)
    {
      struct expr *p = pointer_of (l);

      if (p->kind != EXPR_DECAY)
        return (struct element){ NULL, p };
      l = peel (p->a);
    }
  if (l->kind == EXPR_NAME)
    return (struct element){ l, NULL };
  if (l->kind == EXPR_DEREF)
    return (struct element){ NULL, l->a };
  return (struct element){ NULL, NULL };
}

/* Outermost index first. */
void
put_distance (struct expr *l, bool is_last)
{
  struct expr *p = pointer_of (l), *array = p->kind == EXPR_DECAY ? peel (p->a) : NULL;
  const char *factor = step_factor (l->type);
  bool is_first = !array || array->kind != EXPR_INDEX;

  if (!is_first)
    {
      put_distance (array, false);
      put (" + ");
    }
  if (is_first && is_last && !*factor)
    {
      gen_argument (number_of (l));
      return;
    }
  if (!number_of (l)->is_constant)
    put ("(long) ");
  gen_operand (number_of (l));
  put (factor);
}

static void
unsupported (struct expr *l)
{
  error_at (l->token, "this form of shared lvalue is not supported");
}

static void
put_root (struct element root)
{
  if (root.object)
    put_object (root.object);
  else
    gen_argument (root.pointer);
}

/* The address of L as the access code computes it, a void pointer. */
static void
put_address (struct expr *l)
{
  struct element root = root_of (l);
  const char *share;

  if (!root.object && !root.pointer)
    {
      unsupported (l);
      return;
    }
  share = share_of_element (l);
  if (share)
    {
      put ("__upc_share_address (");
      put_object (root.object);
      putf (", %s, %lu)", share, (unsigned long) type_size (l->type).value);
      return;
    }
  if (l->kind == EXPR_INDEX)
    {
      put (root.object ? "__upc_element_address (" : "__upc_index_address (");
      put_root (root);
      put (", ");
      put_distance (l, true);
      put_layout (l->type);
      return;
    }
  put (root.object ? "__upc_object_address (" : "__upc_address (");
  put_root (root);
  put (")");
}

static void
gen_inside (struct expr *l)
{
  switch (l->kind)
    {
    case EXPR_DOT:
      gen_lvalue (l->a);
      put (".");
      copy (l->last, l->last);
      break;
    case EXPR_ARROW:
      putf ("((%s *) __upc_address (", element_type (l->a->type->base));
      gen_argument (l->a);
      put ("))->");
      copy (l->last, l->last);
      break;
    case EXPR_UNARY:
      putf ("(%s ", l->op == KEY_REAL ? "__real__" : "__imag__");
      gen_lvalue (l->a);
      put (")");
      break;
    default:
      {
        struct expr *p = pointer_of (l);

        gen_lvalue (p->kind == EXPR_DECAY ? p->a : p);
        put ("[");
        gen_expr (number_of (l));
        put ("]");
      }
    }
}

void
gen_lvalue (struct expr *lvalue)
{
  struct expr *l = peel (lvalue);

  if (is_inside (l))
    gen_inside (l);
  else
    {
      putf ("(*(%s *) ", element_type (l->type));
      put_address (l);
      put (")");
    }
  close_at (lvalue->last);
}

/* Members have no phase, nor elements of arrays in records. */
static void
point_inside (struct expr *l)
{
  put ("__upc_member (");
  if (l->kind == EXPR_UNARY)
    {
      gen_pointer_to (l->a);
      putf (", %s)", l->op == KEY_REAL
                       ? "0" : arena_format ("sizeof (%s)", plain_type (l->type)));
    }
  else if (l->kind == EXPR_INDEX)
    {
      struct expr *p = pointer_of (l);

      gen_pointer_to (p->kind == EXPR_DECAY ? p->a : p);
      put (", (long) ");
      gen_operand (number_of (l));
      putf (" * (long) sizeof (%s))", plain_type (l->type));
    }
  else
    {
      struct type *record = l->kind == EXPR_DOT ? l->a->type : l->a->type->base;

      if (l->kind == EXPR_DOT)
        gen_pointer_to (l->a);
      else
        gen_argument (l->a);
      putf (", __builtin_offsetof (%s, ", plain_type (record));
      copy (l->last, l->last);
      put ("))");
    }
}

void
gen_pointer_to (struct expr *lvalue)
{
  struct expr *l = peel (lvalue);
  struct element root = root_of (l);

  if (is_inside (l))
    point_inside (l);
  else if (!root.object && !root.pointer)
    unsupported (l);
  else if (l->kind == EXPR_INDEX)
    {
      put (root.object ? "__upc_element (" : "__upc_add (");
      put_root (root);
      put (", ");
      put_distance (l, true);
      put_layout (l->type);
    }
  else if (root.object)
    {
      put ("__upc_object (");
      put_object (root.object);
      put (")");
    }
  else
    gen_operand (root.pointer);
  close_at (lvalue->last);
}

/* Whether one instruction moves values of L's type. */
static bool
is_word (const struct expr *l)
{
  const struct type *t = l->type;
  uint64_t size = type_size (t).value;

  if (l->is_bit_field || !type_is_scalar (t) || t->kind == TYPE_COMPLEX)
    return false;
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The address of L as a pointer to T. */
static void
put_typed_address (struct expr *lvalue, const char *type)
{
  struct expr *l = peel (lvalue);

  putf ("(%s *) ", type);
  if (is_inside (l))
    {
      put ("&");
      gen_inside (l);
    }
  else
    put_address (l);
}

void
gen_load (struct expr *l)
{
  const char *type = plain_type (l->type);

  if (!l->is_strict)
    {
      gen_lvalue (l);
      return;
    }
  depth++;
  if (is_word (l))
    {
      putf ("__extension__ ({ %s __upc_value%d; __upc_strict_fence (); __atomic_load (", type, depth);
      put_typed_address (l, type);
      putf (", &__upc_value%d, __upc_strict); __upc_saw (&__upc_value%d, sizeof __upc_value%d); ",
            depth, depth, depth);
    }
  else
    {
      /* Initialised, as a member may be const. */
      putf ("__extension__ ({ __upc_strict_fence (); %s __upc_value%d = ", type, depth);
      gen_lvalue (l);
      put ("; __upc_strict_fence (); ");
    }
  putf ("__upc_value%d; })", depth);
  depth--;
  close_at (l->last);
}

static void
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

/* A strict store that is no single word: everything between fences. STORE writes
   the plain expression. */
static void
put_fenced (struct expr *e, void (*store) (struct expr *))
{
  depth++;
  putf ("__extension__ ({ __upc_strict_fence (); %s __upc_value%d = (", plain_type (e->type),
        depth);
  store (e);
  putf ("); __upc_strict_fence (); __upc_value%d; })", depth);
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
  const char *type = plain_type (e->a->type);

  if (!e->a->is_strict)
    {
      gen_lvalue (e->a);
      put (" = ");
      gen_expr (e->b);
      return;
    }
  if (!is_word (e->a))
    {
      put_fenced (e, put_plain_assign);
      return;
    }
  depth++;
  putf ("__extension__ ({ %s *__upc_place%d = ", type, depth);
  put_typed_address (e->a, type);
  putf ("; %s __upc_value%d = ", type, depth);
  gen_expr (e->b);
  putf ("; __atomic_store (__upc_place%d, &__upc_value%d, __upc_strict); __upc_value%d; })",
        depth, depth, depth);
  depth--;
}

/* The name in front of `(&p, …)` and what follows it. */
static void
put_pointer_update (struct expr *e, const char *place)
{
  struct type *target = e->type->base;
  const char *factor = step_factor (target);
  bool minus = e->op == '-' || e->op == TOKEN_DECREMENT;

  if (e->kind == EXPR_STEP && !*factor)
    {
      putf ("__upc_%s_%s (", e->is_prefix ? "pre" : "post", minus ? "decrement" : "increment");
      put (place);
    }
  else
    {
      putf ("__upc_advance%s (%s, ", e->kind == EXPR_STEP && !e->is_prefix ? "_after" : "", place);
      put (minus ? "-(long) " : "(long) ");
      if (e->kind == EXPR_STEP)
        put ("1");
      else
        gen_operand (e->b);
      put (factor);
    }
  put_layout (target);
}

static const char *
place_of (struct expr *l)
{
  struct capture *c = begin_capture ();

  if (type_is_shared (l->type))
    put_typed_address (l, "__upc_pts");
  else
    {
      put ("&");
      gen_operand (l);
    }
  return end_capture (c);
}

/* Load, change, store: an update of a strict word. */
static void
put_strict_update (struct expr *e)
{
  const char *type = plain_type (e->a->type);
  bool old = e->kind == EXPR_STEP && !e->is_prefix;

  depth++;
  putf ("__extension__ ({ %s *__upc_place%d = ", type, depth);
  put_typed_address (e->a, type);
  putf ("; %s __upc_value%d%s; __upc_strict_fence (); "
        "__atomic_load (__upc_place%d, &__upc_value%d, __upc_strict); ",
        type, depth, old ? arena_format (", __upc_old%d", depth) : "", depth, depth);
  if (old)
    putf ("__upc_old%d = __upc_value%d; ", depth, depth);
  if (type_is_pts (e->a->type))
    put_pointer_update (e, arena_format ("&__upc_value%d", depth));
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
  putf ("; __atomic_store (__upc_place%d, &__upc_value%d, __upc_strict); __upc_%s%d; })",
        depth, depth, old ? "old" : "value", depth);
  depth--;
}

static void
put_plain_compound (struct expr *e)
{
  if (type_is_pts (e->a->type))
    {
      put_pointer_update (e, place_of (e->a));
      return;
    }
  gen_lvalue (e->a);
  put_operator (e->op);
  gen_operand (e->b);
}

static void
put_plain_step (struct expr *e)
{
  if (type_is_pts (e->a->type))
    {
      put_pointer_update (e, place_of (e->a));
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

  if (!is_strict)
    plain (e);
  else if (is_word (e->a))
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
