/* Pointers that lead to an object in which a loop accesses elements here and there, as x[column[k]]. The look-up of each
   element's own byte of the shadow would be another cache line. So -fupc-check compares with where the object is, which it
   asks for once (include/upct/check.h): in the outermost loop that does not change the pointer, and in which nothing may be
   freed. */

#include "tools/upc2c/plan/internal.h"

static bool
may_be_bounded_in (struct expr *pointer, struct loop *loop)
{
  return !loop->is_kept && !may_free (loop->stmt) && is_loop_invariant (pointer, loop);
}

/* The name by which L is found, or NULL. The index is written twice. */
static struct expr *
leading_pointer (struct expr *l)
{
  struct expr *p = l->kind == EXPR_INDEX && !array_of_element (l) ? root_of (l).pointer : NULL;

  p = p ? strip_parens (p) : NULL;
  return p && p->kind == EXPR_NAME && type_is_pts (p->type) && type_size (l->type).is_known
                 && !type_size (l->type).times_threads && type_size (l->type).value > 0
                 && may_repeat (index_of (l))
             ? p
             : NULL;
}

struct bounded *
find_bounded (struct expr *l, struct loop *loop)
{
  struct expr *pointer = is_checked_code (l->first) && !switches.network ? leading_pointer (l)
                                                                         : NULL;
  struct bounded *b;

  if (!pointer || !may_be_bounded_in (pointer, loop))
    return NULL;
  while (loop->around && may_be_bounded_in (pointer, loop->around))
    loop = loop->around;
  for (b = loop->bounded; b; b = b->next)
    if (b->pointer->decl == pointer->decl
        && type_size (b->pointer->type->base).value == type_size (l->type).value)
      return b;
  b = NEW (struct bounded);
  *b = (struct bounded){ pointer, loop, loop->bounded ? loop->bounded->number + 1 : 1,
                         loop->bounded };
  loop->bounded = b;
  return b;
}
