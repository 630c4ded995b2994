/* Accesses that a loop is certain to do in each iteration. -fupc-check checks them once for a
   strip, or, if they are to the same place in all iterations, before a loop without strips. The
   number of iterations is known beforehand, and nothing in the body can end the loop or the
   program, so it makes no difference which wrong access of the loop is found first. */

#include "tools/upc2c/plan/internal.h"

bool
is_checked_code (token_index where)
{
  return switches.check && !(token_at (where)->flags & TOKEN_SYSTEM);
}

static bool
is_leaving (struct stmt *s, void *nothing)
{
  (void) nothing;
  switch (s->kind)
    {
    case STMT_GOTO:
    case STMT_GOTO_COMPUTED:
    case STMT_RETURN:
    case STMT_LABEL:
    case STMT_ASM:
    case STMT_BARRIER:
      return true;
    default:
      return false;
    }
}

static bool
may_not_return (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_STATEMENT || (e->kind == EXPR_CALL && !is_pure_call (e));
}

bool
is_straight (struct stmt *body)
{
  return !has_break (body) && !has_continue (body) && !any_stmt (body, is_leaving, NULL)
         && !any_in_stmt (body, may_not_return, NULL);
}

/* Whether the index of L, an element of an array, is known in all iterations when a strip begins. */
static bool
is_known_index (struct expr *l, struct loop *loop)
{
  struct affine f;

  return has_known_extent (array_of_element (l)) && find_affine (index_of (l), loop, &f)
         && f.is_early && f.wrap == WRAPS_NEVER && induction_factor (&f, loop) != UNKNOWN_FACTOR;
}

bool
has_known_indexes (struct expr *l, struct loop *loop)
{
  for (; l->kind == EXPR_INDEX && array_of_element (l); l = array_of_element (l))
    if (!is_known_index (l, loop))
      return false;
  return true;
}

void
mark_checked (struct expr *l)
{
  l->is_checked = true;
  while (l->kind == EXPR_INDEX && array_of_element (l) && array_of_element (l)->kind == EXPR_INDEX)
    {
      l = array_of_element (l);
      l->is_checked = true;
    }
}

static void
keep_certain (struct expr *l, struct reference *r, struct loop *loop)
{
  struct certain *c = NEW (struct certain);

  *c = (struct certain){ .l = l, .access = l, .reference = r, .next = loop->certain };
  loop->certain = c;
  mark_checked (l);
}

/* The reference that goes through whole blocks of all threads, if a strip has all iterations of LOOP. */
static struct reference *
reference_by_blocks (struct expr *l, struct loop *loop)
{
  const struct access_plan *p = l->plan;

  return p && p->address == ADDRESS_REFERENCE && p->loop == loop
                 && p->reference->stride_kind == BLOCK_STRIDE && !p->reference->tabled
                 && !loop->residues && !loop->crosses_blocks && !loop->lanes && !loop->is_windowed
                 && !is_forall (loop) && !switches.network
             ? p->reference
             : NULL;
}

/* The reference by a pointer that has constant strides in a strip; L is accessed as a whole. */
static struct reference *
strip_reference (struct expr *l, struct loop *loop)
{
  struct reference *r = strided_reference (l, loop);

  if (!r)
    r = reference_by_blocks (l, loop);
  return r && is_pointer (r) ? r : NULL;
}

/* `*p` or `p->`, which LVALUE is or is a part of, if that is the same place in all iterations; else
   NULL. */
static struct expr *
fixed_whole (struct expr *lvalue, struct loop *loop)
{
  struct expr *l = lvalue, *pointer;

  while (is_inside (l) && l->kind != EXPR_ARROW)
    {
      struct expr *array = l->kind == EXPR_INDEX ? array_of_element (l) : NULL;

      if (array && !has_known_extent (array))
        return NULL;
      l = strip_parens (l->kind == EXPR_INDEX ? pointer_of (l) : l->a);
      l = array ? array : l;
    }
  pointer = l->kind == EXPR_ARROW || l->kind == EXPR_DEREF ? strip_parens (l->a) : NULL;
  return pointer && pointer->kind == EXPR_NAME && type_is_pts (pointer->type)
                 && is_outer_name (pointer, loop) && is_loop_invariant (pointer, loop)
             ? l
             : NULL;
}

