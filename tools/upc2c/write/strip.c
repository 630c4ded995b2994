/* Spans of loops: iterations in which elements lie evenly in memory. Here are the variables
   that say where those are, and the addresses that follow from them. */

#include "tools/upc2c/write/internal.h"

static void
put_index (struct expr *l)
{
  struct expr *p = pointer_of (l);

  if (p->kind == EXPR_DECAY && peel (p->a)->kind == EXPR_INDEX)
    {
      put_index (peel (p->a));
      put (" + ");
    }
  put ("(long) ");
  put_linear (number_of (l));
  put (step_factor (l->type));
}

static void
put_root_name (struct reference *r)
{
  struct capture *c;

  if (is_pointer (r))
    {
      put (c_name (r->root->decl));
      return;
    }
  c = begin_capture ();
  put_object (r->root);
  put (end_capture (c));
}

void
put_span_variables (struct span *span)
{
  if (has_spans (span->share))
    putf ("unsigned long __upc_left%d; ", span->number);
  for (struct reference *r = span->references; r; r = r->next)
    putf (r->movement == ACROSS ? "__upc_block_cursor __upc_at%d_%d; " : "char *__upc_at%d_%d; ", span->number, r->number);
}

/* Neither the counter nor an index wraps around within a span: MOST VALUE LEAST is how far
   it may still go. */
static void
put_wrap (struct span *span, const char *most, const char *value, const char *least)
{
  putf ("__upc_strip_wrap (&__upc_left%d, (unsigned long) (%s%s%s), %ld); ", span->number, most, value, least,
        (long) span->share->step_value);
}

static void
put_wrap_of_counter (struct span *span)
{
  struct share *s = span->share;
  const struct type *type = s->counter->type;
  int bits = 8 * (int) type_size (type).value;
  const char *value = arena_format ("(long) %s", c_name (s->counter));
  int64_t most;

  /* Signed integers do not overflow, but shorter ones are converted. */
  if (bits == 64 || (bits == 32 && !type_is_unsigned (type)))
    return;
  most = (1l << (type_is_unsigned (type) ? bits : bits - 1)) - 1;
  if (!s->is_down)
    put_wrap (span, arena_format ("%ldl - ", (long) most), value, "");
  else
    put_wrap (span, "", value, type_is_unsigned (type) ? "" : arena_format (" + %ldl", (long) most + 1));
}

static void
put_wraps_of_indexes (struct span *span, struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = peel (pointer_of (l)->a))
    {
      struct linear form;

      if (!find_linear (number_of (l), span->share, &form) && find_wrapping (number_of (l), span->share, &form))
        {
          struct capture *c = begin_capture ();
          const char *index;

          put_linear (number_of (l));
          index = end_capture (c);
          if ((form.factor > 0) != span->share->is_down)
            put_wrap (span, "0xffffffffu - ", index, "");
          else
            put_wrap (span, "", index, "");
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
}

static const char *
function_for (struct span *span, struct reference *r)
{
  if (r->movement == ACROSS)
    return is_pointer (r) ? "__upc_block_cursor_index" : "__upc_block_cursor_element";
  if (r->movement == WITHIN_BLOCK && !r->stays)
    return is_pointer (r) ? "__upc_strip_index" : "__upc_strip_element";
  return r->movement == ANEW || has_spans (span->share) ? "__upc_strip_address_in_block" : "__upc_strip_address";
}

/* What all ways to find R need: the array or pointer, and the index. */
static void
put_place (struct reference *r)
{
  put_root_name (r);
  put (", ");
  put_index (r->l);
}

static void
put_limits (struct span *span, struct reference *r)
{
  if (!r->stays)
    putf (", %ld, &__upc_left%d", (long) r->step, span->number);
}

static const char *
address_of (struct span *span, struct reference *r)
{
  switch (r->movement)
    {
    case ACROSS:
      return arena_format ("((char *) __upc_at%d_%d.__at)", span->number, r->number);
    case ANEW:
      return arena_format ("__upc_at%d_%d", span->number, r->number);
    default:
      /* Unsigned, as compilers do not know that the number of iterations is small. */
      return arena_format ("(__upc_at%d_%d %c %s * %luul)", span->number, r->number, r->step < 0 ? '-' : '+',
                           span->iteration, (unsigned long) (r->step < 0 ? -r->step : r->step) * element_bytes (r));
    }
}

static void
put_column (struct expr *l, const struct row *row)
{
  struct expr *array = peel (pointer_of (l)->a);

  if (array != row->l)
    {
      put_column (array, row);
      put (" + ");
    }
  put ("(long) ");
  put_linear (number_of (l));
  put (step_factor (l->type));
}

static void
put_in_row (struct span *span, struct reference *r, struct row *row)
{
  if (r->stays && stays_in_row (r->l, row, span->share))
    {
      putf ("%s + (", address_of (row->span, row->reference));
      put_column (r->l, row);
      putf (") * %ld; ", (long) element_bytes (r));
      return;
    }
  putf ("%s (%s, ", r->stays ? "__upc_strip_column" : "__upc_strip_column_element", address_of (row->span, row->reference));
  put_place (r);
  put (", ");
  put_column (r->l, row);
  putf (", %lu", (unsigned long) row->count);
  put_limits (span, r);
  put_layout (r->l->type);
  put ("; ");
}

/* In short rows a look at the row would be one for few iterations. */
static bool
is_worth_row (struct span *span, struct reference *r, const struct row *row)
{
  uint64_t step = (uint64_t) (r->step < 0 ? -r->step : r->step);

  return r->movement == WITHIN_BLOCK && has_spans (span->share) && !is_row (r)
         && (r->stays || step * LEAST_SPAN <= row->count);
}

static void
put_found (struct span *span, struct reference *r)
{
  struct row row;

  putf ("__upc_at%d_%d = ", span->number, r->number);
  if (!is_pointer (r) && find_row (r->l, &row) && is_worth_row (span, r, &row))
    {
      put_in_row (span, r, &row);
      return;
    }
  putf ("%s (", function_for (span, r));
  put_place (r);
  put_limits (span, r);
  put_layout (r->l->type);
  put ("; ");
}

void
put_span_start (struct span *span)
{
  for (struct reference *r = span->references; r; r = r->next)
    if (r->movement != ANEW)
      {
        put_found (span, r);
        if (has_spans (span->share))
          put_wraps_of_indexes (span, r->l);
      }
  if (!span->is_counted && has_spans (span->share))
    put_wrap_of_counter (span);
}

void
put_span_step (struct span *span)
{
  for (struct reference *r = span->references; r; r = r->next)
    if (r->movement == ACROSS)
      {
        int64_t block = block_of (r->l->type);

        putf (", __upc_block_cursor_advance (&__upc_at%d_%d, %ld, %lu)", span->number, r->number, (long) (r->step / block),
              (unsigned long) block * element_bytes (r));
      }
}

void
put_span_iteration (struct span *span)
{
  for (struct reference *r = span->references; r; r = r->next)
    if (r->movement == ANEW)
      put_found (span, r);
  span->is_in_iteration = true;
}

bool
put_span_address (struct expr *l)
{
  struct reference *r;
  struct span *span;
  struct row row;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return false;
  if ((span = find_known (l, &r)))
    {
      put (address_of (span, r));
      return true;
    }
  if (!find_row (l, &row))
    return false;
  putf ("__upc_row_address_from (%s, ", address_of (row.span, row.reference));
  put_object (root_of (l).object);
  put (", ");
  put_distance (row.l, true);
  put (", ");
  put_distance_in (l, row.l);
  putf (", %lu", (unsigned long) row.count);
  put_layout (l->type);
  return true;
}
