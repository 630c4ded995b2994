/* Loops whose induction variable is a pointer-to-shared. */

#include "tools/upc2c/lower/internal.h"

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
find_end (struct iteration_set *s)
{
  struct expr *e = s->loop->expr ? strip_parens (s->loop->expr) : NULL;
  const struct type *type;

  if (!e || e->kind != EXPR_BINARY || !(is_induction (e->a, s) || is_induction (e->b, s)))
    return false;
  s->relation = is_induction (e->a, s) ? e->op : mirrored (e->op);
  s->bound = is_induction (e->a, s) ? e->b : e->a;
  type = s->bound->type;
  return (s->relation == '<' || s->relation == TOKEN_LESS_EQUAL || s->relation == TOKEN_NOT_EQUAL)
         && type_is_pts (type) && types_match_unqualified (type->base, s->induction->type->base)
         && block_of (type->base) == block_of (s->induction->type->base)
         && is_loop_invariant (s->bound, s);
}

bool
find_pointer_forall (struct iteration_set *s, struct stmt *loop, int number)
{
  *s = (struct iteration_set){ .loop = loop, .single_valued = PROVEN, .loop_number = number };
  s->induction = stepped_pointer (loop->step);
  return loop->affinity_kind == AFFINITY_POINTER && !has_break (loop->then)
         && is_valid_induction (s) && is_induction (loop->affinity, s) && find_end (s);
}

bool
find_pointer_loop (struct iteration_set *s, struct stmt *loop)
{
  struct decl *pointer = stepped_pointer (loop->step);

  *s = (struct iteration_set){ .loop = loop, .single_valued = PROVEN, .induction = pointer };
  if (is_instrumenting () || !function_being_written || !pointer || has_pragmas ()
      || block_of (pointer->type->base) < MIN_STRIP || !is_valid_induction (s) || !find_end (s)
      || has_entry (loop->then, false))
    return false;
  s->loop_number = new_strip_number ();
  return true;
}
