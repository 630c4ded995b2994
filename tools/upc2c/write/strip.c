/* Strips of loops: the variables that hold the addresses of elements, and the addresses
   computed from them. */

#include "tools/upc2c/write/internal.h"

static void
put_index (struct expr *l)
{
  struct expr *p = pointer_of (l);

  if (p->kind == EXPR_DECAY && strip_parens (p->a)->kind == EXPR_INDEX)
    {
      put_index (strip_parens (p->a));
      put (" + ");
    }
  put ("(long) ");
  put_linear (index_of (l));
  put (step_factor (l->type));
}

static void
put_root_name (struct reference *r)
{
  struct buffering *c;

  if (is_pointer (r))
    {
      put (c_name (r->root->decl));
      return;
    }
  c = begin_buffering ();
  put_object (r->root);
  put (end_buffering (c));
}

void
put_strip_variables (struct strip *strip)
{
  if (has_strips (strip->set))
    putf ("unsigned long __upc_left%d; ", strip->number);
  for (struct reference *r = strip->references; r; r = r->next)
    putf (r->stride_kind == BLOCK_STRIDE ? "__upc_block_cursor __upc_at%d_%d; "
                                         : "char *__upc_at%d_%d; ",
          strip->number, r->number);
}

/* Neither the induction variable nor an index wraps around within a strip: MOST VALUE LEAST is
   how far it may still advance. */
static void
put_wrap (struct strip *strip, const char *most, const char *value, const char *least)
{
  putf ("__upc_strip_wrap (&__upc_left%d, (unsigned long) (%s%s%s), %ld); ", strip->number, most,
        value, least, (long) strip->set->step_value);
}

static void
put_wrap_of_induction (struct strip *strip)
{
  struct iteration_set *s = strip->set;
  const struct type *type = s->induction->type;
  int bits = 8 * (int) type_size (type).value;
  const char *value = arena_format ("(long) %s", c_name (s->induction));
  int64_t most;

  /* Signed integers do not overflow, but shorter ones are converted. */
  if (bits == 64 || (bits == 32 && !type_is_unsigned (type)))
    return;
  most = (1l << (type_is_unsigned (type) ? bits : bits - 1)) - 1;
  if (!s->is_down)
    put_wrap (strip, arena_format ("%ldl - ", (long) most), value, "");
  else
    put_wrap (strip, "", value,
              type_is_unsigned (type) ? "" : arena_format (" + %ldl", (long) most + 1));
}

