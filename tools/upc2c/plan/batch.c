/* Scattered elements, and elements down columns or across other blocks, that loops read in programs of
   several processes:

       upc_forall (i = 0; i < n; i++; &y[i])
         for (k = first[i]; k < first[i + 1]; k++) y[i] += a[k] * x[col[k]];

   If some are far, the loop runs in batches of its iterations. It first finds out which elements a batch
   reads, as many as there is room for. Then it fetches the far ones, with a message or a few to each
   process, and runs these iterations (write/batch.c, include/upct/batch.h). So the code that determines
   the elements is evaluated in advance: the loops, conditions and indexes of the body, and the variables
   that these need. This code reads nothing that the loop may store to. Everything that is fetched is also
   read by the iteration itself.

   The loop must not store to an element that is fetched: not through a private pointer, not as the
   thread's own element, and not through another array or pointer that may lead to it. Nothing in the loop
   synchronises with other threads, so its relaxed reads may happen at any time (UPC 1.3, B.3.1).

   Indexes may be read from far memory, too. So reads have levels: those of level 1 do not depend on
   another read, and each level is fetched before the next one is examined. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_BATCHED = 8,
  MOST_BATCHED_BYTES = 256,
  MOST_IN_SHORT_ROW = 256 /* elements */
};

struct search
{
  struct stmt *stmt; /* the loop */
  struct loop *loop;
  struct batch *batch;
  struct sliced *around; /* what the loops and conditions around what is looked at evaluate */
  struct stmt *inner;    /* the innermost loop inside stmt around that, or NULL */
};

static bool is_sliceable (struct expr *e, struct search *search);

/* What gives D its value, in a loop around what is looked at; or NULL. */
static const struct sliced *
source_of (const struct decl *d, const struct search *search)
{
  const struct sliced *s = search->around;

  while (s && s->decl != d)
    s = s->around;
  return s;
}

/* Whether D, which the loop declares, has one value from there on, which may be evaluated twice. */
static bool
is_fixed_variable (struct decl *d, struct search *search)
{
  return d->init && d->init->expr && type_is_scalar (d->type) && !d->has_static_duration
         && !d->has_address_taken && !d->parts && is_sliceable (d->init->expr, search);
}

static bool
is_sliceable_name (struct expr *e, struct search *search)
{
  struct decl *d = e->decl;

  if (e->is_constant || !is_variable (d) || type_is_shared (d->type) || d->type->kind == TYPE_ARRAY)
    return !(quals_of (e->type) & QUAL_VOLATILE);
  if (d == search->loop->induction || source_of (d, search))
    return true;
  if ((quals_of (d->type) & (QUAL_VOLATILE | QUAL_ATOMIC)) || !is_unchanged (d, search->stmt))
    return false;
  return is_outer_name (e, search->loop) || is_fixed_variable (d, search);
}

static bool
is_within (token_index at, const struct stmt *stmt)
{
  return at >= stmt->first && at <= stmt->last;
}

/* Whether what the type is made of is declared in STMT: nothing before it can name that. */
static bool
is_type_within (const struct type *type, const struct stmt *stmt)
{
  for (; type; type = type->base)
    if ((type->typedef_decl && is_within (type->typedef_decl->name_token, stmt))
        || (type_is_record (type) && is_within (type->record->first, stmt)))
      return true;
  return false;
}

/* Whether E itself may not be evaluated before the iterations of a batch. */
static bool
is_bad_in_slice (struct expr *e, void *data)
{
  struct search *search = data;

  if (has_effect (e) || reads_stored (e, search->stmt) || is_type_within (e->type, search->stmt))
    return true;
  switch (e->kind)
    {
    case EXPR_ASSIGN:
    case EXPR_LABEL:
    case EXPR_BUILTIN_TYPES:
    case EXPR_GENERIC:
    case EXPR_CHOOSE:
      return true;
    case EXPR_SIZEOF:
      return !e->type_name;
    case EXPR_NAME:
      return !is_sliceable_name (e, search);
    default:
      return false;
    }
}

static bool
is_sliceable (struct expr *e, struct search *search)
{
  return !any_in_expr (e, is_bad_in_slice, search);
}

/* Whether the elements A and B are the same one, by a pointer that is a name. */
static bool
are_same_elements (struct expr *a, struct expr *b)
{
  return a->kind == EXPR_INDEX && b->kind == EXPR_INDEX && pointer_of (a)->kind == EXPR_NAME
         && is_name_of (pointer_of (b), pointer_of (a)->decl)
         && are_same_expr (index_of (a), index_of (b));
}

/* Whether L is the element by which the loop, a upc_forall, controls the iteration. */
static bool
is_own (struct expr *l, struct search *search)
{
  return is_forall (search->loop) && l->kind == EXPR_INDEX
         && (is_own_element (l, search->loop) || are_same_elements (l, search->loop->affinity));
}

struct store_search
{
  struct search *search;
  struct expr *l;
};

