/* Pointers-to-shared as values: arithmetic and comparisons (UPC 1.3, 6.4.2), casts
   and conversions (6.4.3). */

#include "tools/upc2c/write/internal.h"

void
put_layout (const struct type *type)
{
  struct size bytes = type_size (ultimate_type (type));

  if (bytes.is_known)
    putf (", %u, %lu)", block_of (type), (unsigned long) bytes.value);
  else
    putf (", %u, sizeof (%s))", block_of (type), element_type (type));
}

const char *
step_factor (const struct type *type)
{
  struct size count = ultimate_count (type);

  if (!count.is_known)
    {
      const char *element = element_type (type);

      return arena_format (" * (long) (sizeof (%s) / sizeof (%s))", plain_type (type), element);
    }
  if (count.times_threads)
    return arena_format (" * (%lul * __upc_threads)", (unsigned long) count.value);
  return count.value == 1 ? "" : arena_format (" * %lul", (unsigned long) count.value);
}

bool
is_pointer_binary (const struct expr *e)
{
  return type_is_pts (e->a->type) || type_is_pts (e->b->type);
}

/* The phase of a pointer to TYPE is always 0. */
static bool
has_no_phase (const struct type *pointer)
{
  return block_of (pointer->base) <= 1 && !type_is_generic_pts (pointer);
}

static bool
is_incomplete (const struct type *type)
{
  return !type_is_complete (ultimate_type (type));
}

bool
conversion_resets_phase (const struct type *from, const struct type *to)
{
  if (!type_is_pts (from) || !type_is_pts (to) || has_no_phase (from) || type_is_generic_pts (to))
    return false;
  if (type_is_generic_pts (from))
    return has_no_phase (to);
  return block_of (from->base) != block_of (to->base) || is_incomplete (from->base)
         || is_incomplete (to->base)
         || type_element_size (from->base) != type_element_size (to->base);
}

/* The value of A, a pointer-to-shared or a null pointer constant, as TO. */
static void
put_converted (struct expr *a, const struct type *to)
{
  bool resets = conversion_resets_phase (a->type, to);

  if (!type_is_pts (a->type))
    {
      put ("__upc_null ()");
      return;
    }
  if (may_be_out_of_phase (a->type, to, a->first))
    {
      put_checked_phase (a, to);
      return;
    }
  if (resets)
    put ("__upc_reset_phase (");
  gen_operand (a);
  if (resets)
    put (")");
}

void
gen_convert (struct expr *e)
{
  if (type_is_pts (e->type))
    put_converted (e->a, e->type);
  else if (type_is_pts (e->a->type) && e->type->kind != TYPE_POINTER)
    {
      put ("__upc_is_set (");
      gen_argument (e->a);
      put (")");
    }
  else if (type_is_pts (e->a->type))
    error_at (e->token, "pointer-to-shared converted to %s without a cast", type_text (e->type));
  else
    gen_expr (e->a);
}

void
gen_cast (struct expr *e)
{
  struct type *to = e->type_name->type;

  if (type_is_pts (to))
    put_converted (e->a, to);
  else if (type_is_pts (e->a->type) && to->kind != TYPE_VOID)
    {
      const char *function = to->kind == TYPE_POINTER ? "__upc_local"
                             : to->kind == TYPE_BOOL  ? "__upc_is_set"
                                                      : "__upc_integer";

      putf ("((%s) ", declare (without_shared (to), ""));
      if (is_checked_code (e->first) && to->kind == TYPE_POINTER)
        put_checked_cast (e->a);
      else
        {
          putf ("%s (", function);
          gen_argument (e->a);
          put (")");
        }
      put (")");
    }
  else
    {
      put ("(");
      gen_type_name (e->type_name);
      put (") ");
      gen_operand (e->a);
    }
}

static void
put_number (struct expr *n, const char *factor, bool negative)
{
  if (negative)
    put ("-(long) ");
  else if (*factor)
    put ("(long) ");
  if (negative || *factor)
    gen_operand (n);
  else
    gen_argument (n);
  put (factor);
}

static void
put_sum (struct expr *e)
{
  bool swapped = !type_is_pts (e->a->type), is_checked;
  struct expr *p = swapped ? e->b : e->a, *n = swapped ? e->a : e->b;

  put ("__upc_add (");
  gen_argument (p);
  put (", ");
  is_checked = open_reach (n, e->first);
  put_number (n, step_factor (p->type->base), e->op == '-');
  close_reach (is_checked, e, p->type->base);
  put_layout (p->type->base);
}

static void
put_difference (struct expr *e)
{
  put ("__upc_difference (");
  gen_argument (e->a);
  put (", ");
  gen_argument (e->b);
  put_layout (e->a->type->base);
}

static bool
is_null_constant (const struct expr *e)
{
  return e->kind == EXPR_CONVERT && !type_is_pts (e->a->type);
}

static void
put_equality (struct expr *e)
{
  bool equal = e->op == TOKEN_EQUAL;

  if (is_null_constant (e->a) || is_null_constant (e->b))
    {
      put (equal ? "__upc_is_null (" : "__upc_is_set (");
      gen_argument (is_null_constant (e->b) ? e->a : e->b);
      put (")");
      return;
    }
  put (equal ? "__upc_equal (" : "!__upc_equal (");
  gen_argument (e->a);
  put (", ");
  gen_argument (e->b);
  put (")");
}

void
gen_pointer_binary (struct expr *e)
{
  switch (e->op)
    {
    case '+':
      put_sum (e);
      break;
    case '-':
      if (!type_is_pts (e->b->type))
        {
          put_sum (e);
          break;
        }
      put ("(");
      put_difference (e);
      if (*step_factor (e->a->type->base))
        putf (" / (1l%s)", step_factor (e->a->type->base));
      put (")");
      break;
    case TOKEN_EQUAL:
    case TOKEN_NOT_EQUAL:
      put_equality (e);
      break;
    default:
      put ("(");
      put_difference (e);
      putf (" %s 0)", e->op == '<'                ? "<"
                      : e->op == '>'              ? ">"
                      : e->op == TOKEN_LESS_EQUAL ? "<="
                                                  : ">=");
    }
}

const char *
manipulation_of (struct expr *e)
{
  static const struct
  {
    const char *name, *ours;
  } known[] = {
    { "upc_threadof", "__upc_thread" },
    { "upc_phaseof", "__upc_phase" },
    { "upc_addrfield", "__upc_addrfield" },
    { "upc_resetphase", "__upc_reset_phase" },
  };
  struct expr *callee = strip_conversions (e->a);

  if (callee->kind != EXPR_NAME || !callee->decl || callee->decl->kind != DECL_FUNCTION
      || callee->decl->scope_depth != 0 || callee->decl->body || !e->list || e->list->count != 1
      || !type_is_pts (e->list->item[0]->type))
    return NULL;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (token_is (token_at (callee->token), known[i].name))
      return known[i].ours;
  return NULL;
}
