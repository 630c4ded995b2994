/* Values that one iteration stores and the next one loads:

       for (i = 1; i < n; i++) a[i] = a[i - 1] * r + b[i];
       for (k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];

   The addresses of a[i] and a[i - 1] are two variables of the strip. No C compiler sees that one has the
   value that the other had, nor that a[i][k] is not c[i][j]. So a variable carries the value from
   iteration to iteration, and the element is loaded once. It is still stored in each iteration, unless it
   is the same element in all of them and nothing else in the loop can see it; then it is stored after the
   loop. A body may carry several values, of arrays that are known not to overlap. */

#include "tools/upc2c/plan/internal.h"

struct search
{
  struct loop *loop;
  struct expr *store;
  struct carried *carried; /* of STORE; or NULL */
  bool has_previous;
  bool (*is_carried) (struct expr *l, struct search *search);
};

/* What ITEM, a statement of the body itself, which each iteration does, stores to shared data by; or NULL. */
static struct expr *
store_of (struct stmt *item)
{
  struct expr *e = item->kind == STMT_EXPR && item->expr ? strip_parens (item->expr) : NULL;

  return e && (e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND)
                 && type_is_shared (strip_parens (e->a)->type)
             ? e
             : NULL;
}

/* Whether L is in an array that the store is not to, by their names. */
static bool
is_elsewhere (struct expr *l, const struct search *search)
{
  struct expr *stored = root_of_name (strip_parens (search->store->a));
  struct expr *root = type_is_shared (strip_parens (l)->type) ? root_of_name (element_of (l))
                                                              : NULL;

  return !may_overlap (root, stored);
}

/* Whether E stores what may be of that array: by a private pointer that is a cast one, even. */
static bool
may_store (struct expr *e, void *data)
{
  struct search *search = data;

  return is_store (e) && e != search->store && !is_private_name (e->a)
         && !is_elsewhere (e->a, search);
}

/* Whether L, an element, is where the iteration before has stored. */
static bool
is_previous (struct expr *l, struct search *search)
{
  struct loop *loop = search->loop;
  struct expr *stored = strip_parens (search->store->a);
  struct reference *from = reference_to (loop, l), *to = reference_to (loop, stored);
  int64_t apart, factor;

  if (!from || !to || from->stride_kind == RECOMPUTE || from->at.wrap != WRAPS_NEVER
      || to->at.wrap != WRAPS_NEVER || !types_match_unqualified (l->type, stored->type)
      || !find_elements_apart (l, stored, loop, &apart))
    return false;
  factor = element_factor (to->root, &to->at, loop);
  return factor != UNKNOWN_FACTOR && apart == change_of_induction (loop) * factor;
}

/* The element that E loads; or NULL. */
static struct expr *
loaded_element (struct expr *e)
{
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;

  return l && l->kind == EXPR_INDEX && l->plan && is_plain_access (l) ? l : NULL;
}

/* Whether L is the element that is stored to, and always the same. */
static bool
is_same (struct expr *l, struct search *search)
{
  struct expr *stored = strip_parens (search->store->a);
  int64_t apart;

  return is_fixed_element (l, search->loop) && types_match_unqualified (l->type, stored->type)
         && find_elements_apart (l, stored, search->loop, &apart) && apart == 0;
}

static void
keep_carried (struct expr *to, struct search *search)
{
  struct carried *c = NEW (struct carried), *others = search->loop->carried;

  *c = (struct carried){
    .loop = search->loop, .to = to, .number = others ? others->number + 1 : 1, .next = others
  };
  search->loop->carried = search->carried = c;
}

static void
note_load (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = loaded_element (e);

  if (l && !search->carried && search->is_carried (l, search)
      && (!is_checked_code (l->first) || l->is_checked))
    keep_carried (l, search);
}

static bool
carry (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = loaded_element (e);

  if (l && search->is_carried (l, search))
    l->plan->carried = search->carried;
  return false;
}

static bool
may_carry (struct search *search)
{
  struct loop *loop = search->loop;
  struct stmt *body = loop->stmt->then;
  struct expr *stored = strip_parens (search->store->a);

  return loop->form == LOOP_STRIPS && !is_forall (loop) && !loop->is_independent && !loop->step
         && loop->bound && !switches.race && !switches.network && stored->kind == EXPR_INDEX
         && stored->plan && is_plain_access (stored) && is_straight (body) && !has_order (body)
         && !has_watched_access (body) && !any_stmt (body, is_loop, NULL)
         && !any_in_stmt (body, may_store, search);
}

/* Whether E may load what is stored. */
static bool
may_see (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;

  if (l)
    return !is_elsewhere (l, search)
           && !(l->kind == EXPR_INDEX && l->plan && l->plan->carried == search->carried);
  return (e->kind == EXPR_CALL && !is_math_call (e))
         || may_be_element (e, strip_parens (search->store->a)->type);
}

/* Of an element that is always the same the loads behind the store are of the new value. */
static void
find_fixed (struct search *search)
{
  struct expr *store = search->store, *stored = strip_parens (store->a);

  search->is_carried = is_same;
  if (store->kind == EXPR_COMPOUND && (!is_checked_code (stored->first) || stored->is_checked))
    keep_carried (stored, search);
  else
    visit_certain_expr (store->b, note_load, search);
  if (!search->carried)
    return;
  if (store->kind != EXPR_COMPOUND)
    any_in_expr (store->b, carry, search);
  if (!any_in_stmt (search->loop->stmt->then, may_see, search))
    search->carried->late = store;
}

static void
find_moving (struct search *search)
{
  struct stmt *body = search->loop->stmt->then;

  search->is_carried = is_previous;
  visit_certain (body, note_load, search);
  if (search->carried)
    any_in_stmt (body, carry, search);
}

static void
find_carried_by (struct expr *store, struct loop *loop)
{
  struct search search = { .loop = loop, .store = store };
  struct expr *stored = strip_parens (store->a);

  if (!may_carry (&search))
    return;
  if (is_fixed_element (stored, loop))
    find_fixed (&search);
  else
    find_moving (&search);
  if (search.carried)
    stored->plan->carried = search.carried;
}

void
find_carried (struct loop *loop)
{
  struct stmt *body = loop->stmt->then;

  for (struct stmt *item = body->kind == STMT_BLOCK ? body->items : body; item; item = item->next)
    if (store_of (item))
      find_carried_by (store_of (item), loop);
}

static void
note_previous (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;

  search->has_previous = search->has_previous
                         || (l && l->kind == EXPR_INDEX && is_previous (l, search));
}

bool
waits_for_previous (struct loop *loop)
{
  struct stmt *body = loop->stmt->then;
  struct search search = { .loop = loop };

  if (!is_straight (body))
    return false;
  for (struct stmt *item = body->kind == STMT_BLOCK ? body->items : body; item; item = item->next)
    {
      search.store = store_of (item);
      if (search.store && element_of (search.store->a)->kind == EXPR_INDEX)
        visit_certain (body, note_previous, &search);
    }
  return search.has_previous;
}