/* Whether E may store to the element L where that is far. */
static bool
is_store_to_far (struct expr *e, void *data)
{
  const struct store_search *s = data;
  struct expr *target = is_store (e) ? strip_parens (e->a) : NULL;

  return target && type_is_shared (target->type) && may_alias (target->type, s->l->type)
         && !is_own (element_of (target), s->search)
         && may_overlap (root_of_name (element_of (target)), root_of_name (element_of (s->l)));
}

/* Whether E has another value in another iteration: others are read anew, as the program may wait for a change. */
static bool
is_varying (struct expr *e, void *data)
{
  const struct search *search = data;
  const struct sliced *source;

  if (e->kind != EXPR_NAME || !is_variable (e->decl) || e->is_constant)
    return false;
  source = source_of (e->decl, search);
  if (source && source->is_hoisted)
    return any_in_expr (source->e, is_varying, data);
  return source || e->decl == search->loop->induction || !is_outer_name (e, search->loop);
}

static bool
may_be_batched (struct expr *l, struct search *search)
{
  struct expr *element = element_of (l);
  struct size size = type_size (l->type);

  return element->kind == EXPR_INDEX && type_is_shared (element->type) && size.is_known
         && size.value > 0 && size.value <= MOST_BATCHED_BYTES && l->type->kind != TYPE_ARRAY
         && !l->is_bit_field && !(quals_of (l->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         && !is_own (element, search) && is_sliceable (l, search)
         && any_in_expr (l, is_varying, search)
         && !any_in_stmt (search->stmt, is_store_to_far, &(struct store_search){ search, l });
}

static void
note_load (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;
  struct batched *b;

  if (!l || search->batch->count == MOST_BATCHED || !may_be_batched (l, search))
    return;
  b = NEW (struct batched);
  *b = (struct batched){ .l = l,
                         .number = search->batch->count++,
                         .around = search->around,
                         .inner = search->inner,
                         .next = search->batch->accesses };
  search->batch->accesses = b;
}

/* What is looked at is in what evaluates E, or NULL, and gives D its value, or NULL. */
static void
enter (struct expr *e, struct decl *d, struct search *search)
{
  struct sliced *s = NEW (struct sliced);

  *s = (struct sliced){ .e = e, .decl = d, .around = search->around };
  search->around = s;
}

/* The variables of ours that S, a loop, declares. False: the values of some may change. */
static bool
enter_hoisted (struct stmt *s, struct search *search)
{
  for (struct hoisted *h = s->hoisted; h; h = h->next)
    {
      if (!is_sliceable (h->value, search))
        return false;
      enter (h->value, h->decl, search);
      search->around->is_hoisted = true;
    }
  return true;
}

static void note_stmt (struct stmt *s, struct search *search);

static void
note_inner_loop (struct stmt *s, struct search *search)
{
  struct loop loop = { .stmt = s, .is_consecutive = true };
  struct stmt *outer = search->inner;
  struct expr *first;

  if (!find_header (&loop) || is_by_pointer (&loop) || strip_parens (s->step)->kind == EXPR_COMMA
      || (s->declaration ? s->declaration->decls->next != NULL
                         : !s->init_expr || strip_parens (s->init_expr)->kind != EXPR_ASSIGN))
    return;
  first = first_value (&loop);
  if (!first || !is_sliceable (first, search))
    return;
  enter (first, loop.induction, search);
  if (!enter_hoisted (s, search) || !is_sliceable (s->expr, search)
      || (loop.step && !is_sliceable (loop.step, search)))
    return;
  enter (s->expr, NULL, search);
  search->inner = s;
  note_stmt (s->then, search);
  search->inner = outer;
}

static void
note_branch (struct stmt *s, struct search *search)
{
  visit_certain_expr (s->expr, note_load, search);
  if (!is_sliceable (s->expr, search))
    return;
  enter (s->expr, NULL, search);
  note_stmt (s->then, search);
  if (s->otherwise)
    note_stmt (s->otherwise, search);
}

static void
note_stmt (struct stmt *s, struct search *search)
{
  struct sliced *around = search->around;

  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        note_stmt (item, search);
      break;
    case STMT_EXPR:
    case STMT_DECLARATION:
      visit_certain (s, note_load, search);
      break;
    case STMT_IF:
      note_branch (s, search);
      break;
    case STMT_FOR:
      note_inner_loop (s, search);
      break;
    default:
      break;
    }
  search->around = around;
}

/* Whether S itself may not be in a loop that is written twice, and of which a part is done ahead. */
static bool
is_bad_statement (struct stmt *s, void *loop)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
    case STMT_EXPR:
    case STMT_EMPTY:
    case STMT_IF:
      return false;
    case STMT_FOR:
      return s->is_do || (s != loop && (has_pragmas (s) || s->lanes));
    case STMT_FORALL:
      return s != loop;
    case STMT_DECLARATION:
      return declares_static (s->declaration);
    default:
      return true;
    }
}

static bool
is_bad_part (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_STATEMENT || e->kind == EXPR_LITERAL || e->kind == EXPR_LABEL;
}

