/* The places of shared lvalues. A shared lvalue becomes a C lvalue at the address of the access,

       (*(int *) __upc_element_address (a, i, 4, 4))

   and C does the rest. */

#include "tools/upc2c/write/internal.h"

void
put_object (struct expr *name)
{
  open_at (name->first);
  put (object_address (name->decl));
  close_at (name->last);
}

/* Outermost index first. */
void
put_distance (struct expr *l, enum index_use use)
{
  struct expr *p = pointer_of (l), *array = p->kind == EXPR_DECAY ? strip_parens (p->a) : NULL;

  if (array && array->kind == EXPR_INDEX)
    {
      put_distance (array, use);
      put (" + ");
    }
  put_index_of (l, use);
  put (step_factor (l->type));
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

/* What the functions are called for OBJECT that are quicker where no thread has more than one block:
   `shared [*] int a[N]`, `shared struct own all[THREADS]`. */
static const char *
in_round (struct expr *object)
{
  struct size count = ultimate_count (object->type);
  uint64_t block = block_of (object->type), threads = switches.threads;

  return block > 0 && count.is_known && (count.times_threads || threads > 0)
                 && count.value <= (count.times_threads ? block : block * threads)
             ? "_in_round"
             : "";
}

/* The largest one of them. */
static struct expr *
row_of (struct expr *l)
{
  struct expr *row = NULL;

  while ((l = enclosing_row (l)))
    row = l;
  return row;
}

void
put_distance_in (struct expr *l, struct expr *row, enum index_use use)
{
  struct expr *array = strip_parens (pointer_of (l)->a);

  if (array != row)
    {
      put_distance_in (array, row, use);
      put (" + ");
    }
  put_index_of (l, use);
  put (step_factor (l->type));
}

static bool
put_row_address (struct expr *l, struct expr *object)
{
  struct expr *row = row_of (l);

  if (!row)
    return false;
  putf ("__upc_row_address%s (", in_round (object));
  put_object (object);
  put (", ");
  put_distance (row, INDEX_OF_ACCESS);
  put (", ");
  put_distance_in (l, row, INDEX_OF_ACCESS);
  putf (", %lu", (unsigned long) ultimate_count (row->type).value);
  put_layout (l->type);
  return true;
}

/* Where POINTER points. */
static void
put_pointed (struct expr *pointer)
{
  struct expr *p = strip_parens (pointer);

  if ((p->kind == EXPR_NAME && put_planned_address (p, NULL)) || put_walk_and_address (p))
    return;
  put ("__upc_address (");
  gen_argument (pointer);
  put (")");
}

static bool
is_called (const struct expr *l)
{
  return l->plan && l->plan->is_called;
}

/* The function for the address of L, an element, which starts from ROOT. */
static const char *
function_for (struct expr *l, struct element root)
{
  bool is_scattered = l->plan && l->plan->is_scattered;

  if (is_called (l))
    return root.object ? "__upc_element_address_called" : "__upc_index_address_called";
  if (start_of (l))
    return "__upc_power_index_address_from";
  if (!root.object && is_sure (l))
    return "__upc_power_index_address";
  if (!root.object)
    return is_scattered ? "__upc_scattered_index_address" : "__upc_index_address";
  if (*in_round (root.object))
    return "__upc_element_address_in_round";
  if (is_sure (l))
    return "__upc_power_address";
  return is_scattered ? "__upc_scattered_address" : "__upc_element_address";
}

static void
put_unchecked_address (struct expr *l, struct element root)
{
  if ((l->kind == EXPR_INDEX && (put_planned_address (l, NULL) || put_copied_address (l)))
      || (root.object && !is_called (l) && put_row_address (l, root.object)))
    return;
  if (l->kind == EXPR_INDEX && (put_recent_address (l, root) || put_tabled_address (l, root)))
    return;
  if (l->kind == EXPR_INDEX)
    {
      putf ("%s (", function_for (l, root));
      if (start_of (l))
        put (start_of (l));
      else
        put_root (root);
      put (", ");
      put_distance_from (l, root, INDEX_OF_ACCESS);
      put_layout (l->type);
      return;
    }
  if (!root.object)
    {
      put_pointed (root.pointer);
      return;
    }
  put ("__upc_object_address (");
  put_object (root.object);
  put (")");
}

/* The address of L, of which PIECE is accessed, as the access code computes it: a void pointer. */
static void
put_address (struct expr *l, struct piece piece)
{
  struct element root = root_of (l);

  if (!root.object && !root.pointer)
    {
      unsupported (l);
      return;
    }
  open_question (l);
  open_check (l, root, piece);
  put_unchecked_address (l, root);
  close_check (l, root, piece);
  close_question (l);
}

static void
put_target (struct expr *arrow, struct piece piece)
{
  struct element root = { .pointer = arrow->a };

  open_check (arrow, root, piece);
  put_pointed (arrow->a);
  close_check (arrow, root, piece);
}

static void gen_piece (struct expr *lvalue, struct piece piece);

/* L, which lies in a record or the like. */
static void
gen_inside (struct expr *l, struct piece piece)
{
  struct expr *whole = around (l, &piece);

  switch (l->kind)
    {
    case EXPR_DOT:
      gen_piece (whole, piece);
      put (".");
      copy (l->last, l->last);
      break;
    case EXPR_ARROW:
      if (event_hooks->known_lvalue (l))
        put (".");
      else
        {
          putf ("((%s) ", pointer_type (l->a->type->base));
          put_target (l, piece);
          put (")->");
        }
      copy (l->last, l->last);
      break;
    case EXPR_UNARY:
      putf ("(%s ", l->op == KEY_REAL ? "__real__" : "__imag__");
      gen_piece (whole, piece);
      put (")");
      break;
    default:
      gen_piece (whole, piece);
      put ("[");
      if (is_checked_code (l->first))
        put_index_of (l, INDEX_OF_ACCESS);
      else
        gen_expr (index_of (l));
      put ("]");
    }
}

/* LVALUE, of which PIECE is accessed. */
static void
gen_piece (struct expr *lvalue, struct piece piece)
{
  struct expr *l = strip_parens (lvalue);

  warn_of_bounds (l, true);
  if (is_inside (l))
    gen_inside (l, piece);
  else if (!event_hooks->known_lvalue (l))
    {
      putf ("(*(%s) ", pointer_type (l->type));
      put_address (l, piece);
      put (")");
    }
  close_at (lvalue->last);
}

void
put_record_address (struct expr *l)
{
  struct piece piece = whole_piece (l);
  struct expr *record = around (l, &piece);

  if (l->kind == EXPR_ARROW)
    put_target (l, piece);
  else
    {
      put ("&");
      gen_piece (record, piece);
    }
}

void
gen_lvalue (struct expr *lvalue)
{
  gen_piece (lvalue, whole_piece (strip_parens (lvalue)));
}

/* Members have no phase, nor elements of arrays in records. */
static void
point_inside (struct expr *l)
{
  put ("__upc_member (");
  if (l->kind == EXPR_UNARY)
    {
      gen_pointer_to (l->a);
      putf (", %s)", l->op == KEY_REAL ? "0" : arena_format ("sizeof (%s)", plain_type (l->type)));
    }
  else if (l->kind == EXPR_INDEX)
    {
      struct expr *p = pointer_of (l);

      gen_pointer_to (p->kind == EXPR_DECAY ? p->a : p);
      put (", ");
      put_index_of (l, INDEX_OF_ADDRESS);
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
  struct expr *l = strip_parens (lvalue);
  struct element root = root_of (l);

  warn_of_bounds (l, false);
  if (is_inside (l))
    point_inside (l);
  else if (!root.object && !root.pointer)
    unsupported (l);
  else if (l->kind == EXPR_INDEX)
    {
      put (root.object ? "__upc_element (" : "__upc_add (");
      put_root (root);
      put (", ");
      put_distance_from (l, root, INDEX_OF_ADDRESS);
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

void
put_typed_address (struct expr *lvalue, const char *pointer)
{
  struct expr *l = strip_parens (lvalue);

  warn_of_bounds (l, true);
  putf ("(%s) ", pointer);
  if (is_inside (l))
    {
      put ("&");
      gen_inside (l, whole_piece (l));
    }
  else
    put_address (l, whole_piece (l));
}
