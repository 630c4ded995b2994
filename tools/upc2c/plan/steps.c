/* Counters that the body of a loop moves in each iteration become part of the loop's step, so that they are known to move
   (secondary.c):

       for (j = 0; j < n; j++) buffer[k++] = a[i][j];      for (j = 0; j < n; j++, k++) buffer[k] = a[i][j];
       while (i < n) b[k++] = a[i++];                      for (; i < n; k++, i++) b[k] = a[i];
       while (i < n) { b[k++] = a[i++]; b[k++] = 0; }      for (; i < n; k++, i++, k++) { b[k] = a[i]; b[k + 1] = 0; }

   Behind the first place where it moves, the iteration reads the counter only as an index of shared elements in the body, and
   nothing leaves it. */

#include "tools/upc2c/plan/internal.h"

/* A counter whose steps are taken. The program has moved it by CHANGE before the present item, and by LATER after it. */
struct moved
{
  const struct decl *decl;
  int64_t change, later;
  struct moved *next;
};

/* A search for counters in the body of LOOP. */
struct search
{
  struct stmt *loop;
  bool takes; /* else it only asks whether there is one that the condition is about */
  bool is_found;
  struct moved *moved;
};

static struct stmt *
first_item (struct stmt *body)
{
  return body->kind == STMT_BLOCK ? body->items : body;
}

static struct stmt *
next_item (struct stmt *item, struct stmt *body)
{
  return item == body ? NULL : item->next;
}

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

/* The integer that E moves by a constant; or NULL. */
static struct expr *
moved_name (struct expr *e)
{
  bool is_step = (e->kind == EXPR_STEP || e->kind == EXPR_COMPOUND) && constant_change (e) != 0;
  struct expr *name = is_step ? strip_parens (e->a) : NULL;

  return name && name->kind == EXPR_NAME && type_is_integer (name->type) ? name : NULL;
}

/* Where E, an element, has its index, if that is `k++` or `k--`; or NULL. */
static struct expr **
moving_index (struct expr *e)
{
  struct expr **slot = e->index_swapped ? &e->a : &e->b, *step;

  if (e->kind != EXPR_INDEX || !type_is_shared (e->type))
    return NULL;
  step = strip_parens (*slot);
  return step->kind == EXPR_STEP && !step->is_prefix && moved_name (step) ? slot : NULL;
}

/* A count of what concerns DECL. */
struct count
{
  const struct decl *decl;
  int count;
};

static void
count_moving_index (struct expr *e, void *data)
{
  struct count *c = data;
  struct expr **slot = moving_index (e);

  c->count += slot && moved_name (strip_parens (*slot))->decl == c->decl;
}

/* How often each execution of ITEM moves D, as far as that can be taken from it. */
static int
moves_in (struct stmt *item, const struct decl *d)
{
  struct count c = { .decl = d };
  struct expr *name = item->kind == STMT_EXPR && item->expr ? moved_name (strip_parens (item->expr))
                                                            : NULL;

  if (name)
    return name->decl == d;
  if (item->kind == STMT_EXPR || item->kind == STMT_DECLARATION)
    visit_certain (item, count_moving_index, &c);
  return c.count;
}

bool
visit_names (struct expr *e, expr_question *visit, void *data)
{
  bool is_replaced;

  switch (e->kind)
    {
    case EXPR_NAME:
      return visit (e, data);
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_CAST:
    case EXPR_CONVERT:
    case EXPR_BINARY:
      is_replaced = visit_names (e->a, visit, data);
      is_replaced = (e->b && visit_names (e->b, visit, data)) || is_replaced;
      e->translate = e->translate || is_replaced;
      return is_replaced;
    default:
      return false;
    }
}

static bool
count_name (struct expr *e, void *data)
{
  struct count *c = data;

  c->count += e->decl == c->decl;
  return false;
}

static bool
count_names_in_index (struct expr *e, void *data)
{
  if (e->kind == EXPR_INDEX && type_is_shared (e->type))
    visit_names (index_of (e), count_name, data);
  return false;
}

/* Whether ITEM names D only in indexes of shared elements. */
static bool
is_only_index (struct stmt *item, const struct decl *d)
{
  struct count c = { .decl = d };

  any_in_stmt (item, count_names_in_index, &c);
  return uses_in (item, d).names == c.count;
}

