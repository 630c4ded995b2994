/* Elements that are the same ones in all iterations of a loop:

       for (j = 1; j < n - 1; j++) b[j] = w[0] * a[j - 1] + w[1] * a[j] + w[2] * a[j + 1];

   Their addresses are computed once, before the first iteration of the outermost loop in strips in which
   they are invariant. */

#include "tools/upc2c/plan/internal.h"

/* More would not be in registers. */
enum
{
  MOST_INVARIANTS = 32
};

bool
find_fixed_element (struct expr *l, struct loop *loop, struct reference *r)
{
  *r = (struct reference){
    .l = l, .type = l->type, .root = root_name (l), .stride_kind = STRIDE_IN_BLOCK, .stays = true
  };
  return r->root && is_good_root (r->root, loop) && find_index (l, NULL, loop, &r->at)
         && r->at.is_early && element_factor (r->root, &r->at, loop) == 0;
}

bool
is_fixed_element (struct expr *l, struct loop *loop)
{
  struct reference r;

  return find_fixed_element (l, loop, &r);
}

/* The invariant of LOOP that is FOUND, or NULL. */
static struct reference *
known_invariant (const struct reference *found, struct loop *loop)
{
  struct reference *r = loop->invariants;
  int64_t apart;

  while (r
         && !(types_match_unqualified (r->type, found->type)
              && find_elements_apart (r->l, found->l, loop, &apart) && apart == 0))
    r = r->next;
  return r;
}

static struct reference *
keep_invariant (const struct reference *found, struct loop *loop)
{
  struct reference *others = loop->invariants, *r;

  if (others && others->number == MOST_INVARIANTS)
    return NULL;
  r = NEW (struct reference);
  *r = *found;
  r->number = others ? others->number + 1 : 1;
  r->next = others;
  loop->invariants = r;
  return r;
}

struct reference *
find_invariant (struct expr *l, struct loop *innermost, struct loop **widest)
{
  struct reference found, wider, *known;
  struct loop *loop = innermost;

  *widest = NULL;
  for (; loop && l->kind == EXPR_INDEX && find_fixed_element (l, loop, &wider); loop = loop->outer)
    {
      found = wider;
      *widest = loop;
    }
  if (!*widest)
    return NULL;
  known = known_invariant (&found, *widest);
  return known ? known : keep_invariant (&found, *widest);
}
