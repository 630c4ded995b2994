/* Which elements that a loop accesses stay in a block for a while: those of a static array,
   or of a pointer that the loop does not change, whose indexes are linear forms of the
   induction variable. */

#include "tools/upc2c/lower/internal.h"

/* With more elements than that the others are found as anywhere else. */
enum
{
  MOST_REFERENCES = 24
};

bool
is_pointer (const struct reference *r)
{
  return type_is_pts (r->root->type);
}

bool
is_row (const struct reference *r)
{
  return r->l->type->kind == TYPE_ARRAY;
}

uint64_t
element_bytes (const struct reference *r)
{
  return type_size (ultimate_type (r->l->type)).value;
}

/* The whole index of an element, in ultimate elements, as a linear form. */
static bool
find_distance (struct expr *l, struct iteration_set *s, struct linear *sum, bool *wraps)
{
  *sum = (struct linear){ .factor = 0 };
  *wraps = false;
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct size size = ultimate_count (l->type);
      struct linear own;
      int64_t count = (int64_t) size.value;

      if (!size.is_known || count <= 0 || count > 1 << 28)
        return false;
      if (!find_linear (index_of (l), s, &own))
        {
          if (*wraps || sum->factor != 0 || !find_wrapping (index_of (l), s, &own))
            return false;
          *wraps = true;
        }
      if (size.times_threads && own.factor != 0)
        return false;
      *sum = (struct linear){ sum->factor + own.factor * count,
                              sum->constant + own.constant * count,
                              common_divisor (sum->divisor, own.divisor * (uint64_t) count) };
      if (size.times_threads && (own.constant != 0 || own.divisor != 0))
        *sum = (struct linear){ sum->factor, 0, 1 };
      if (pointer_of (l)->kind != EXPR_DECAY)
        return true;
    }
  return true;
}

static int64_t
floor_quotient (int64_t n, int64_t d)
{
  return n >= 0 ? n / d : ~(~n / d);
}

/* Whether all iterations meet the same block, wherever what is fixed begins: that is a
   multiple of the divisor. */
static bool
stays_in_block (struct iteration_set *s, const struct linear *at, uint32_t block)
{
  int64_t first, last, size = (int64_t) common_divisor (block, at->divisor);

  return find_range (s, &first, &last)
         && floor_quotient (at->constant + at->factor * first, size)
                == floor_quotient (at->constant + at->factor * last, size);
}

static struct expr *
root_name (struct expr *l)
{
  struct element root = root_of (l);

  if (root.object)
    return root.object;
  return root.pointer && strip_parens (root.pointer)->kind == EXPR_NAME
             ? strip_parens (root.pointer)
             : NULL;
}

static bool
is_good_root (struct expr *root, struct iteration_set *s)
{
  if (!is_outer_name (root, s))
    return false;
  return type_is_shared (root->type) ? root->decl->kind == DECL_VARIABLE
                                     : type_is_pts (root->type) && is_loop_invariant (root, s);
}

bool
has_strips (const struct iteration_set *s)
{
  return s->loop->kind == STMT_FOR || (s->is_by_one && s->block > 1 && !s->divisor);
}

/* Whether S is a upc_forall of which a thread does each THREADS-th iteration, all in one run:
   what moves by blocks is always in the same thread then, block behind block. */
static bool
is_cyclic (const struct iteration_set *s)
{
  return s->loop->kind == STMT_FORALL && s->is_by_one && s->block == 1;
}

/* How R, which is at AT, moves from one iteration to the next. */
static bool
find_stride (struct reference *r, struct iteration_set *s, const struct linear *at, bool wraps)
{
  int64_t block = block_of (r->l->type);

  r->stride_kind = RECOMPUTE;
  r->stays = true;
  if (s->step || s->step_value > INT32_MAX / (at->factor < 0 ? -at->factor : at->factor))
    return is_row (r);
  r->stride = at->factor * (s->is_down ? -s->step_value : s->step_value);
  if (r->stride % block == 0 && !wraps && (has_strips (s) || is_cyclic (s)))
    {
      r->stride_kind = is_cyclic (s) ? STRIDE_IN_BLOCK : BLOCK_STRIDE;
      return true;
    }
  if (!has_strips (s) || r->stride > block / MIN_STRIP || -r->stride > block / MIN_STRIP)
    return is_row (r);
  r->stride_kind = STRIDE_IN_BLOCK;
  r->stays = !wraps && !is_pointer (r) && s->loop->kind == STMT_FOR && s->bound
             && stays_in_block (s, at, (uint32_t) block);
  return true;
}

static bool
find_reference (struct expr *l, struct iteration_set *s, struct reference *r)
{
  struct linear at;
  bool wraps;

  *r = (struct reference){ .l = l, .root = root_name (l) };
  return r->root && block_of (l->type) > 0 && !is_own_element (l, s) && is_good_root (r->root, s)
         && !(is_pointer (r) && (is_row (r) || is_cyclic (s))) && find_distance (l, s, &at, &wraps)
         && at.factor != 0 && at.factor <= INT32_MAX && at.factor >= -INT32_MAX
         && find_stride (r, s, &at, wraps);
}

bool
add_reference (struct strip *strip, struct expr *l)
{
  struct reference found, *r;

  if (reference_to (strip, l))
    return true;
  if (strip->count == MOST_REFERENCES || !find_reference (l, strip->set, &found))
    return false;
  r = NEW (struct reference);
  *r = found;
  r->number = ++strip->count;
  r->next = strip->references;
  strip->references = r;
  return true;
}

bool
is_blocked_element (struct expr *e, void *nothing)
{
  struct expr *l = accessed_element (e);

  (void) nothing;
  return l && block_of (l->type) > 0;
}
