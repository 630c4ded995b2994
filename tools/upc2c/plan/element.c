/* Elements as data: a root and an affine form of the distance from there. */

#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

struct expr *
root_name (struct expr *l)
{
  struct element root = root_of (l);

  if (root.object)
    return root.object;
  return root.pointer && strip_parens (root.pointer)->kind == EXPR_NAME
             ? strip_parens (root.pointer)
             : NULL;
}

struct expr *
root_of_name (struct expr *l)
{
  struct element root = root_of (l);

  if (root.pointer && strip_parens (root.pointer)->kind == EXPR_STEP)
    return strip_parens (strip_parens (root.pointer)->a);
  return root.object ? root.object : root.pointer ? strip_parens (root.pointer) : NULL;
}

bool
are_apart (const struct decl *a, const struct decl *b)
{
  return a != b && (a->is_apart || b->is_apart);
}

bool
may_overlap (struct expr *a, struct expr *b)
{
  /* An element of an array in a record has no root here. */
  if (!a || !b)
    return true;
  if (a->kind == EXPR_NAME && b->kind == EXPR_NAME && are_apart (a->decl, b->decl))
    return false;
  return a->kind != EXPR_NAME || b->kind != EXPR_NAME || type_is_pts (a->type)
         || type_is_pts (b->type) || a->decl->name == b->decl->name;
}

bool
is_good_root (struct expr *root, struct loop *loop)
{
  if (!is_outer_name (root, loop))
    return false;
  return type_is_shared (root->type)
             ? root->decl->kind == DECL_VARIABLE
             : type_is_pts (root->type)
                   && (is_loop_invariant (root, loop) || is_induction (root, loop));
}

bool
is_plain_access (struct expr *l)
{
  return !l->is_strict && !l->is_bit_field && !(quals_of (l->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         && type_is_arithmetic (l->type);
}

bool
find_elements_apart (struct expr *a, struct expr *b, struct loop *loop, int64_t *apart)
{
  struct expr *root_a = root_name (a), *root_b = root_name (b);
  struct affine at_a, at_b;

  return root_a && root_b && root_a->decl == root_b->decl && find_index (a, NULL, loop, &at_a)
         && find_index (b, NULL, loop, &at_b) && find_apart (&at_a, &at_b, apart);
}

bool
find_apart_from_own (struct reference *r, struct loop *loop, int64_t *apart, bool *is_known)
{
  struct affine own;

  *is_known = true;
  if (find_elements_apart (loop->affinity, r->l, loop, apart))
    return true;
  *is_known = !is_pointer (r) && loop->position == POSITION_ELEMENT;
  return find_index (loop->affinity, NULL, loop, &own) && find_apart (&own, &r->at, apart);
}

/* Iterations that are so far from each other may be no iterations of one strip, as those of rows. */
enum
{
  LEAST_FAR = 16
};

bool
are_near (struct expr *a, struct expr *b, struct loop *loop)
{
  struct affine at;
  int64_t apart, factor;

  if (!find_elements_apart (a, b, loop, &apart) || !find_index (a, NULL, loop, &at))
    return false;
  factor = element_factor (root_name (a), &at, loop);
  return factor != UNKNOWN_FACTOR && llabs (apart) < LEAST_FAR * llabs (factor * loop->step_value);
}

struct expr *
pointed_element (struct expr *l, struct loop *loop)
{
  struct decl *d = l->kind == EXPR_NAME ? l->decl : NULL;
  struct expr *value;

  if (!d || !d->init || !d->init->expr || !type_is_pts (d->type) || d->has_static_duration
      || d->has_address_taken || is_outer_name (l, loop))
    return l;
  value = strip_conversions (d->init->expr);
  if (value->kind != EXPR_ADDRESS || strip_parens (value->a)->kind != EXPR_INDEX
      || strip_parens (value->a)->type->kind == TYPE_ARRAY || !is_unchanged (d, loop->stmt))
    return l;
  return strip_parens (value->a);
}

bool
is_own_element (struct expr *l, struct loop *loop)
{
  struct affine own, other;
  int64_t apart;

  if (l->kind == EXPR_NAME)
    return loop->affinity && is_induction (l, loop) && is_induction (loop->affinity, loop);
  if (!loop->index || pointer_of (l)->kind != EXPR_DECAY || l->type->kind == TYPE_ARRAY
      || strip_parens (pointer_of (l)->a)->kind != EXPR_NAME || loop->block != block_of (l->type))
    return false;
  return are_same_expr (loop->index, index_of (l))
         || (find_affine (loop->index, loop, &own) && find_affine (index_of (l), loop, &other)
             && find_apart (&own, &other, &apart) && apart == 0);
}

const struct type *
element_type_of (const struct expr *l)
{
  return l->kind == EXPR_NAME ? l->type->base : l->type;
}

int64_t
element_factor (const struct expr *root, const struct affine *at, const struct loop *loop)
{
  return root->decl == loop->induction ? 1 : induction_factor (at, loop);
}

struct reference *
reference_to (struct loop *loop, struct expr *l)
{
  struct reference *r = loop->references;
  int64_t apart;

  for (; r; r = r->next)
    if (r->l == l
        || (types_match_unqualified (r->type, element_type_of (l))
            && ((find_elements_apart (r->l, l, loop, &apart) && apart == 0)
                || (r->is_own && is_own_element (l, loop)
                    && root_name (l)->decl == r->root->decl))))
      return r;
  return NULL;
}

bool
is_pointer (const struct reference *r)
{
  return type_is_pts (r->root->type);
}

bool
is_row (const struct reference *r)
{
  return r->type->kind == TYPE_ARRAY;
}

uint64_t
element_bytes (const struct reference *r)
{
  return type_size (ultimate_type ((struct type *) r->type)).value;
}

/* Strips in larger blocks are as good as copies. */
enum
{
  MOST_BLOCK = 16
};

bool
is_in_small_blocks (const struct expr *l)
{
  return l->kind == EXPR_INDEX && block_of (l->type) > 0 && block_of (l->type) <= MOST_BLOCK;
}

struct uses
{
  struct loop *loop;
  int count;
};

static bool
count_use (struct expr *e, void *data)
{
  struct uses *u = data;

  u->count += e->kind == EXPR_NAME && (e->decl == u->loop->induction || secondary_of (e, u->loop));
  return false;
}

/* Takes away the uses of the induction variable in indexes of references. */
static bool
discount_use (struct expr *e, void *data)
{
  struct expr *l = accessed_element (e);
  struct uses *u = data;

  if (l && reference_to (u->loop, l))
    {
      struct uses own = { .loop = u->loop };

      any_in_expr (l, count_use, &own);
      u->count -= own.count;
    }
  return false;
}

bool
uses_induction (struct loop *loop)
{
  struct uses u = { .loop = loop };

  if (loop->stmt->lanes && loop->stmt->lanes->scalars)
    return true;
  any_in_stmt (loop->stmt->then, count_use, &u);
  any_in_stmt (loop->stmt->then, discount_use, &u);
  return u.count != 0;
}