static void
keep_fixed (struct expr *lvalue, struct loop *loop)
{
  struct expr *whole = fixed_whole (lvalue, loop);

  if (!whole || whole->is_checked)
    return;
  keep_certain (whole, NULL, loop);
  loop->certain->fixed = lvalue;
}

static void
note_lvalue (struct expr *lvalue, struct expr *element, struct loop *loop)
{
  struct expr *name = name_pointed_by (lvalue, loop);
  struct reference *r = name ? strip_reference (name, loop) : NULL;

  if (r)
    {
      keep_certain (name, r, loop);
      loop->certain->access = lvalue;
      return;
    }
  if (name || is_inside (lvalue))
    keep_fixed (lvalue, loop);
  if (loop->form != LOOP_STRIPS)
    return;
  if (!element || element->kind != EXPR_INDEX || element->is_checked
      || !has_known_indexes (element, loop))
    return;
  if (root_of (element).object)
    {
      if (root_of (element).object->type->kind == TYPE_ARRAY
          && has_known_extent (root_of (element).object))
        keep_certain (element, NULL, loop);
      return;
    }
  r = element == lvalue ? strip_reference (element, loop) : NULL;
  if (r)
    keep_certain (element, r, loop);
}

static void
note_access (struct expr *e, void *data)
{
  struct loop *loop = data;
  bool is_write = (e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP)
                  && type_is_shared (e->a->type);

  if (e->kind != EXPR_LOAD && !is_write)
    return;
  if (is_checked_code (loop->stmt->first))
    note_lvalue (strip_parens (e->a), accessed_element (e), loop);
  if (loop->form == LOOP_STRIPS && !loop->has_order)
    note_raced (strip_parens (e->a), is_write, loop);
}

void
visit_certain_expr (struct expr *e, expr_visitor *visit, void *data)
{
  if (!e || !e->translate)
    return;
  visit (e, data);
  switch (e->kind)
    {
    case EXPR_SIZEOF:
    case EXPR_GENERIC:
    case EXPR_CHOOSE:
    case EXPR_LITERAL:
      return;
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
      visit_certain_expr (e->a, visit, data);
      return;
    default:
      visit_certain_expr (e->a, visit, data);
      visit_certain_expr (e->b, visit, data);
      for (uint32_t i = 0; e->kind == EXPR_CALL && i < e->list->count; i++)
        visit_certain_expr (e->list->item[i], visit, data);
    }
}

static void
visit_declared (struct declaration *d, expr_visitor *visit, void *data)
{
  for (struct decl *one = d->decls; one; one = one->next)
    if (one->init && !one->has_static_duration)
      visit_certain_expr (one->init->expr, visit, data);
}

void
visit_certain (struct stmt *s, expr_visitor *visit, void *data)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        visit_certain (item, visit, data);
      break;
    case STMT_EXPR:
    case STMT_IF:
      visit_certain_expr (s->expr, visit, data);
      break;
    case STMT_DECLARATION:
      visit_declared (s->declaration, visit, data);
      break;
    default:
      break;
    }
}

/* Whether it may be asked before LOOP whether there is a first iteration, and a check be put there. */
static bool
has_known_start (struct loop *loop)
{
  if (loop->form == LOOP_STRIPS)
    return loop->bound || loop->counter || is_forall (loop);
  return loop->form == LOOP_AS_WRITTEN && loop->stmt->kind == STMT_FOR && !loop->is_kept
         && find_header (loop);
}

void
find_certain (struct loop *loop)
{
  bool is_told = switches.race && loop->form == LOOP_STRIPS;

  if ((!is_told && !is_checked_code (loop->stmt->first)) || !is_straight (loop->stmt->then)
      || !has_known_start (loop))
    return;
  loop->has_order = has_order (loop->stmt->then);
  visit_certain (loop->stmt->then, note_access, loop);
}
