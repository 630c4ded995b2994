/* Checks of accesses to shared data (-fupc-check, include/upct/check.h). Each is a function call
   around an index or an address:

       a[i] = 1;       *__upc_element_address (a, __upc_index (i, 16, …), …) = 1;
       p->next = q;    ((struct node *) __upc_checked (__upc_address (p), …, 8, 8, …))->next = q;

   For an element of a declared array, only the indexes are checked: the array lives as long as
   the program. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

enum
{
  MOST_SOURCE_TEXT = 60
};

/* E as it stands in the source, if it is short and on one line. */
const char *
source_text (const struct expr *e)
{
  const struct token *first = token_at (e->first), *last = token_at (e->last);
  size_t length = last->text + last->length - first->text;

  if (last->text < first->text || length > MOST_SOURCE_TEXT || memchr (first->text, '\n', length))
    return "shared data";
  return arena_format ("%.*s", (int) length, first->text);
}

/* `, "FILE", LINE)`: of token WHERE. */
static void
put_place (token_index where)
{
  putf (", \"%s\", %u)", quoted_file (token_at (where)), (unsigned) token_at (where)->line);
}

void
put_extent (const struct expr *array)
{
  putf (array->type->length_kind == LENGTH_THREADS ? "%luul * (unsigned long) __upc_threads"
                                                   : "%luul",
        (unsigned long) array->type->count);
}

void
put_array_and_place (struct expr *l)
{
  put_extent (array_of_element (l));
  putf (", \"%s\"", quoted (array_in_messages (array_of_element (l))));
  put_place (l->first);
}

void
put_access_and_place (const struct expr *l)
{
  putf (", \"access to %s\"", quoted (source_text (l)));
  put_place (l->first);
}

/* Whether the index of L is compared with the extent of its array. */
static bool
is_compared (struct expr *l, enum index_use use)
{
  return use != INDEX_OF_POSITION && is_checked_code (l->first) && !l->is_checked
         && array_of_element (l) && has_known_extent (array_of_element (l))
         && !is_within_bounds (l);
}

bool
is_index_compared (struct expr *l)
{
  return is_compared (l, INDEX_OF_ACCESS);
}

void
put_index_of (struct expr *l, enum index_use use)
{
  struct expr *index = index_of (l);

  if (!is_compared (l, use))
    {
      if (!index->is_constant)
        put ("(long) ");
      gen_operand (index);
      return;
    }
  put (use == INDEX_OF_ACCESS ? "__upc_index ((long) " : "__upc_address_index ((long) ");
  gen_operand (index);
  put (", ");
  put_array_and_place (l);
}

struct piece
whole_piece (struct expr *l)
{
  struct piece piece = { .l = l, .bytes = type_size (l->type) };

  if (!piece.bytes.is_known)
    piece.bytes = (struct size){ .value = 1, .is_known = true };
  return piece;
}

static struct expr *
around_member (struct expr *l, struct piece *piece)
{
  piece->offset += l->member_offset;
  if (piece->l == l && l->is_bit_field)
    {
      piece->offset += l->member->bit_offset / 8;
      piece->bytes.value = (l->member->bit_offset % 8 + l->member->bit_width + 7) / 8;
    }
  return l->kind == EXPR_DOT ? l->a : NULL;
}

/* All elements of an array count as accessed with one, as the index is checked; where the array may
   be longer, the one. */
static struct expr *
around_element (struct expr *l, struct piece *piece)
{
  struct expr *array = array_of_element (l);
  struct size size = type_size (l->type);

  if (!array)
    {
      /* Of a vector, which counts as a whole. */
      *piece = whole_piece (pointer_of (l)->a);
      return pointer_of (l)->a;
    }
  if (has_known_extent (array))
    {
      piece->offset = 0;
      piece->bytes = type_size (array->type);
    }
  else if (!piece->index && size.is_known && may_repeat (index_of (l)))
    {
      piece->index = index_of (l);
      piece->stride = size.value;
    }
  return array;
}

