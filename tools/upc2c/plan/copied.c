/* Arrays whose elements a loop reads in an irregular order, and of which it makes a private copy:

       for (k = first[i]; k < first[i + 1]; k++) sum += value[k] * x[column[k]];

   The address of x[n] takes several multiplications. A loop that is going to read more elements than the
   array has makes a private copy of the array, and reads that. It counts its reads by the iterations of
   the inner loop that does them. The inner loop is written twice: with the copy and without
   (include/upct/copied.h).

   The copy belongs to the outermost loop in which nothing can change the array or synchronise with other
   threads, but not to a while loop, which may wait for others. A relaxed read may have the value of any
   moment in between (UPC 1.3, B.3.1). If the loop stores through pointers, the program tests whether these
   lead into the array before it makes the copy. */

#include "tools/upc2c/plan/internal.h"

struct search
{
  struct loop *loop;
  struct expr *l;    /* an element of the array, … */
  struct expr *root; /* … which starts here: its name, or a pointer */
  struct stored *stores;
  int store_count;
};

enum
{
  MOST_STORES = 8
};

static bool
is_static (const struct expr *root)
{
  return type_is_shared (root->type);
}

/* Whether E, a symbol of affine forms, has no negative values in LOOP. */
static bool
is_never_negative (struct expr *e, struct loop *loop)
{
  struct expr *first = is_induction (e, loop) ? first_value (whole_loop (loop)) : NULL;

  return e->kind == EXPR_THREADS || type_is_unsigned (e->type)
         || (first && first->is_constant && first->value >= 0 && !loop->is_down);
}

/* Whether L, an element that LOOP stores to, is never before where its pointer points. */
static bool
goes_forward (struct expr *l, struct loop *loop)
{
  struct affine at;

  if (l->kind != EXPR_INDEX || !find_index (l, NULL, loop, &at) || at.wrap != WRAPS_NEVER
      || at.is_partial || at.constant < 0)
    return false;
  for (int i = 0; i < at.count; i++)
    if (at.term[i].factor < 0 || !is_never_negative (at.term[i].symbol, loop))
      return false;
  return true;
}

/* Leaves it to the run time whether the array has what ROOT leads to; L is stored to. */
static bool
note_stored (struct search *search, struct expr *root, struct expr *l)
{
  struct stored *s;

  for (s = search->stores; s; s = s->next)
    if (s->root->decl == root->decl)
      {
        s->is_forward = s->is_forward && goes_forward (l, search->loop);
        return true;
      }
  if (search->store_count == MOST_STORES || !is_good_root (root, search->loop))
    return false;
  s = NEW (struct stored);
  *s = (struct stored){ root, goes_forward (l, search->loop), search->stores };
  search->stores = s;
  search->store_count++;
  return true;
}

/* Whether E may store to the array. */
static bool
may_change (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *target, *l, *root;

  if (!is_store (e))
    return false;
  target = strip_parens (e->a);
  if (!type_is_shared (target->type))
    return !is_private_name (target) && may_alias (target->type, search->l->type);
  if (!may_alias (target->type, search->l->type))
    return false;
  l = accessed_element (e);
  root = l && l->kind == EXPR_INDEX ? root_name (l) : NULL;
  if (target->kind == EXPR_NAME)
    root = l = target;
  if (!root)
    return true;
  /* Pointers lead to blocks of the heap, or the array is not copied. */
  if (is_static (root))
    return is_static (search->root) && root->decl->name == search->root->decl->name;
  return !note_stored (search, root, l);
}

static bool
is_asm_or_barrier (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_ASM || s->kind == STMT_BARRIER;
}

/* Whether the array keeps its elements in all of the loop, as far as can be told. */
static bool
may_copy (struct search *search)
{
  struct loop *loop = search->loop;
  struct stmt *s = loop->stmt;

  search->stores = NULL;
  search->store_count = 0;
  return !loop->is_kept && is_good_root (search->root, loop) && !has_order (s->then)
         && !may_order (s->expr) && !may_order (s->step) && !may_order (s->affinity)
         && !any_stmt (s->then, is_asm_or_barrier, NULL) && !has_watched_access (s)
         && !has_watched_header (s) && !any_in_stmt (s->then, may_change, search)
         && !any_in_expr (s->step, may_change, search)
         && !any_in_expr (s->expr, may_change, search);
}

/* Whether it is known from L where the array starts and, of one with a name, where it ends. */
static bool
is_whole (struct search *search)
{
  struct expr *root = search->root;
  struct size count;

  if (!root || root->kind != EXPR_NAME || !is_static (root))
    return root && root->kind == EXPR_NAME;
  count = ultimate_count (root->type);
  return has_known_extent (root) && count.is_known && (count.times_threads || switches.threads > 0);
}

static struct copied *
keep_copied (struct search *search)
{
  struct copied *c;

  for (c = search->loop->copied; c; c = c->next)
    if (c->root->decl == search->root->decl)
      return c;
  c = NEW (struct copied);
  *c = (struct copied){ .root = search->root,
                        .l = search->l,
                        .loop = search->loop,
                        .number = ++search->loop->copied_count,
                        .stores = search->stores,
                        .next = search->loop->copied };
  search->loop->copied = c;
  return c;
}

static bool
is_relaxed_element (const struct expr *l)
{
  return l->kind == EXPR_INDEX && block_of (l->type) > 0 && !l->is_strict && !l->is_awaited
         && !(quals_of (l->type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

static void
note_read (struct loop *loop, struct copied *c)
{
  struct copied_read *r = loop->reads;

  while (r && r->copied != c)
    r = r->next;
  if (r)
    return;
  r = NEW (struct copied_read);
  *r = (struct copied_read){ c, loop->reads };
  loop->reads = r;
}

struct copied *
find_copied (struct expr *l, struct loop *around)
{
  struct search search = { .l = l, .root = root_name (l) }, widest = search;
  struct copied *c;

  if (!around || !may_have_two_forms (around) || !is_relaxed_element (l) || switches.race
      || switches.network || !is_whole (&search))
    return NULL;
  for (search.loop = around;
       search.loop && search.loop->stmt->kind != STMT_WHILE && may_copy (&search);
       search.loop = search.loop->around)
    if (is_counted (search.loop) || is_forall (search.loop))
      widest = search;
  if (!widest.loop)
    return NULL;
  c = keep_copied (&widest);
  note_read (around, c);
  return c;
}

/* Whether E accesses an element in small blocks of which LOOP has no copy. */
static bool
needs_another (struct expr *e, void *loop)
{
  struct expr *l = e->kind == EXPR_LOAD || is_store (e) ? strip_parens (e->a) : NULL;

  return l && type_is_shared (l->type) && is_in_small_blocks (l) && !find_copied (l, loop);
}

void
try_copies (struct loop *loop)
{
  struct loop *plain = NEW (struct loop), *found = NEW (struct loop);

  *plain = *loop;
  *found = (struct loop){ .stmt = loop->stmt,
                          .number = loop->number,
                          .outer = loop->outer,
                          .around = loop->around,
                          .is_consecutive = true,
                          .is_by_copies = true };
  if (!loop->stmt->lanes || switches.threads == 1 || !find_header (found)
      || any_in_stmt (loop->stmt->then, needs_another, found) || !found->reads)
    return;
  find_references (found);
  if (found->references)
    found->form = LOOP_STRIPS;
  find_independence (found);
  *loop = *found;
  loop->in_order = plain;
}
