/* -fupc-report: what was planned and, if that is not the best, why. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

/* E as the source has it. */
static const char *
text_of (const struct expr *e)
{
  const struct token *last = token_at (e->last);
  const char *first = token_at (e->first)->text;
  int length = (int) (last->text + last->length - first);

  if (memchr (first, '\n', (size_t) length))
    return type_is_shared (e->type) ? "this access" : "this expression";
  return arena_format ("%.*s", length, first);
}

static const char *
line_of (const struct loop *loop)
{
  return arena_format ("line %u", token_at (loop->stmt->first)->line);
}

static bool
is_access (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_LOAD
         || ((e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP)
             && type_is_shared (e->a->type));
}

static const char *
times_threads (uint32_t n)
{
  return n == 1 ? "THREADS" : arena_format ("%u * THREADS", n);
}

/* What the program has to find out for iterations to be independent. */
static const char *
meeting_text (const struct loop *loop)
{
  const struct meeting *m = loop->meetings;

  while (m && m->a->root->decl == m->b->root->decl)
    m = m->next;
  return m || loop->strip_meetings ? " unless pointers lead to the same elements"
         : loop->meetings          ? " unless parts of an array overlap"
                                   : "";
}

static const char *
loop_text (const struct loop *loop)
{
  const char *owned = "visits the iterations that the thread owns";

  switch (loop->form)
    {
    case LOOP_STRIPS:
      if (is_forall (loop))
        return arena_format (
            "'upc_forall' %s%s%s", owned, loop->may_be_flat ? ", all blocks at once" : "",
            loop->middle_count     ? ", independently, the middles of blocks at once"
            : loop->residues       ? ", independently, phase by phase"
            : loop->is_independent ? arena_format (", independently%s", meeting_text (loop))
                                   : "");
      if (loop->is_by_pieces)
        return arena_format (
            "loop in strips of a thread's blocks each, of independent iterations%s",
            meeting_text (loop));
      if (loop->lanes)
        return "iterations are done side by side in the loops inside, which go down columns";
      if (loop->is_windowed)
        return arena_format ("loop in private copies of small blocks, of independent iterations%s",
                             meeting_text (loop));
      if (loop->residues)
        return arena_format ("loop in strips of iterations %s apart, which are independent%s",
                             times_threads (loop->residues), meeting_text (loop));
      return loop->copy_to ? "loop copies whole blocks"
                           : arena_format (
                               "loop in strips, %s%s%s",
                               loop->crosses_blocks ? "from block to block" : "within a block each",
                               loop->is_independent ? ", of independent iterations" : "",
                               loop->is_independent ? meeting_text (loop) : "");
    case LOOP_CHECKED:
      return arena_format ("'upc_forall' checks each iteration: %s", loop->reason);
    case LOOP_ONE_BY_ONE:
      return arena_format ("'upc_forall' %s, one by one: its header may change", owned);
    default:
      return arena_format ("loop as written: %s", loop->reason);
    }
}

void
report_loop (struct loop *loop)
{
  if (!switches.report || loop->stmt->lanes
      || !(any_in_stmt (loop->stmt->then, is_access, NULL)
           || any_in_expr (loop->stmt->expr, is_access, NULL))
      || (loop->form == LOOP_AS_WRITTEN && !loop->reason))
    return;
  note_at (loop->stmt->first, "%s", loop_text (loop));
}

void
report_unrolled (struct stmt *loop, int64_t iterations)
{
  if (switches.report)
    note_at (loop->first,
             "loop replaced by its %ld iterations, which the loop around has in its own",
             (long) iterations);
}

/* 'a', 'b' and so on, in the order of the source. */
static const char *
names_of (const struct nest_array *a)
{
  return a->next ? arena_format ("%s, '%s'", names_of (a->next), a->root->decl->name->text)
                 : arena_format ("'%s'", a->root->decl->name->text);
}

void
report_nest (const struct nest *nest, const struct stmt *s)
{
  if (!switches.report)
    return;
  if (nest->may_copy)
    note_at (s->first,
             nest->is_in_place
                 ? "loops in one block each of %s if that has all that they access, else:"
                 : "loops in private copies of %s if they access each element often, else:",
             names_of (nest->arrays));
  if (nest->is_outlined)
    note_at (s->first, "loops without checks if all accesses to %s are right, else:",
             names_of (nest->arrays));
}

void
report_kept_rows (const struct loop *loop)
{
  const struct kept_rows *rows = loop->around && switches.report ? loop->around->kept_rows : NULL;

  for (; rows; rows = rows->next)
    if (rows->number == loop->number)
      note_at (loop->stmt->first, "copied rows of '%s' are there for the next iterations around",
               rows->root->decl->name->text);
}

static const char *
stride_text (const struct reference *r)
{
  int64_t stride = r->stride < 0 ? -r->stride : r->stride;

  if (r->is_own)
    return "own element";
  if (r->window)
    return r->is_written ? "copied back block by block" : "copied block by block";
  switch (r->stride_kind)
    {
    case STRIDE_IN_BLOCK:
      return stride == 1 ? "unit stride" : arena_format ("stride %ld", (long) stride);
    case STRIDE_BY_STEP:
      return "moves by the loop's step, an addition in each iteration";
    case BLOCK_STRIDE:
      return r->tabled ? "moves by whole blocks, which a table has"
                       : "moves by whole blocks, an addition in each iteration";
    default:
      return "address computed in each iteration";
    }
}

