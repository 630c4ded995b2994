/* Strips of loops: the variables that hold the addresses of references, and the addresses
   computed from them. */

#include "tools/upc2c/write/internal.h"

#define MOST_BYTES_IN_LINE 256

/* Whether R, which moves by whole blocks, looks them up. */
static bool
is_looked_up (const struct loop *loop, const struct reference *r)
{
  return loop->is_sure && r->tabled;
}

static const char *
type_of_cursor (const struct loop *loop, const struct reference *r)
{
  if (is_looked_up (loop, r))
    return "__upc_tabled_cursor ";
  return r->stride_kind == BLOCK_STRIDE || r->crosses ? "__upc_block_cursor " : "char *";
}

/* A loop may only move a pointer, or reach an element from the one beside it. */
void
put_strip_variables (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    putf ("%s__upc_at%d_%d __attribute__ ((__unused__)); ", type_of_cursor (loop, r), loop->number,
          r->number);
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->is_ahead)
      putf ("unsigned long __upc_ahead%d_%d __attribute__ ((__unused__)); ", loop->number,
            r->number);
}

/* Neither the induction variable nor an index wraps around within a strip: MOST VALUE LEAST is
   how far it may still advance. */
static void
put_wrap (struct loop *loop, const char *most, const char *value, const char *least)
{
  putf ("__upc_strip_wrap (&__upc_left%d, (unsigned long) (%s%s%s), %s); ", loop->number, most,
        value, least,
        loop->step ? arena_format ("(unsigned long) __upc_step%d", loop->number)
                   : arena_format ("%ld", (long) loop->step_value));
}

static void
put_wrap_of_induction (struct loop *loop)
{
  const struct type *type = loop->induction->type;
  int bits = 8 * (int) type_size (type).value;
  const char *value = arena_format ("(long) %s", c_name (loop->induction));
  int64_t most;

  /* Signed integers do not overflow, but shorter ones are converted. */
  if (bits == 64 || (bits == 32 && !type_is_unsigned (type)))
    return;
  most = (1l << (type_is_unsigned (type) ? bits : bits - 1)) - 1;
  if (!loop->is_down)
    put_wrap (loop, arena_format ("%ldl - ", (long) most), value, "");
  else
    put_wrap (loop, "", value,
              type_is_unsigned (type) ? "" : arena_format (" + %ldl", (long) most + 1));
}

