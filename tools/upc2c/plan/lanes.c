/* Lanes: strip-mining and interchange of loops around others.

       for (j = 0; j < n; j++)
         {
           double sum = 0;
           for (k = 0; k < n; k++) sum += a[i][k] * b[k][j];
           c[i][j] = sum;
         }

   The inner loop goes down a column. If each statement is a loop over a number of iterations of j, the
   lanes, all loops go along rows, and have vectors:

       for (lanes of j) sum[lane] = 0;
       for (k = 0; k < n; k++) for (lanes of j) sum[lane] += a[i][k] * b[k][j];
       for (lanes of j) c[i][j] = sum[lane];

   These loops are planned as if the program had them. Each iteration does the same as before, in its
   order, so sums do not change. It stores only to its own data: a variable with a separate value in each
   lane, or an element of a[…][j], if everything else in the loop accesses that array only at the same j.
   As there are no more lanes than elements in a row, this also holds where a column leaves its row. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

enum
{
  MOST_STORES = 8,
  MOST_SCALARS = 4
};

struct search
{
  struct loop *loop;
  struct loop *inner; /* the innermost one around, or NULL */
  struct expr *stores[MOST_STORES];
  int store_count;
  struct lanes *lanes;
  bool gains; /* something goes down columns */
};

static bool is_lane (struct stmt *s, struct search *search);

static bool
has_name (struct expr *e, struct decl *decl)
{
  return any_in_expr (e, is_name_of, decl);
}

/* Where the induction variable of a loop is in the indexes of an element. */
enum use
{
  USE_NONE,
  USE_COLUMN, /* plus something fixed, in the last index alone */
  USE_ROW,    /* in others alone */
  USE_OTHER
};

static enum use
use_of (struct expr *l, struct loop *loop)
{
  bool is_in_rest = pointer_of (l)->kind == EXPR_DECAY
                    && has_name (strip_parens (pointer_of (l)->a), loop->induction);
  struct affine at;
  int64_t factor;

  if (!has_name (index_of (l), loop->induction))
    return is_in_rest ? USE_ROW : USE_NONE;
  if (is_in_rest || !find_affine (index_of (l), loop, &at) || at.wrap != WRAPS_NEVER)
    return USE_OTHER;
  factor = induction_factor (&at, loop);
  return factor == 1 ? USE_COLUMN : USE_OTHER;
}

/* The name that L, an element, starts from, if all between are indexes. */
static struct expr *
root_of_indexes (struct expr *l)
{
  while (l->kind == EXPR_INDEX && pointer_of (l)->kind == EXPR_DECAY)
    l = strip_parens (pointer_of (l)->a);
  if (l->kind == EXPR_INDEX)
    l = strip_parens (pointer_of (l));
  return l->kind == EXPR_NAME ? l : NULL;
}

/* No more lanes than a row that L is in has columns. */
static void
limit_lanes (struct expr *l, struct search *search)
{
  const struct type *row = pointer_of (l)->kind == EXPR_DECAY
                               ? strip_parens (pointer_of (l)->a)->type
                               : NULL;
  struct size count;

  if (!row || row->kind != TYPE_ARRAY || root_of_indexes (l) == strip_parens (pointer_of (l)->a))
    return;
  count = ultimate_count (row);
  if (!count.is_known || count.value < search->lanes->most)
    search->lanes->most = count.is_known ? count.value : 0;
}

/* An element that is accessed in each iteration or some: whether lanes may. What is in inner loops moves along
   with the lanes, or not at all. */
static bool
is_good_element (struct expr *l, struct search *search)
{
  struct expr *root = l->kind == EXPR_INDEX ? root_of_indexes (l) : NULL;
  enum use use = root ? use_of (l, search->loop) : USE_OTHER;

  if (!root || !is_plain_access (l))
    return false;
  if (!search->inner)
    return true;
  if (use == USE_COLUMN && use_of (l, search->inner) == USE_ROW)
    search->gains = true;
  return use == USE_NONE || use == USE_COLUMN;
}