/* Whether D, which the loop's body moves, may as well move at the end of the iteration. */
static bool
may_move_later (struct decl *d, const struct search *search)
{
  struct stmt *body = search->loop->then;
  int moves = 0, more;

  if (!is_variable (d) || d->has_static_duration || d->has_address_taken
      || d->name_token >= body->first || quals_of (d->type) || type_size (d->type).value < 4
      || any_in_expr (search->loop->step, is_name_of, d))
    return false;
  for (struct stmt *s = first_item (body); s; s = next_item (s, body), moves += more)
    {
      more = moves_in (s, d);
      if (more > 0 ? uses_in (s, d).names != 1 : moves > 0 && !is_only_index (s, d))
        return false;
      if (moves > 0 && any_stmt (s, leaves_iteration, NULL))
        return false;
    }
  return moves == uses_in_iterations (search->loop, d).stores
         && any_in_stmt (search->loop, is_element_by, d);
}

static struct moved *
moved_before (const struct search *search, const struct decl *d)
{
  struct moved *m = search->moved;

  while (m && m->decl != d)
    m = m->next;
  return m;
}

/* Whether SEARCH takes the steps of D, or asks for them. What is true of the first one is true of all. */
static bool
is_taken (struct decl *d, struct search *search)
{
  if (moved_before (search, d))
    return true;
  if (!may_move_later (d, search))
    return false;
  search->is_found = search->is_found || any_in_expr (search->loop->expr, is_name_of, d);
  return search->takes;
}

/* Adds E to the step of LOOP. */
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

/* Makes NAME what the program has there: the sum of what it is before the step, and what it has moved by. */
static bool
add_moved (struct expr *name, void *search)
{
  const struct moved *m = moved_before (search, name->decl);
  struct expr *by;

  if (!m || m->change == 0)
    return false;
  by = new_expr (EXPR_INTEGER, name->first, new_type (TYPE_INT, NULL));
  by->is_constant = true;
  by->value = m->change < 0 ? -m->change : m->change;
  *name = (struct expr){ .kind = EXPR_BINARY,
                         .op = m->change < 0 ? '-' : '+',
                         .translate = true,
                         .first = name->first,
                         .last = name->last,
                         .token = NO_TOKEN,
                         .type = promoted (unqualified (name->type)),
                         .a = name_instead (name, name->decl),
                         .b = by };
  return true;
}

static bool
add_moved_in_index (struct expr *e, void *search)
{
  if (e->kind == EXPR_INDEX && type_is_shared (e->type))
    visit_names (index_of (e), add_moved, search);
  return false;
}

/* Notes that the items behind the present one are behind STEP, which is taken. */
static void
note_moved (struct search *search, struct expr *step)
{
  const struct decl *d = moved_name (step)->decl;
  struct moved *m = moved_before (search, d);

  if (!m)
    {
      m = NEW (struct moved);
      *m = (struct moved){ .decl = d, .next = search->moved };
      search->moved = m;
    }
  m->later = m->change + constant_change (step);
}

static void
take_from_index (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr **slot = moving_index (e), *step = slot ? strip_parens (*slot) : NULL;
  struct decl *d = step ? moved_name (step)->decl : NULL;

  if (!d || !is_taken (d, search))
    return;
  *slot = name_instead (*slot, d);
  add_step (search->loop, step);
  note_moved (search, step);
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
take_from_item (struct stmt *item, struct search *search)
{
  struct expr *e = item->kind == STMT_EXPR && item->expr ? strip_parens (item->expr) : NULL;
  struct expr *name = e ? moved_name (e) : NULL;

  if (name && is_taken (name->decl, search))
    {
      take_statement (item, search->loop);
      note_moved (search, e);
    }
  else if (item->kind == STMT_EXPR || item->kind == STMT_DECLARATION)
    visit_certain (item, take_from_index, search);
  if (search->moved)
    any_in_stmt (item, add_moved_in_index, search);
  for (struct moved *m = search->moved; m; m = m->next)
    m->change = m->later;
}

static void
take_from_body (struct search *search)
{
  struct stmt *body = search->loop->then;

  for (struct stmt *s = first_item (body); s; s = next_item (s, body))
    take_from_item (s, search);
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