struct expr *
around (struct expr *l, struct piece *piece)
{
  switch (l->kind)
    {
    case EXPR_DOT:
    case EXPR_ARROW:
      return around_member (l, piece);
    case EXPR_UNARY:
      if (l->op == KEY_IMAG)
        piece->offset += type_size (l->type).value;
      return l->a;
    default:
      return around_element (l, piece);
    }
}

/* The plan by which L is found, if looks may be done for several iterations of its loop at once. */
static const struct access_plan *
plan_of (struct expr *l, struct piece piece)
{
  struct expr *p = l->kind == EXPR_INDEX ? l : strip_parens (l->a);

  if (p->kind == EXPR_STEP)
    p = strip_parens (p->a);
  if ((p->kind != EXPR_INDEX && p->kind != EXPR_NAME) || !p->plan
      || p->plan->address != ADDRESS_REFERENCE || piece.index || piece.bytes.times_threads)
    return NULL;
  return p->plan;
}

/* Whether PIECE of L is known to be in its block. */
static bool
is_known_within (struct expr *l, struct piece piece)
{
  const struct access_plan *p = plan_of (l, piece);

  return p && is_within (p->loop, p->reference);
}

/* Whether where PIECE of L is, which ROOT leads to, is looked up in the shadow. */
static bool
is_looked_up (struct expr *l, struct element root, struct piece piece)
{
  struct expr *pointer = root.pointer ? strip_parens (root.pointer) : NULL;

  if (!pointer)
    return root.object->type->kind == TYPE_ARRAY && !has_known_extent (root.object)
           && !is_noted (piece.l);
  /* `*p++` in strips. */
  if (pointer->kind == EXPR_STEP)
    pointer = strip_parens (pointer->a);
  return !l->is_checked && !is_noted (piece.l) && !(l->kind == EXPR_DEREF && pointer->is_checked)
         && !is_known_within (l, piece);
}

/* The indexes of L, an element whose address a loop has computed. */
static void
put_planned_indexes (struct expr *l)
{
  for (; l->kind == EXPR_INDEX && array_of_element (l); l = array_of_element (l))
    if (has_known_extent (array_of_element (l)) && !l->is_checked && !is_within_bounds (l))
      {
        put ("(void) ");
        put_index_of (l, INDEX_OF_ACCESS);
        put (", ");
      }
}

static const struct access_plan *
ahead_of (struct expr *l, struct piece piece)
{
  const struct access_plan *p = plan_of (l, piece);

  return p && p->reference->is_ahead ? p : NULL;
}

/* Whether L is an element whose address a loop has computed. */
static bool
has_planned_address (const struct expr *l)
{
  return l->kind == EXPR_INDEX && l->plan
         && (l->plan->address == ADDRESS_REFERENCE || l->plan->address == ADDRESS_INVARIANT);
}

/* The bounds that PIECE of L is compared with; NULL: none. */
static const struct bounded *
bounded_of (struct expr *l, struct piece piece)
{
  return l->kind == EXPR_INDEX && l->plan && !piece.index ? l->plan->bounded : NULL;
}

void
put_bounded (struct loop *loop)
{
  for (struct bounded *b = loop->bounded; b; b = b->next)
    putf ("__upc_bounds __upc_bounds%d_%d __attribute__ ((__unused__)) = { 0 }; ", loop->number,
          b->number);
}

/* The size of the record that a pointer leads to, if PIECE of L is a member and records beside small blocks must be told from
   these (upct/check.h); or 0. What is far has no shadow here. */
static uint64_t
small_record (struct expr *l, struct piece piece)
{
  struct size size = type_size (object_type (l));

  if (switches.network || plan_of (l, piece) || bounded_of (l, piece) || piece.index
      || !size.is_known || size.times_threads || piece.bytes.value == size.value)
    return 0;
  return size.value > 24 && size.value <= 32 ? size.value : 0;
}

static bool
has_blocks (const struct expr *l)
{
  return block_of (l->type) > 0;
}

