/* Loops whose induction variable is a pointer-to-shared. */

#include "tools/upc2c/plan/internal.h"

/* A private pointer to elements that are no arrays, in blocks. */
static bool
is_strip_pointer (const struct decl *p)
{
  const struct type *element;

  if (!p || !is_variable (p) || !type_is_pts (p->type) || quals_of (p->type))
    return false;
  element = p->type->base;
  return type_is_complete (element) && element->kind != TYPE_ARRAY && element->kind != TYPE_VOID
         && block_of (element) > 0 && type_size (element).is_known;
}

static struct decl *
stepped_pointer (struct expr *step)
{
  step = step ? strip_parens (step) : NULL;
  if (!step || step->kind != EXPR_STEP || step->op != TOKEN_INCREMENT
      || strip_parens (step->a)->kind != EXPR_NAME
      || !is_strip_pointer (strip_parens (step->a)->decl))
    return NULL;
  return strip_parens (step->a)->decl;
}

/* Where the induction ends: of the same type, and in the same layout. */
static bool
find_end (struct loop *loop)
{
  struct expr *e = loop->stmt->expr ? strip_parens (loop->stmt->expr) : NULL;
  const struct type *type;

  if (!e || e->kind != EXPR_BINARY || !(is_induction (e->a, loop) || is_induction (e->b, loop)))
    return false;
  loop->relation = is_induction (e->a, loop) ? e->op : mirrored (e->op);
  loop->bound = is_induction (e->a, loop) ? e->b : e->a;
  type = loop->bound->type;
  return (loop->relation == '<' || loop->relation == TOKEN_LESS_EQUAL
          || loop->relation == TOKEN_NOT_EQUAL)
         && type_is_pts (type) && types_match_unqualified (type->base, loop->induction->type->base)
         && block_of (type->base) == block_of (loop->induction->type->base)
         && is_loop_invariant (loop->bound, loop);
}

bool
find_pointer_forall (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  loop->induction = stepped_pointer (s->step);
  return s->affinity_kind == AFFINITY_POINTER && !has_break (s->then) && is_valid_induction (loop)
         && is_induction (s->affinity, loop) && find_end (loop);
}

bool
find_pointer_loop (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  loop->induction = stepped_pointer (s->step);
  return loop->induction && block_of (loop->induction->type->base) >= MIN_STRIP
         && is_valid_induction (loop) && find_end (loop);
}