/* Fills in the header of the loop S. */
static bool
find_batched_loop (struct loop *loop, struct stmt *s)
{
  *loop = (struct loop){ .stmt = s, .form = LOOP_STRIPS, .is_consecutive = true };
  if (s->kind == STMT_FORALL)
    {
      if (s->affinity_kind == AFFINITY_NONE || s->affinity_kind == AFFINITY_CONTINUE
          || !find_position (loop))
        return false;
    }
  else if (s->kind != STMT_FOR || !find_induction (loop) || is_by_pointer (loop))
    return false;
  else
    find_count (loop);
  return loop->bound && !is_by_pointer (loop) && !loop->step
         && strip_parens (s->step)->kind != EXPR_COMMA;
}

static bool
may_go_by_batches (struct stmt *s)
{
  return !s->plan->is_kept && !has_pragmas (s) && !any_stmt (s, is_bad_statement, s)
         && !any_in_stmt (s, is_bad_part, NULL) && !has_order (s->then) && !may_order (s->expr)
         && !may_order (s->step) && !may_order (s->affinity) && !has_watched_access (s)
         && !has_watched_header (s);
}

/* Whether each iteration around a strip of ELEMENT has its row in other blocks, and the row is short. */
static bool
has_short_rows (struct expr *element)
{
  struct expr *row = array_of_element (element);
  struct size count = row ? ultimate_count (row->type) : (struct size){ 0 };

  return block_of (element->type) > 0 && count.is_known && !count.times_threads
         && count.value >= block_of (element->type) && count.value <= MOST_IN_SHORT_ROW;
}

/* Whether it is better to gather B for iterations of the batch than to fetch it for each strip of an inner loop: such a
   strip is short, and waits for a message. */
static bool
is_better_gathered (const struct batched *b, struct loop *strip)
{
  return b->inner == strip->stmt && (strip->residues > 0 || has_short_rows (element_of (b->l)));
}

/* Whether B is no element that strips fetch at once, or that is there from the iteration before. */
static bool
is_worth_while (const struct batched *b)
{
  const struct access_plan *p = element_of (b->l)->plan;

  if (!p || p->address == ADDRESS_INVARIANT || p->value)
    return false;
  return p->address != ADDRESS_REFERENCE || is_better_gathered (b, p->loop)
         || (!p->reference->is_fetched && !p->loop->may_be_flat);
}

struct batched *
batched_in (const struct batch *batch, const struct expr *l)
{
  struct batched *b = batch->accesses;

  while (b && b->l != l)
    b = b->next;
  return b;
}

static int level_of (struct batched *b, struct batch *batch);

static bool
raise_level (struct expr *e, void *data)
{
  struct batch *batch = data;
  struct batched *b = e->kind == EXPR_LOAD ? batched_in (batch, strip_parens (e->a)) : NULL;
  struct decl *d = e->kind == EXPR_NAME && is_variable (e->decl) ? e->decl : NULL;

  if (b && level_of (b, batch) > batch->levels)
    batch->levels = b->level;
  if (d && d->init && d->init->expr && !is_outer_name (e, batch->loop))
    any_in_expr (d->init->expr, raise_level, batch);
  return false;
}

/* One more than what its address, or whether there is an access, depends on. */
static int
level_of (struct batched *b, struct batch *batch)
{
  int others = batch->levels;

  if (b->level > 0)
    return b->level;
  batch->levels = 0;
  any_in_expr (b->l, raise_level, batch);
  for (struct sliced *s = b->around; s; s = s->around)
    any_in_expr (s->e, raise_level, batch);
  b->level = batch->levels + 1;
  batch->levels = others;
  return b->level;
}

static void
find_levels (struct batch *batch)
{
  for (struct batched *b = batch->accesses; b; b = b->next)
    if (level_of (b, batch) > batch->levels)
      batch->levels = b->level;
}

static struct batch *
find_batch (struct stmt *s, void (*plan_loop) (struct stmt *s))
{
  struct batch *batch = NEW (struct batch);
  struct search search = { .stmt = s, .loop = NEW (struct loop), .batch = batch };
  bool is_worth = false;

  *batch = (struct batch){ .loop = search.loop };
  if (!may_go_by_batches (s) || !find_batched_loop (search.loop, s) || !enter_hoisted (s, &search))
    return NULL;
  note_stmt (s->then, &search);
  for (struct batched *b = batch->accesses; b; b = b->next)
    is_worth |= is_worth_while (b);
  if (!is_worth)
    return NULL;
  search.loop->number = next_number ();
  find_levels (batch);
  find_runs (batch, plan_loop);
  report_batch (batch);
  return batch;
}

void
find_batches (struct stmt *s, void (*plan_loop) (struct stmt *s))
{
  if (!s || !s->translate || !switches.network || !knows_variables ())
    return;
  if (s->kind == STMT_BLOCK)
    {
      for (struct stmt *item = s->items; item; item = item->next)
        find_batches (item, plan_loop);
      return;
    }
  if (s->kind == STMT_FOR || s->kind == STMT_FORALL)
    s->plan->batch = find_batch (s, plan_loop);
  if (is_loop (s, NULL) && s->plan && s->plan->batch)
    return;
  find_batches (s->then, plan_loop);
  find_batches (s->otherwise, plan_loop);
}