/* The check of PIECE of L, up to the base of that. */
static void
put_checked (struct expr *l, struct piece piece)
{
  put (ahead_of (l, piece) ? "__upc_checked_ahead ("
       : bounded_of (l, piece)
           ? has_blocks (l) ? "__upc_checked_among (" : "__upc_checked_between ("
       : small_record (l, piece) ? "__upc_checked_record ("
                                 : "__upc_checked (");
}

void
open_check (struct expr *l, struct element root, struct piece piece)
{
  if (!is_checked_code (l->first))
    return;
  if (is_looked_up (l, root, piece))
    put_checked (l, piece);
  if (has_planned_address (l))
    {
      put ("(");
      put_planned_indexes (l);
    }
}

/* What tells whether L is within BOUNDED. */
static void
put_place_in_bounds (struct expr *l, const struct bounded *bounded)
{
  putf (", &__upc_bounds%d_%d, ", bounded->loop->number, bounded->number);
  putf (has_blocks (l) ? "%s, (long) " : "__upc_address (%s), (long) ",
        c_name (bounded->pointer->decl));
  gen_operand (index_of (l));
  if (has_blocks (l))
    putf (", %lu", (unsigned long) block_of (l->type));
  putf (", %lu", (unsigned long) type_size (l->type).value);
}

/* The last arguments of a look-up: of PIECE of L. */
static void
put_piece (struct piece piece, struct expr *l)
{
  struct look look = look_around (&piece, l);
  const struct access_plan *ahead = ahead_of (l, piece);
  const struct bounded *bounded = bounded_of (l, piece);

  if (bounded)
    put_place_in_bounds (l, bounded);
  else if (ahead)
    putf (", &__upc_ahead%d_%d, %lu", ahead->loop->number, ahead->reference->number,
          (unsigned long) type_size (ahead->reference->type).value);
  else if (small_record (l, piece))
    putf (", %luul", (unsigned long) small_record (l, piece));
  else
    putf (", %ld, %u", (long) look.first, look.units);
  putf (", %lu", (unsigned long) piece.offset);
  if (piece.index)
    {
      put (" + (long) ");
      gen_operand (piece.index);
      putf (" * %lul", (unsigned long) piece.stride);
    }
  putf (piece.bytes.times_threads ? ", %luul * (unsigned long) __upc_threads" : ", %luul",
        (unsigned long) piece.bytes.value);
  put_access_and_place (piece.l);
}

void
close_check (struct expr *l, struct element root, struct piece piece)
{
  if (!is_checked_code (l->first))
    return;
  if (has_planned_address (l))
    put (")");
  if (is_looked_up (l, root, piece))
    put_piece (piece, l);
}

/* What an access to L accesses of WHOLE, which L is or is a part of. */
static struct piece
piece_of (struct expr *l, struct expr *whole)
{
  struct piece piece = whole_piece (l);

  while (l != whole)
    l = strip_parens (around (l, &piece));
  if (whole->kind == EXPR_ARROW)
    around (whole, &piece);
  return piece;
}

void
open_check_of (struct expr *l, struct expr *element, struct element root)
{
  open_check (element, root, piece_of (l, element));
}

void
close_check_of (struct expr *l, struct expr *element, struct element root)
{
  close_check (element, root, piece_of (l, element));
}

void
put_fixed_check (struct expr *l, struct expr *whole)
{
  struct piece piece = piece_of (l, whole);

  put ("(void) ");
  put_checked (whole, piece);
  putf ("__upc_address (%s)", c_name (strip_parens (whole->a)->decl));
  put_piece (piece, whole);
  put ("; ");
}

void
put_checked_cast (struct expr *e)
{
  put ("__upc_local_checked (");
  gen_argument (e);
  putf (", \"%s\"", quoted (type_text (e->type)));
  put_place (e->first);
}

bool
may_be_out_of_phase (const struct type *from, const struct type *to, token_index where)
{
  return is_checked_code (where) && type_is_generic_pts (from) && !type_is_generic_pts (to)
         && block_of (to->base) > 1;
}

void
put_checked_phase (struct expr *e, const struct type *to)
{
  put ("__upc_in_phase (");
  gen_argument (e);
  putf (", %u, \"%s\"", block_of (to->base), quoted (type_text (to)));
  put_place (e->first);
}