static void
put_wraps_of_indexes (struct loop *loop, struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct affine f;

      if (find_affine (index_of (l), loop, &f) && f.wrap != WRAPS_NEVER)
        {
          struct buffering *c = begin_buffering ();
          const char *index;

          put_early (index_of (l));
          index = end_buffering (c);
          if ((induction_factor (&f, loop) > 0) != loop->is_down)
            put_wrap (loop, "0xffffffffu - ", index, "");
          else
            put_wrap (loop, "", index, "");
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
}

static const char *
function_for (struct loop *loop, struct reference *r)
{
  if (r->stride_kind == BLOCK_STRIDE)
    return is_pointer (r) ? "__upc_block_cursor_index" : "__upc_block_cursor_element";
  if (r->crosses)
    return is_pointer (r) ? "__upc_crossing_index" : "__upc_crossing_element";
  if ((r->stride_kind == STRIDE_IN_BLOCK || r->stride_kind == STRIDE_BY_STEP) && !r->stays)
    return is_pointer (r) ? "__upc_strip_index" : "__upc_strip_element";
  if (is_pointer (r))
    return "__upc_index_address";
  if (block_of (r->type) == 0)
    return "__upc_element_address";
  return (r->stride_kind == RECOMPUTE || (loop->is_consecutive && !r->is_by_rounds))
                 && switches.threads != 1
             ? "__upc_strip_address_in_block"
             : "__upc_strip_address";
}

static void
put_array (struct reference *r)
{
  struct buffering *c = begin_buffering ();

  put_object (r->root);
  put (end_buffering (c));
}

void
put_first_index (struct reference *r)
{
  if (r->l->kind == EXPR_NAME)
    putf ("%ld", (long) r->at.constant);
  else
    put_early_distance (r->l, NULL);
}

/* The distance of R from its root. */
static void
put_index (struct loop *loop, struct reference *r)
{
  if (is_left_behind (r) && !loop->crosses_blocks)
    putf ("%ld %c (long) __upc_set%d.__at", (long) r->at.constant, r->stride < 0 ? '-' : '+',
          loop->number);
  else
    put_first_index (r);
}

/* The array or pointer of R, wherever the source is. */
static void
put_root (struct reference *r)
{
  if (is_pointer (r))
    put (c_name (r->root->decl));
  else
    put_array (r);
}

void
put_root_and_index (struct loop *loop, struct reference *r)
{
  put_root (r);
  put (", ");
  put_index (loop, r);
}

void
put_invariants (struct loop *loop)
{
  for (struct reference *r = loop->invariants; r; r = r->next)
    {
      putf ("char *const __upc_invariant%d_%d __attribute__ ((__unused__)) = (char *) %s (",
            loop->number, r->number, function_for (loop, r));
      put_root_and_index (loop, r);
      put_layout (r->type);
      put ("; ");
    }
}

/* How far R, which moves by the steps of LOOP, goes with each. */
static const char *
moved_by_step (const struct loop *loop, const struct reference *r)
{
  return arena_format (loop->step ? "__upc_step%d * %ldl" : "(long) __upc_set%d.__stride * %ldl",
                       loop->number, (long) r->stride);
}

/* What R limits: the strip, or where it crosses. */
static void
put_limits (struct loop *loop, struct reference *r)
{
  if (r->stays)
    return;
  if (r->stride_kind == STRIDE_BY_STEP)
    putf (", __upc_strip_step (%s), &__upc_left%d", moved_by_step (loop, r), loop->number);
  else if (loop->crosses_blocks && !r->crosses_with)
    putf (", %ld, &__upc_next%d_%d", (long) r->stride, loop->number, r->number);
  else
    putf (", %ld, &__upc_left%d", (long) r->stride, loop->number);
}

const char *
address_of (struct loop *loop, struct reference *r)
{
  switch (r->stride_kind)
    {
    case BLOCK_STRIDE:
      return arena_format (is_looked_up (loop, r) ? "__upc_tabled_at (&__upc_at%d_%d)"
                                                  : "((char *) __upc_at%d_%d.__at)",
                           loop->number, r->number);
    case STRIDE_BY_STEP:
    case RECOMPUTE:
      return arena_format ("__upc_at%d_%d", loop->number, r->number);
    default:
      if (loop->is_in_middle)
        return arena_format ("(__upc_at%d_%d + __upc_n%d * %luul)", loop->number, r->number,
                             loop->number, (unsigned long) element_bytes (r));
      if (r->is_own && !loop->is_by_one)
        return arena_format ("(__upc_at%d_%d + (long) __upc_n%d * (__upc_set%d.__pitch * %ld))",
                             loop->number, r->number, loop->number, loop->number,
                             (long) element_bytes (r));
      if (r->neighbour)
        return arena_format ("(%s + %ldl)", address_of (loop, r->neighbour),
                             (long) r->apart * (long) element_bytes (r));
      /* Unsigned, as compilers do not know that the number of iterations is small. */
      return arena_format (r->crosses ? "((char *) __upc_at%d_%d.__at %c __upc_n%d * %luul)"
                                      : "(__upc_at%d_%d %c __upc_n%d * %luul)",
                           loop->number, r->number, r->stride < 0 ? '-' : '+', loop->number,
                           (unsigned long) (r->stride < 0 ? -r->stride : r->stride)
                               * element_bytes (r));
    }
}

static const char *
function_for_column (struct loop *loop, struct reference *r)
{
  if (r->stays_in_row)
    return "__upc_strip_column_in_row_index";
  if (is_pointer (r))
    return is_counted (loop) ? "__upc_strip_counted_column_index" : "__upc_strip_column_index";
  if (r->stays)
    return "__upc_strip_column";
  return is_counted (loop) ? "__upc_strip_counted_column_element" : "__upc_strip_column_element";
}

static void
put_from_row (struct loop *loop, struct reference *r)
{
  const char *base = address_of (r->row->loop, r->row->reference);

  if (r->stays_in_row && !is_pointer (r))
    {
      putf ("%s + (", base);
      put_early_distance (r->l, r->row->row);
      putf (") * %ld; ", (long) element_bytes (r));
      return;
    }
  putf ("%s (%s, ", function_for_column (loop, r), base);
  put_root_and_index (loop, r);
  put (", ");
  put_early_distance (r->l, r->row->row);
  putf (", %lu", (unsigned long) r->row->count);
  put_limits (loop, r);
  put_layout (r->l->type);
  put ("; ");
}

static void
put_own (struct loop *loop, struct reference *r)
{
  if (is_pointer (r))
    {
      putf ("(char *) __upc_address (%s); ", c_name (r->root->decl));
      return;
    }
  put ("__upc_owned_address (");
  put_array (r);
  putf (", __upc_set%d, %lu); ", loop->number, (unsigned long) element_bytes (r));
}

static void
put_looked_up (struct loop *loop, struct reference *r)
{
  putf ("__upc_tabled_cursor_%s (%s, ", r->start ? "from" : "element", name_of_table (r->tabled));
  put (r->start ? name_of_start (loop, r->start) : "");
  if (!r->start)
    put_array (r);
  put (", ");
  put_index (loop, r);
}

static void
put_found (struct loop *loop, struct reference *r)
{
  putf ("__upc_at%d_%d = ", loop->number, r->number);
  if (r->is_own)
    {
      put_own (loop, r);
      return;
    }
  if (r->row)
    {
      put_from_row (loop, r);
      return;
    }
  if (r->root->decl->is_apart && r->stride_kind == STRIDE_IN_BLOCK)
    {
      putf ("%s_at + (", c_name (r->root->decl));
      put_index (loop, r);
      putf (") * %ld; ", (long) element_bytes (r));
      return;
    }
  if (put_from_beside (loop, r))
    return;
  if (is_looked_up (loop, r))
    put_looked_up (loop, r);
  else
    {
      putf ("%s (", function_for (loop, r));
      put_root_and_index (loop, r);
    }
  put_limits (loop, r);
  put_layout (r->type);
  put ("; ");
}

void
put_strip_reference (struct loop *loop, struct reference *r)
{
  put_walk_start (r);
  put_found (loop, r);
  if (loop->is_consecutive && !r->is_own)
    put_wraps_of_indexes (loop, r->l);
}

void
put_strip_start (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->stride_kind != RECOMPUTE)
      put_strip_reference (loop, r);
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->is_ahead)
      putf ("__upc_ahead%d_%d = 0; ", loop->number, r->number);
  if (!loop->bound && loop->induction && !is_by_pointer (loop))
    put_wrap_of_induction (loop);
}