static bool
is_good_scalar (const struct decl *d)
{
  return is_variable (d) && !d->has_static_duration && !d->has_address_taken && !d->is_thread_local
         && type_is_arithmetic (d->type) && type_size (d->type).value <= 8
         && !(quals_of (d->type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

/* Whether D, a variable that lanes store to, may have a value in each. */
static bool
add_scalar (struct decl *d, struct search *search)
{
  struct lanes *lanes = search->lanes;
  struct lane_scalar *s;

  if (is_lane_scalar (d, lanes))
    return true;
  if (!is_good_scalar (d) || d == search->loop->induction || lanes->scalar_count == MOST_SCALARS)
    return false;
  s = NEW (struct lane_scalar);
  *s = (struct lane_scalar){ .decl = d, .number = ++lanes->scalar_count, .next = lanes->scalars };
  lanes->scalars = s;
  return true;
}

/* Whether D is declared in S. */
static bool
is_declared_in (const struct decl *d, const struct stmt *s)
{
  return d->name_token != NO_TOKEN && d->name_token >= s->first && d->name_token <= s->last;
}

static bool
is_good_store (struct expr *target, struct stmt *statement, struct search *search)
{
  target = strip_parens (target);
  if (!type_is_shared (target->type))
    return target->kind == EXPR_NAME && target->decl
           && ((is_declared_in (target->decl, statement) && statement->kind != STMT_DECLARATION
                && is_good_scalar (target->decl))
               || add_scalar (target->decl, search));
  if (!is_good_element (target, search) || use_of (target, search->loop) != USE_COLUMN
      || search->store_count == MOST_STORES)
    return false;
  limit_lanes (target, search);
  search->stores[search->store_count++] = target;
  return true;
}

/* An element of a private array that is called by its name: nothing shared is stored to there. */
static bool
is_good_private_element (const struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of ((struct expr *) l)))
    if (l->type->kind != TYPE_ARRAY && !type_is_arithmetic (l->type))
      return false;
  return l->kind == EXPR_NAME && l->decl && l->decl->kind == DECL_VARIABLE
         && l->type->kind == TYPE_ARRAY && !type_is_shared (l->type);
}

struct asked
{
  struct search *search;
  struct stmt *statement;
};

/* Whether E itself is nothing that lanes may do. */
static bool
is_bad_expr (struct expr *e, void *data)
{
  struct asked *asked = data;

  switch (e->kind)
    {
    case EXPR_CAST:
      return !type_is_arithmetic (e->type) && e->type->kind != TYPE_VOID;
    case EXPR_SIZEOF:
      return !e->is_constant && !e->times_threads;
    case EXPR_NAME:
      return e->decl && is_variable (e->decl)
             && (quals_of (e->decl->type) & (QUAL_VOLATILE | QUAL_ATOMIC));
    case EXPR_CALL:
      return !is_math_call (e);
    case EXPR_LOAD:
      return !is_good_element (strip_parens (e->a), asked->search);
    case EXPR_INDEX:
      return !type_is_shared (e->type) && e->type->kind != TYPE_ARRAY
             && !is_good_private_element (e);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return !is_good_store (e->a, asked->statement, asked->search);
    default:
      return !is_operator (e);
    }
}

/* What S declares, later statements of a lane have, too. */
static bool
add_declared (struct stmt *s, struct search *search)
{
  struct decl *d = s->kind == STMT_DECLARATION ? s->declaration->decls : NULL;

  while (d && add_scalar (d, search))
    d = d->next;
  return !d;
}

/* Whether S itself is none of what lanes may do: what it declares, each of them has for itself. */
static bool
is_bad_stmt (struct stmt *s, void *nothing)
{
  struct declaration *d = s->kind == STMT_DECLARATION ? s->declaration : NULL;

  (void) nothing;
  switch (s->kind)
    {
    case STMT_BLOCK:
    case STMT_EXPR:
    case STMT_EMPTY:
    case STMT_IF:
      return false;
    case STMT_DECLARATION:
      for (struct decl *v = d->kind == DECLARATION_OBJECTS ? d->decls : NULL; v; v = v->next)
        if (!is_good_scalar (v) || (v->init && !v->init->expr))
          return true;
      return d->kind != DECLARATION_OBJECTS;
    default:
      return true;
    }
}

/* A statement without loops, which gets one over the lanes. */
static bool
is_good_statement (struct stmt *s, struct search *search)
{
  return !any_stmt (s, is_bad_stmt, NULL) && add_declared (s, search)
         && !any_in_stmt (s, is_bad_expr, &(struct asked){ search, s });
}

static bool
is_load_or_call (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_LOAD || e->kind == EXPR_CALL || e->kind == EXPR_INDEX
         || e->kind == EXPR_DEREF || e->kind == EXPR_ARROW || e->kind == EXPR_DOT
         || e->kind == EXPR_STATEMENT;
}

/* Whether E, of the header of a loop inside, is the same in all lanes. */
static bool
is_good_in_header (struct expr *e, struct search *search)
{
  return e && !any_in_expr (e, is_load_or_call, NULL) && !has_name (e, search->loop->induction);
}

/* Whether the header of the loop S does nothing but count: lanes do it once. */
static bool
counts_alone (struct stmt *s)
{
  return strip_parens (s->step)->kind != EXPR_COMMA
         && !(s->declaration && s->declaration->decls->next);
}

/* Whether all lanes do the same iterations of the loop S. */
static bool
is_good_loop (struct stmt *s, struct search *search)
{
  struct loop *inner = NEW (struct loop), *around = search->inner;
  bool is_good;

  *inner = (struct loop){ .stmt = s, .is_consecutive = true };
  if (!find_header (inner) || is_by_pointer (inner) || inner->step || may_wrap (inner)
      || !counts_alone (s) || !is_good_in_header (first_value (inner), search)
      || !is_good_in_header (inner->bound, search))
    return false;
  search->inner = inner;
  is_good = is_lane (s->then, search);
  search->inner = around;
  return is_good;
}

static bool
is_over_lanes (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->lanes;
}

static bool
is_lane (struct stmt *s, struct search *search)
{
  if (!any_stmt (s, is_loop, NULL))
    return is_good_statement (s, search);
  if (s->kind == STMT_FOR)
    return is_good_loop (s, search);
  if (s->kind != STMT_BLOCK)
    return false;
  for (struct stmt *item = s->items; item; item = item->next)
    if (!is_lane (item, search))
      return false;
  return true;
}

static bool
is_lane_scalar_name (struct expr *e, void *lanes)
{
  return e->kind == EXPR_NAME && e->decl && is_lane_scalar (e->decl, lanes);
}

/* Whether S is a loop whose header has a variable that lanes store to. */
static bool
has_scalar_in_header (struct stmt *s, void *lanes)
{
  struct stmt header = *s;

  if (s->kind != STMT_FOR)
    return false;
  header.then = NULL;
  return any_in_stmt (&header, is_lane_scalar_name, lanes);
}

/* Whether S, outside of loops that D counts, has D. */
static bool
names_outside (struct stmt *s, struct decl *d)
{
  struct loop loop = { .stmt = s };
  struct stmt header = *s;

  if (!any_stmt (s, is_loop, NULL))
    return any_in_stmt (s, is_name_of, d);
  if (s->kind == STMT_FOR)
    {
      header.then = NULL;
      return !(find_header (&loop) && loop.induction == d)
             && (any_in_stmt (&header, is_name_of, d) || names_outside (s->then, d));
    }
  for (struct stmt *item = s->items; item; item = item->next)
    if (names_outside (item, d))
      return true;
  return false;
}

/* Whether the loop S counts a variable that other statements of BODY have, too: before S that is as the lane before has
   left it. */
static bool
leaves_variable (struct stmt *s, void *body)
{
  struct loop loop = { .stmt = s };

  return s->kind == STMT_FOR && !s->declaration && find_header (&loop)
         && names_outside (body, loop.induction);
}

/* Whether each iteration gives D a value before it uses that: D is declared in the body, or the first statement of it
   that has D assigns. */
static bool
is_set_first (struct decl *d, struct stmt *body)
{
  struct stmt *s = body->kind == STMT_BLOCK ? body->items : body;

  if (is_declared_in (d, body))
    return true;
  while (s && !any_in_stmt (s, is_name_of, d))
    s = body->kind == STMT_BLOCK ? s->next : NULL;
  return s && sets_scalar (s, d);
}

/* Leaves it to the run time whether A and B, of which one at least is a pointer, lead to the same elements. */
static void
note_meeting (struct expr *a, struct expr *b, struct lanes *lanes)
{
  struct lane_meeting *m = lanes->meetings;

  while (m && !(m->a->decl == a->decl && m->b->decl == b->decl)
         && !(m->a->decl == b->decl && m->b->decl == a->decl))
    m = m->next;
  if (m)
    return;
  m = NEW (struct lane_meeting);
  *m = (struct lane_meeting){ a, b, lanes->meetings };
  lanes->meetings = m;
}

/* Whether the element that E accesses may be one that another lane stores to. */
static bool
meets_store (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l, *root;

  if (e->kind != EXPR_LOAD && !is_store (e))
    return false;
  l = strip_parens (e->a);
  root = type_is_shared (l->type) ? root_of_indexes (l) : NULL;
  for (int i = 0; root && i < search->store_count; i++)
    {
      struct expr *stored = search->stores[i], *other = root_of_indexes (stored);
      struct affine at, at_stored;
      int64_t apart;

      if (are_apart (root->decl, other->decl))
        continue;
      if (root->decl != other->decl && (type_is_pts (root->type) || type_is_pts (other->type)))
        note_meeting (root, other, search->lanes);
      else if (root->decl->name != other->decl->name)
        continue;
      else if (root->decl != other->decl || l->type->kind != stored->type->kind
               || !find_affine (index_of (l), search->loop, &at)
               || !find_affine (index_of (stored), search->loop, &at_stored)
               || !find_apart (&at, &at_stored, &apart) || apart != 0)
        return true;
    }
  return false;
}

/* Whether LOOP goes upwards, one by one, to a bound on the right. */
static bool
has_plain_header (struct loop *loop)
{
  struct expr *e = loop->stmt->expr ? strip_parens (loop->stmt->expr) : NULL;

  return loop->stmt->kind == STMT_FOR && find_header (loop) && !is_by_pointer (loop)
         && moves_by_one (loop) && !may_wrap (loop)
         && (loop->relation == '<' || loop->relation == TOKEN_LESS_EQUAL)
         && is_induction (e->a, loop) && strip_parens (loop->stmt->step)->kind != EXPR_COMMA;
}

static bool
may_have_lanes (struct search *search)
{
  struct loop *loop = search->loop;
  struct stmt *body = loop->stmt->then;

  if (!any_stmt (body, is_loop, NULL) || any_stmt (body, is_over_lanes, NULL)
      || has_watched_access (loop->stmt) || !is_lane (body, search) || !search->gains
      || search->lanes->most < LEAST_LANES || any_in_stmt (body, meets_store, search)
      || any_stmt (body, has_scalar_in_header, search->lanes)
      || any_stmt (body, leaves_variable, body))
    return false;
  for (struct lane_scalar *s = search->lanes->scalars; s; s = s->next)
    {
      s->is_outer = !is_declared_in (s->decl, body);
      if (!is_set_first (s->decl, body))
        return false;
    }
  return search->store_count > 0;
}

void
try_lanes (struct loop *loop)
{
  struct loop *plain = NEW (struct loop), *found = NEW (struct loop);
  struct search search = { .loop = found };

  *plain = *loop;
  *found = (struct loop){ .stmt = loop->stmt,
                          .number = loop->number,
                          .outer = loop->outer,
                          .form = LOOP_STRIPS,
                          .is_consecutive = true };
  found->lanes = search.lanes = NEW (struct lanes);
  *search.lanes = (struct lanes){ .loop = loop, .most = MOST_LANES };
  if (loop->in_order || loop->stmt->lanes || switches.network || switches.race
      || !has_plain_header (found) || !may_have_lanes (&search))
    return;
  *loop = *found;
  loop->in_order = plain;
  search.lanes->body = body_over_lanes (loop);
}