static const char *
access_text (const struct access_plan *p, const struct loop *around)
{
  switch (p->address)
    {
    case ADDRESS_REFERENCE:
      if (p->loop != around && !p->reference->is_own)
        return arena_format ("address known from the loop at %s", line_of (p->loop));
      return p->reference->row
                 ? arena_format ("%s, from its row in the loop at %s", stride_text (p->reference),
                                 line_of (p->reference->row->loop))
                 : stride_text (p->reference);
    case ADDRESS_INVARIANT:
      return arena_format ("the same element in all iterations of the loop at %s",
                           line_of (p->loop));
    case ADDRESS_IN_ROW:
      return arena_format ("from its row in the loop at %s, if within it", line_of (p->loop));
    default:
      if (around && around->is_by_copies && p->copied)
        return arena_format ("read from a private copy, if the loop at %s reads it often",
                             line_of (p->copied->loop));
      return arena_format (
          "%s%s: %s",
          p->recent   ? "looked for in the block of the last access"
          : p->tabled ? "its block is looked up in a table"
                      : "recomputed in each iteration",
          p->copied ? arena_format (", or it is in a private copy if the loop at %s reads it often",
                                    line_of (p->copied->loop))
                    : "",
          p->reason);
    }
}

void
report_access (struct expr *l, const struct loop *around)
{
  if (switches.report && (l->plan->address != ADDRESS_COMPUTED || l->plan->reason))
    note_at (l->first, "%s%s: %s", l->kind == EXPR_NAME ? "*" : "", text_of (l),
             access_text (l->plan, around));
}

void
report_near (const struct loop *loop)
{
  for (const struct reference *r = switches.report ? loop->references : NULL; r; r = r->next)
    if (r->is_fetched || r->is_put)
      note_at (r->l->first, "%s: what is far of a strip is %s%s%s", text_of (r->l),
               r->is_fetched ? "fetched before it" : "", r->is_fetched && r->is_put ? " and " : "",
               r->is_put ? "put behind it" : "");
}

void
report_batch (const struct batch *batch)
{
  for (const struct batched *b = switches.report ? batch->accesses : NULL; b; b = b->next)
    note_at (b->l->first,
             "%s: what is far is fetched for a batch of iterations of the loop at %s at once",
             text_of (b->l), line_of (batch->loop));
}

void
report_straight (const struct decl *function, int count)
{
  if (switches.report)
    note_at (function->name_token, "'%s': each of %d accesses outside of loops calls a function",
             function->name->text, count);
}

void
report_pointed (struct expr *e)
{
  if (switches.report)
    note_at (e->first, "%s: recomputed in each iteration: the pointer is no name", text_of (e));
}

/* Why the index of L has no good form in LOOP; or NULL. */
static const char *
index_reason (struct expr *l, struct loop *loop)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct expr *index = strip_parens (index_of (l));
      struct affine f;

      if (!find_affine (index, loop, &f))
        return arena_format ("'%s' is no affine expression of '%s'", text_of (index),
                             loop->induction->name->text);
      if (f.wrap != WRAPS_NEVER)
        return arena_format ("'%s' may wrap around", text_of (index));
      if (!f.is_early)
        return arena_format ("'%s' cannot be evaluated before the loop", text_of (index));
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
  return NULL;
}

static const char *
stride_reason (struct expr *l, struct loop *loop)
{
  int64_t factor;
  struct affine at;

  if (!find_index (l, NULL, loop, &at))
    return "its index is too large to follow";
  factor = induction_factor (&at, loop);
  if (factor == 0)
    return arena_format ("it does not move with '%s'", loop->induction->name->text);
  if (!loop->is_consecutive)
    return "the thread's iterations do not follow each other";
  if (loop->is_by_elements)
    return "elements leave their blocks at too many places for strips";
  if (loop->step)
    return "the step is no multiple of its blocks";
  if (factor == UNKNOWN_FACTOR)
    return arena_format ("each '%s' moves it by no multiple of its blocks",
                         loop->induction->name->text);
  return arena_format ("strips of %ld in blocks of %u are too short",
                       (long) (factor < 0 ? -factor : factor) * (long) loop->step_value,
                       block_of (l->type));
}

const char *
reason_to_compute (struct expr *l, struct loop *around)
{
  struct expr *root = root_name (l);
  const char *reason;

  if (!around)
    return "the loop has no header with an induction variable";
  if (around->reason)
    return around->reason;
  if (!around->induction)
    return "no induction variable that only the loop header changes";
  if (!root)
    return "its array or pointer is no name";
  if (around->form == LOOP_ONE_BY_ONE)
    return "what is in the loop header may change";
  if (is_by_pointer (around))
    return "the induction variable is another pointer";
  if (!is_good_root (root, around))
    return arena_format ("'%s' may change in the loop", root->decl->name->text);
  reason = index_reason (l, around);
  return reason ? reason : stride_reason (l, around);
}