void
put_phase_test (struct loop *loop, struct reference *r)
{
  putf (is_pointer (r) ? " && __upc_strip_phase_index (" : " && __upc_strip_phase (");
  if (is_pointer (r))
    putf ("%s, ", c_name (r->root->decl));
  put_index (loop, r);
  putf (", %u) == __upc_set%d.__phase", block_of (r->type), loop->number);
}

/* What R needs from one iteration of a strip to the next. */
static void
put_advance (struct loop *loop, struct reference *r)
{
  int64_t block = block_of (r->type);

  if (r->stride_kind == STRIDE_BY_STEP)
    putf (", __upc_at%d_%d += %s * %ldl", loop->number, r->number, moved_by_step (loop, r),
          (long) element_bytes (r));
  else if (r->stride_kind == BLOCK_STRIDE)
    putf (", %s_advance (&__upc_at%d_%d, %ld, %lu)",
          is_looked_up (loop, r) ? "__upc_tabled_cursor" : "__upc_block_cursor", loop->number,
          r->number, (long) (r->stride / block), (unsigned long) block * element_bytes (r));
}

void
put_strip_step (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    put_advance (loop, r);
}

void
put_strip_iteration (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->stride_kind == RECOMPUTE)
      put_found (loop, r);
}

void
put_strip_end (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    put_walk_end (r);
}

/* INDEX, or NULL, is the distance of L from its root where that is evaluated already. */
static void
put_in_row (struct expr *l, struct access_plan *p, const char *index)
{
  putf (is_pointer (p->reference) ? "__upc_row_index_address_from (%s, "
                                  : "__upc_row_address_from (%s, ",
        address_of (p->loop, p->reference));
  put_root (p->reference);
  put (", ");
  put_distance (p->row, INDEX_OF_ACCESS);
  put (", ");
  if (index)
    {
      putf ("%s - (", index);
      put_distance (p->row, INDEX_OF_POSITION);
      put (")");
    }
  else
    put_distance_in (l, p->row, INDEX_OF_ACCESS);
  putf (", %lu", (unsigned long) p->count);
  put_layout (l->type);
}

const char *
known_address (const struct access_plan *p)
{
  return p->address == ADDRESS_REFERENCE
             ? address_of (p->loop, p->reference)
             : arena_format ("__upc_invariant%d_%d", p->loop->number, p->reference->number);
}

bool
put_planned_address (struct expr *l, const char *index)
{
  struct access_plan *p = l->plan;

  if (!p)
    return false;
  switch (p->address)
    {
    case ADDRESS_REFERENCE:
    case ADDRESS_INVARIANT:
      put (known_address (p));
      return true;
    case ADDRESS_IN_ROW:
      put_in_row (l, p, index);
      return true;
    case ADDRESS_IN_RUN:
      put_in_run (p->run);
      return true;
    default:
      return false;
    }
}

/* The lowest address of COUNT elements of the strip from L on. */
static void
put_lowest (struct loop *loop, struct expr *l, const char *count)
{
  put ("(");
  put_typed_address (l, "char *");
  put (")");
  if (loop->copies_down)
    putf (" - (%s - 1) * %luul", count, (unsigned long) type_size (l->type).value);
}

static void
put_copy (struct loop *loop, const char *count)
{
  put (switches.network         ? "__upc_transfer ("
       : may_copy_within (loop) ? "__builtin_memmove ("
                                : "__builtin_memcpy (");
  put_lowest (loop, loop->copy_to, count);
  put (", ");
  put_lowest (loop, loop->copy_from, count);
  putf (", %s * %luul); ", count, (unsigned long) type_size (loop->copy_to->type).value);
}

/* C compilers write out copies of a few bytes if their number is a constant. */
bool
put_whole_copy (struct loop *loop, const char *count)
{
  unsigned long block = loop->copy_to ? block_of (loop->copy_to->type) : 0;

  if (!loop->copy_to)
    return false;
  if (loop->crosses_blocks && block * type_size (loop->copy_to->type).value <= MOST_BYTES_IN_LINE)
    {
      putf ("if (%s == %lu) ", count, block);
      put_copy (loop, arena_format ("%lu", block));
      put ("else ");
    }
  put_copy (loop, count);
  return true;
}