static void
put_wraps_of_indexes (struct strip *strip, struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct linear form;

      if (!find_linear (index_of (l), strip->set, &form)
          && find_wrapping (index_of (l), strip->set, &form))
        {
          struct buffering *c = begin_buffering ();
          const char *index;

          put_linear (index_of (l));
          index = end_buffering (c);
          if ((form.factor > 0) != strip->set->is_down)
            put_wrap (strip, "0xffffffffu - ", index, "");
          else
            put_wrap (strip, "", index, "");
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
}

static const char *
function_for (struct strip *strip, struct reference *r)
{
  if (r->stride_kind == BLOCK_STRIDE)
    return is_pointer (r) ? "__upc_block_cursor_index" : "__upc_block_cursor_element";
  if (r->stride_kind == STRIDE_IN_BLOCK && !r->stays)
    return is_pointer (r) ? "__upc_strip_index" : "__upc_strip_element";
  return r->stride_kind == RECOMPUTE || has_strips (strip->set) ? "__upc_strip_address_in_block"
                                                                : "__upc_strip_address";
}

/* The first arguments of all functions for R: the array or pointer, and the index. */
static void
put_root_and_index (struct reference *r)
{
  put_root_name (r);
  put (", ");
  put_index (r->l);
}

static void
put_limits (struct strip *strip, struct reference *r)
{
  if (!r->stays)
    putf (", %ld, &__upc_left%d", (long) r->stride, strip->number);
}

static const char *
address_of (struct strip *strip, struct reference *r)
{
  switch (r->stride_kind)
    {
    case BLOCK_STRIDE:
      return arena_format ("((char *) __upc_at%d_%d.__at)", strip->number, r->number);
    case RECOMPUTE:
      return arena_format ("__upc_at%d_%d", strip->number, r->number);
    default:
      /* Unsigned, as compilers do not know that the number of iterations is small. */
      return arena_format ("(__upc_at%d_%d %c %s * %luul)", strip->number, r->number,
                           r->stride < 0 ? '-' : '+', strip->iteration,
                           (unsigned long) (r->stride < 0 ? -r->stride : r->stride)
                               * element_bytes (r));
    }
}

static void
put_column (struct expr *l, const struct hoisted_base *base)
{
  struct expr *array = strip_parens (pointer_of (l)->a);

  if (array != base->l)
    {
      put_column (array, base);
      put (" + ");
    }
  put ("(long) ");
  put_linear (index_of (l));
  put (step_factor (l->type));
}

static void
put_from_base (struct strip *strip, struct reference *r, struct hoisted_base *base)
{
  if (r->stays && stays_in_row (r->l, base, strip->set))
    {
      putf ("%s + (", address_of (base->strip, base->reference));
      put_column (r->l, base);
      putf (") * %ld; ", (long) element_bytes (r));
      return;
    }
  putf ("%s (%s, ", r->stays ? "__upc_strip_column" : "__upc_strip_column_element",
        address_of (base->strip, base->reference));
  put_root_and_index (r);
  put (", ");
  put_column (r->l, base);
  putf (", %lu", (unsigned long) base->count);
  put_limits (strip, r);
  put_layout (r->l->type);
  put ("; ");
}

/* In short rows the check of the column would serve few iterations. */
static bool
is_base_worthwhile (struct strip *strip, struct reference *r, const struct hoisted_base *base)
{
  uint64_t step = (uint64_t) (r->stride < 0 ? -r->stride : r->stride);

  return r->stride_kind == STRIDE_IN_BLOCK && has_strips (strip->set) && !is_row (r)
         && (r->stays || step * MIN_STRIP <= base->count);
}

static void
put_found (struct strip *strip, struct reference *r)
{
  struct hoisted_base base;

  putf ("__upc_at%d_%d = ", strip->number, r->number);
  if (!is_pointer (r) && find_hoisted_base (r->l, &base) && is_base_worthwhile (strip, r, &base))
    {
      put_from_base (strip, r, &base);
      return;
    }
  putf ("%s (", function_for (strip, r));
  put_root_and_index (r);
  put_limits (strip, r);
  put_layout (r->l->type);
  put ("; ");
}

void
put_strip_start (struct strip *strip)
{
  for (struct reference *r = strip->references; r; r = r->next)
    if (r->stride_kind != RECOMPUTE)
      {
        put_found (strip, r);
        if (has_strips (strip->set))
          put_wraps_of_indexes (strip, r->l);
      }
  if (!strip->is_counted && has_strips (strip->set))
    put_wrap_of_induction (strip);
}

void
put_strip_step (struct strip *strip)
{
  for (struct reference *r = strip->references; r; r = r->next)
    if (r->stride_kind == BLOCK_STRIDE)
      {
        int64_t block = block_of (r->l->type);

        putf (", __upc_block_cursor_advance (&__upc_at%d_%d, %ld, %lu)", strip->number, r->number,
              (long) (r->stride / block), (unsigned long) block * element_bytes (r));
      }
}

void
put_strip_iteration (struct strip *strip)
{
  for (struct reference *r = strip->references; r; r = r->next)
    if (r->stride_kind == RECOMPUTE)
      put_found (strip, r);
  strip->is_in_iteration = true;
}

bool
put_strip_address (struct expr *l)
{
  struct reference *r;
  struct strip *strip;
  struct hoisted_base base;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return false;
  if ((strip = find_known (l, &r)))
    {
      put (address_of (strip, r));
      return true;
    }
  if (!find_hoisted_base (l, &base))
    return false;
  putf ("__upc_row_address_from (%s, ", address_of (base.strip, base.reference));
  put_object (root_of (l).object);
  put (", ");
  put_distance (base.l, true);
  put (", ");
  put_distance_in (l, base.l);
  putf (", %lu", (unsigned long) base.count);
  put_layout (l->type);
  return true;
}
