/* Counters that the body of a loop moves once in each iteration become part of the loop's step, so that they are known to
   move (secondary.c):

       for (j = 0; j < n; j++) buffer[k++] = a[i][j];      for (j = 0; j < n; j++, k++) buffer[k] = a[i][j];
       while (i < n) b[k++] = a[i++];                      for (; i < n; k++, i++) b[k] = a[i];

   Nothing in the body or the step reads the counter behind that place, and nothing leaves the iteration from there on. */

#include "tools/upc2c/plan/internal.h"

/* A search for counters in the body of LOOP. */
struct search
{
  struct stmt *loop, *item;
  bool takes; /* else it only asks whether there is one that the condition is about */
  bool is_found;
};

static bool
is_element_by (struct expr *e, void *decl)
{
  return e->kind == EXPR_INDEX && type_is_shared (e->type)
         && any_in_expr (index_of (e), is_name_of, decl);
}

static bool
leaves_iteration (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_BREAK || s->kind == STMT_CONTINUE || s->kind == STMT_GOTO
         || s->kind == STMT_GOTO_COMPUTED || s->kind == STMT_RETURN || s->kind == STMT_ASM
         || s->kind == STMT_LABEL;
}

/* Whether D, which ITEM of the loop's body moves, may as well move at the end of the iteration. */
static bool
may_move_later (struct decl *d, struct search *search)
{
  struct stmt *body = search->loop->then;

  if (!is_variable (d) || d->has_static_duration || d->has_address_taken
      || d->name_token >= body->first || quals_of (d->type) || type_size (d->type).value < 4
      || uses_in_iterations (search->loop, d).stores != 1 || uses_in (search->item, d).names != 1
      || any_in_expr (search->loop->step, is_name_of, d)
      || any_stmt (search->item, leaves_iteration, NULL))
    return false;
  for (struct stmt *s = search->item != body ? search->item->next : NULL; s; s = s->next)
    if (uses_in (s, d).names > 0 || any_stmt (s, leaves_iteration, NULL))
      return false;
  return any_in_stmt (search->loop, is_element_by, d);
}

/* Whether E is a step by a constant that SEARCH takes, or asks for. */
static bool
is_taken (struct expr *e, struct search *search)
{
  struct expr *name = e->kind == EXPR_STEP || e->kind == EXPR_COMPOUND ? strip_parens (e->a) : NULL;

  if (!name || name->kind != EXPR_NAME || !type_is_integer (name->type)
      || !may_move_later (name->decl, search)
      || (e->kind == EXPR_COMPOUND && !strip_parens (e->b)->is_constant))
    return false;
  search->is_found = search->is_found || any_in_expr (search->loop->expr, is_name_of, name->decl);
  return search->takes;
}

/* Adds E to the step. */
static void
add_step (struct stmt *loop, struct expr *e)
{
  struct expr *both;

  if (loop->step)
    {
      both = new_expr (EXPR_COMMA, loop->step->first, e->type);
      both->last = loop->step->last;
      both->token = NO_TOKEN;
      both->translate = true;
      both->a = loop->step;
      both->b = e;
      e = both;
    }
  loop->step = e;
  loop->then->translate = true;
}

static void
take_from_index (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr **slot = e->index_swapped ? &e->a : &e->b, *step;

  if (e->kind != EXPR_INDEX || !type_is_shared (e->type))
    return;
  step = strip_parens (*slot);
  if (step->kind != EXPR_STEP || step->is_prefix || !is_taken (step, search))
    return;
  *slot = name_instead (*slot, strip_parens (step->a)->decl);
  add_step (search->loop, step);
}

void
take_statement (struct stmt *s, struct stmt *loop)
{
  add_step (loop, s->expr);
  s->kind = STMT_EMPTY;
  s->expr = NULL;
  /* It is written without that. */
  s->is_step = s->translate = true;
}

static void
take_from_item (struct search *search)
{
  struct stmt *s = search->item;

  if (s->kind == STMT_EXPR && s->expr && is_taken (strip_parens (s->expr), search))
    take_statement (s, search->loop);
  else if (s->kind == STMT_EXPR || s->kind == STMT_DECLARATION)
    visit_certain (s, take_from_index, search);
}

static void
take_from_body (struct search *search)
{
  struct stmt *body = search->loop->then;

  search->item = body->kind == STMT_BLOCK ? body->items : body;
  for (; search->item; search->item = search->item != body ? search->item->next : NULL)
    take_from_item (search);
}

static bool
find_steps (struct stmt *s, void *nothing)
{
  struct search search = { .loop = s };

  (void) nothing;
  if ((s->kind != STMT_FOR && s->kind != STMT_WHILE) || s->is_do || has_continue (s->then)
      || has_entry (s->then, false) || has_pragmas (s)
      || any_in_stmt (s->then, is_statement_expr, NULL))
    return false;
  /* A while is planned as a for only if it counts. */
  if (s->kind == STMT_WHILE)
    {
      take_from_body (&search);
      if (!search.is_found)
        return false;
      s->kind = STMT_FOR;
      s->is_while = true;
    }
  search.takes = true;
  take_from_body (&search);
  return false;
}

void
find_steps_in_bodies (struct stmt *function)
{
  any_stmt (function, find_steps, NULL);
}
