/* Elements that are most often in the block of the last access:

       while (i < n && j < m) c[k++] = a[i] <= b[j] ? a[i++] : b[j++];

   No header counts i, so that no strip can be planned. But i moves by one, or stays. So the loop keeps the block that it
   last used of a by i, and looks for another one only where an element is not in it (include/upct/recent.h). That takes
   three instructions; to find each element in a table of blocks takes nine, of which two loads wait for each other.

   So are loops planned that search on from there, as those of a partition, `while (a[i] < pivot) i++;`: a strip takes longer to
   begin than most of them have iterations.

   Such a variable may also be given the value of another one, `if (a[i] > a[most]) most = i`. One that is computed by
   anything else, or loaded, goes here and there. In the loops around the access it may begin anew, at a quotient or multiple,
   too: `j = n / 2`. */

#include "tools/upc2c/plan/internal.h"

enum
{
  LEAST_BLOCK = 32, /* a wrong guess at the end of each block costs as much as some ten elements */
  MOST_MOVED = 4
};

static bool
is_local_integer (const struct decl *d)
{
  return d && is_variable (d) && type_is_integer (d->type) && !type_is_shared (d->type)
         && !(quals_of (d->type) & QUAL_VOLATILE) && !d->has_static_duration
         && !d->has_address_taken;
}

/* Whether E is a sum or difference of numbers and local variables; or, where a variable begins anew, of their quotients and
   multiples. */
static bool
is_of_locals (struct expr *e, bool is_start)
{
  e = strip_conversions (e);
  if (e->is_constant)
    return true;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '-' || (is_start && e->op == '*')))
    return is_of_locals (e->a, is_start) && is_of_locals (e->b, is_start);
  if (e->kind == EXPR_BINARY && is_start && (e->op == '/' || e->op == TOKEN_SHIFT_RIGHT))
    return is_of_locals (e->a, is_start) && strip_conversions (e->b)->is_constant;
  return e->kind == EXPR_NAME && is_local_integer (e->decl);
}

/* Whether a move by BY, or by one, which is NULL, is short. */
static bool
is_short_move (struct expr *by)
{
  return !by
         || (strip_parens (by)->is_constant && strip_parens (by)->value <= MOST_MOVED
             && strip_parens (by)->value >= -MOST_MOVED);
}

/* Whether E gives the variable DECL a value that may be anywhere. */
static bool
is_sent (struct expr *e, struct decl *decl, bool is_start)
{
  struct expr *by;
  bool is_down;

  if (!is_store (e) || !is_name_of (strip_parens (e->a), decl))
    return false;
  if (find_move (e, &by, &is_down))
    return !is_short_move (by) && !(is_start && is_of_locals (by, true));
  return e->kind != EXPR_ASSIGN || !is_of_locals (e->b, is_start);
}

static bool
sends_away (struct expr *e, void *decl)
{
  return is_sent (e, decl, false);
}

/* The same where DECL may begin anew. */
static bool
starts_away (struct expr *e, void *decl)
{
  return is_sent (e, decl, true);
}

static bool
any_in_loop (struct loop *loop, expr_question *ask, struct decl *d)
{
  struct stmt *s = loop->stmt;

  return any_in_stmt (s->then, ask, d) || any_in_expr (s->expr, ask, d)
         || any_in_expr (s->step, ask, d);
}

/* Whether D, in the loop AROUND, moves by small steps or follows other variables, and only begins anew in those around that. */
static bool
goes_along (struct decl *d, struct expr *name, struct loop *around)
{
  struct loop *outermost = outermost_loop (around);

  return is_local_integer (d)
         && (is_outer_name (name, outermost) || !d->init
             || (d->init->expr && is_of_locals (d->init->expr, is_outer_name (name, around))))
         && !any_in_loop (around, sends_away, d) && !any_in_loop (outermost, starts_away, d);
}

/* Whether index E goes along in LOOP; *WALKER is the first variable of it that is not the same all the time. */
static bool
find_walker (struct expr *e, struct loop *loop, struct decl **walker)
{
  e = strip_conversions (e);
  if (e->is_constant)
    return true;
  if (e->kind == EXPR_BINARY && (e->op == '+' || e->op == '-'))
    return find_walker (e->a, loop, walker) && find_walker (e->b, loop, walker);
  if (e->kind == EXPR_STEP)
    e = strip_parens (e->a);
  if (e->kind != EXPR_NAME || !e->decl || !goes_along (e->decl, e, loop))
    return false;
  loop = outermost_loop (loop);
  if (!*walker && !(is_outer_name (e, loop) && is_loop_invariant (e, loop)))
    *walker = e->decl;
  return true;
}

/* The array, or the pointer that stays the same in LOOP, of which L is an element and no row; or NULL. */
static struct expr *
fixed_root (struct expr *l, struct loop *loop)
{
  struct expr *p = pointer_of (l), *root = root_name (l);

  if (!root || (p->kind == EXPR_DECAY && strip_parens (p->a)->kind != EXPR_NAME))
    return NULL;
  return type_is_shared (root->type)
                 || (is_outer_name (root, loop) && is_loop_invariant (root, loop))
             ? root
             : NULL;
}

/* The list has those of no other type, as a root has one. */
static struct recent *
recent_in (struct loop *loop, const struct decl *root, const struct decl *walker)
{
  struct recent *r = loop->recents;

  while (r && !(r->root == root && r->walker == walker))
    r = r->next;
  return r;
}

static struct recent *
add_recent (struct loop *loop, struct decl *root, struct decl *walker)
{
  struct recent *r = NEW (struct recent), *others = loop->recents;

  *r = (struct recent){ loop, root, walker, others ? others->number + 1 : 1, others };
  loop->recents = r;
  return r;
}

struct recent *
find_recent (struct expr *l, struct loop *around)
{
  struct decl *walker = NULL;
  struct expr *root;
  struct loop *loop;
  struct recent *r;

  if (!around || around->is_kept || l->kind != EXPR_INDEX || block_of (l->type) < LEAST_BLOCK
      || switches.network || switches.threads == 1)
    return NULL;
  loop = outermost_loop (around);
  root = fixed_root (l, loop);
  if (!root || !find_walker (index_of (l), around, &walker) || !walker)
    return NULL;
  r = recent_in (loop, root->decl, walker);
  return r ? r : add_recent (loop, root->decl, walker);
}

/* Whether E gives the variable DECL a value, and does not only move it. */
static bool
gives_value (struct expr *e, void *decl)
{
  struct expr *by;
  bool is_down;

  return is_store (e) && is_name_of (strip_parens (e->a), decl) && !find_move (e, &by, &is_down);
}

/* Whether E accesses an element that is not found in a recent block of the loop AROUND. */
static bool
needs_strip (struct expr *e, void *around)
{
  struct expr *l = accessed_element (e);

  return l && type_is_shared (l->type) && !find_recent (l, around);
}

bool
is_resumed (const struct loop *loop, struct loop *around)
{
  struct stmt *s = loop->stmt;
  struct loop header = { .stmt = s, .is_consecutive = true };
  struct expr *part;

  if (!around || s->declaration || s->init_expr || !find_induction (&header)
      || find_bound (&header))
    return false;
  part = strip_parens (s->step);
  return is_outer_name (strip_parens (part->a), around)
         && !any_in_stmt (around->stmt->then, gives_value, header.induction)
         && !any_in_stmt (s->then, needs_strip, around)
         && !any_in_expr (s->expr, needs_strip, around);
}
