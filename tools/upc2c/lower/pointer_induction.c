/* Loops whose induction variable is a pointer-to-shared. */

#include "tools/upc2c/lower/internal.h"

/* A private pointer to elements that are no arrays, in blocks. */
static bool
can_walk (const struct decl *p)
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
  step = step ? peel (step) : NULL;
  if (!step || step->kind != EXPR_STEP || step->op != TOKEN_INCREMENT
      || peel (step->a)->kind != EXPR_NAME || !can_walk (peel (step->a)->decl))
    return NULL;
  return peel (step->a)->decl;
}

/* Where the walk ends: of the same type, and in the same layout. */
static bool
find_end (struct share *s)
{
  struct expr *e = s->loop->expr ? peel (s->loop->expr) : NULL;
  const struct type *type;

  if (!e || e->kind != EXPR_BINARY || !(is_counter (e->a, s) || is_counter (e->b, s)))
    return false;
  s->relation = is_counter (e->a, s) ? e->op : mirrored (e->op);
  s->bound = is_counter (e->a, s) ? e->b : e->a;
  type = s->bound->type;
  return (s->relation == '<' || s->relation == TOKEN_LESS_EQUAL || s->relation == TOKEN_NOT_EQUAL)
         && type_is_pts (type) && types_match_unqualified (type->base, s->counter->type->base)
         && block_of (type->base) == block_of (s->counter->type->base) && is_steady (s->bound, s);
}

bool
find_pointer_forall (struct share *s, struct stmt *loop, int number)
{
  *s = (struct share){ .loop = loop, .sureness = SURE, .loop_number = number };
  s->counter = stepped_pointer (loop->step);
  return loop->affinity_kind == AFFINITY_POINTER && !has_break (loop->then) && is_good_counter (s)
         && is_counter (loop->affinity, s) && find_end (s);
}

bool
find_pointer_loop (struct share *s, struct stmt *loop)
{
  struct decl *pointer = stepped_pointer (loop->step);

  *s = (struct share){ .loop = loop, .sureness = SURE, .counter = pointer };
  if (is_instrumenting () || !function_being_written || !pointer || has_pragmas ()
      || block_of (pointer->type->base) < LEAST_SPAN || !is_good_counter (s) || !find_end (s)
      || has_entry (loop->then, false))
    return false;
  s->loop_number = new_span_number ();
  return true;
}
