/* Loops with independent iterations: no iteration reads or writes what another one writes. The C compiler
   cannot prove that for addresses in the shared segment, so `#pragma omp simd` tells it, and it vectorizes
   the loop. The conditions are:

   - The body consists of expressions, declarations and ifs. It has no jumps, events, strict accesses, and no
     calls but those of mathematical functions.
   - It stores to its own variables, and to shared elements that move with the induction variable, or with a
     walking pointer, and that no other iteration accesses. For elements reached by pointers, the program
     itself tests that in a loop by residues (upct/residue.h).
   - Or, where iterations keep their order, an iteration loads what a later one stores to, `a[i] = a[i + 1]`:
     vectors, and copies by memmove, load before they store.
   - Or, in residues of blocks of one element and in pieces, it adds integers to a variable that it does not
     use otherwise, or keeps the largest one there (reduction.c); or, in any residues, it adds to scattered
     elements (update.c).
   - It also reads static shared arrays that it does not store to, private arrays by their own names, and
     variables. It dereferences no pointer but the roots of the shared elements.

   A thread sees its own accesses to one object in their order, and each object belongs to one iteration
   (UPC 1.3, B.3.1: nothing else is required of relaxed accesses). */

#include "tools/upc2c/plan/internal.h"

/* What moves further costs vectors more than it saves, by the loops that were measured. C compilers at -O3 do not see
   that where it is no further than MOST_PERMUTED: they load all that is between and permute it. A stencil in blocks of
   4 to 16 took them 1.3 to 2 times as long as without vectors, a transpose 0.8. */
enum
{
  MOST_VECTOR_STRIDE = 2,
  MOST_PERMUTED = 16
};

struct analysis
{
  struct loop *loop;
  struct expr *stores[8], *reductions[4];
  int store_count, reduction_count, update_count;
  bool has_ifs;
};

static bool is_good (struct expr *e, struct analysis *analysis);

static bool
is_step_of_walk (struct expr *e, const struct loop *loop)
{
  struct reference *r = loop->residues ? loop->references : NULL;

  while (r && r->walk != e)
    r = r->next;
  return r;
}

/* Whether L is a different element in each iteration. */
static bool
moves (struct expr *l, struct analysis *analysis)
{
  struct loop *loop = analysis->loop;
  struct reference *r = reference_of (l, loop);

  return r && r->stride_kind == STRIDE_IN_BLOCK && (!r->is_own || loop->is_by_one);
}

static bool
is_good_store (struct expr *target, struct analysis *analysis)
{
  struct expr *l = element_of (target);

  if (!type_is_shared (strip_parens (target)->type))
    return l == strip_parens (target) && l->kind == EXPR_NAME && is_variable (l->decl)
           && !l->decl->has_static_duration && !l->decl->has_address_taken
           && !is_outer_name (l, analysis->loop) && type_is_arithmetic (l->type);
  if (!is_plain_access (strip_parens (target)) || !moves (l, analysis))
    return false;
  if (analysis->store_count == (int) (sizeof analysis->stores / sizeof *analysis->stores))
    return false;
  analysis->stores[analysis->store_count++] = l;
  return true;
}

static bool
is_counter (const struct expr *name, const struct loop *loop)
{
  return loop->counter && loop->counter->decl == name->decl;
}

static bool
is_good_name (struct expr *e, struct analysis *analysis)
{
  if (e->is_constant)
    return true;
  if (!e->decl || !is_variable (e->decl) || quals_of (e->decl->type) & QUAL_VOLATILE
      || !type_is_arithmetic (e->type))
    return false;
  if (is_outer_name (e, analysis->loop) || e->decl->scope_depth == 0)
    return !is_counter (e, analysis->loop)
           && (e->decl == analysis->loop->induction || secondary_of (e, analysis->loop)
               || is_loop_invariant (e, analysis->loop));
  return !e->decl->has_static_duration && !e->decl->has_address_taken;
}

/* An element of a private array that is called by its name. */
static bool
is_good_element (struct expr *e, struct analysis *analysis)
{
  for (; e->kind == EXPR_INDEX; e = strip_parens (pointer_of (e)))
    if (!is_good (index_of (e), analysis))
      return false;
  return e->kind == EXPR_NAME && e->decl && e->decl->kind == DECL_VARIABLE
         && e->type->kind == TYPE_ARRAY && !type_is_shared (e->type);
}

static bool
is_good_load (struct expr *target, struct analysis *analysis)
{
  struct expr *l = element_of (target);

  if (!is_plain_access (strip_parens (target)))
    return false;
  if (walk_to (l, analysis->loop))
    return true;
  for (struct expr *e = l; e->kind == EXPR_INDEX; e = strip_parens (pointer_of (e)->a))
    {
      if (!is_good (index_of (e), analysis))
        return false;
      if (pointer_of (e)->kind != EXPR_DECAY)
        return pointer_of (e)->kind == EXPR_NAME
               && is_loop_invariant (pointer_of (e), analysis->loop);
    }
  return root_of_name (l) && root_of_name (l)->kind == EXPR_NAME && l->kind != EXPR_DEREF;
}

/* What it does to errno may be in any order. */
static bool
is_good_call (struct expr *call, struct analysis *analysis)
{
  if (!is_math_call (call) || !type_is_arithmetic (call->type))
    return false;
  for (uint32_t i = 0; i < call->list->count; i++)
    if (!is_good (call->list->item[i], analysis))
      return false;
  return true;
}

static bool
is_good (struct expr *e, struct analysis *analysis)
{
  if (!e)
    return true;
  switch (e->kind)
    {
    case EXPR_INTEGER:
    case EXPR_FLOAT:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_SIZEOF:
      return e->is_constant || e->times_threads;
    case EXPR_NAME:
      return is_good_name (e, analysis);
    case EXPR_LOAD:
      return is_good_load (e->a, analysis);
    case EXPR_INDEX:
      return type_is_arithmetic (e->type) && is_good_element (e, analysis);
    case EXPR_PAREN:
      return is_good (e->a, analysis);
    case EXPR_CAST:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
    case EXPR_COMMA:
      return (type_is_arithmetic (e->type) || e->type->kind == TYPE_VOID)
             && is_good (e->a, analysis) && is_good (e->b, analysis) && is_good (e->c, analysis);
    case EXPR_CALL:
      return is_good_call (e, analysis);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return is_step_of_walk (e, analysis->loop)
             || (is_good_store (e->a, analysis) && is_good (e->b, analysis));
    default:
      return false;
    }
}

static bool
is_good_declaration (struct declaration *d, struct analysis *analysis)
{
  if (d->kind != DECLARATION_OBJECTS)
    return false;
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    if (decl->kind != DECL_VARIABLE || decl->has_static_duration || !type_is_arithmetic (decl->type)
        || quals_of (decl->type) & QUAL_VOLATILE || (decl->init && !decl->init->expr)
        || (decl->init && !is_good (decl->init->expr, analysis)))
      return false;
  return true;
}

/* Whether UPDATE is done in any order beside the rest of the body. */
static bool
is_good_update (struct expr *update, struct analysis *analysis)
{
  analysis->update_count++;
  return is_good_load (update->a, analysis) && is_good (update->b, analysis)
         && is_updated_alone (update, analysis->loop);
}

static bool
is_good_reduction (struct expr *reduction, struct analysis *analysis)
{
  if (analysis->reduction_count
      == (int) (sizeof analysis->reductions / sizeof *analysis->reductions))
    return false;
  analysis->reductions[analysis->reduction_count++] = reduction;
  return is_good (reduced_by (reduction), analysis);
}

static bool
is_good_statement (struct expr *e, struct analysis *analysis)
{
  struct expr *reduction = e ? reduction_of (e, analysis->loop) : NULL;
  struct expr *update = e ? update_of (e, analysis->loop) : NULL;

  if (update)
    return is_good_update (update, analysis);
  return reduction ? is_good_reduction (reduction, analysis) : is_good (e, analysis);
}

static bool
is_good_stmt (struct stmt *s, struct analysis *analysis)
{
  struct expr *extreme;

  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (!is_good_stmt (item, analysis))
          return false;
      return true;
    case STMT_IF:
      extreme = extreme_of (s, analysis->loop);
      if (extreme)
        return is_good_reduction (extreme, analysis);
      analysis->has_ifs = true;
      return is_good (s->expr, analysis) && is_good_stmt (s->then, analysis)
             && (!s->otherwise || is_good_stmt (s->otherwise, analysis));
    case STMT_EMPTY:
      return true;
    case STMT_EXPR:
      return is_good_statement (s->expr, analysis);
    case STMT_DECLARATION:
      return is_good_declaration (s->declaration, analysis);
    default:
      return false;
    }
}

/* Whether the element that E accesses may be one that another iteration stores to. */
static bool
conflicts_with_store (struct expr *e, void *data)
{
  struct analysis *analysis = data;
  struct expr *l;

  if (e->kind != EXPR_LOAD && e->kind != EXPR_ASSIGN && e->kind != EXPR_COMPOUND
      && e->kind != EXPR_STEP)
    return false;
  l = element_of (e->a);
  if (!type_is_shared (l->type))
    return false;
  for (int i = 0; i < analysis->store_count; i++)
    if (may_overlap (root_of_name (l), root_of_name (analysis->stores[i]))
        && !never_meet (l, analysis->stores[i], analysis->loop)
        && !note_order (e, analysis->stores[i], analysis->loop)
        && !note_loop_meeting (l, analysis->stores[i], analysis->loop)
        && !note_strip_meeting (l, analysis->stores[i], analysis->loop))
      return true;
  return false;
}

/* Whether vectors would lose: a reference of LOOP moves by a step in each iteration, or far. */
static bool
has_steps (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && r->stride_kind != BLOCK_STRIDE && r->stride_kind != STRIDE_BY_STEP
         && (!r->walk || r->is_by_rounds)
         && ((r->stride <= MOST_VECTOR_STRIDE && r->stride >= -MOST_VECTOR_STRIDE)
             || has_all_neighbours (r, loop)))
    r = r->next;
  return r;
}

/* Whether no reference of LOOP moves further than that. */
static bool
has_short_strides (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && r->stride <= MOST_PERMUTED && r->stride >= -MOST_PERMUTED)
    r = r->next;
  return !r;
}

/* Whether LOOP, in the program's order, has elements that move by rounds of blocks: other elements leave their blocks before
   vectors of those are worth while. */
static bool
moves_by_threads (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r
         && (threads_factor (&r->at, loop) == 0 || threads_factor (&r->at, loop) == UNKNOWN_FACTOR))
    r = r->next;
  return r;
}

/* By how many elements L moves; 0: not by a constant number. The elements that a thread owns are contiguous in any
   layout. */
static int64_t
stride_of (struct expr *l, struct analysis *analysis)
{
  return moves (l, analysis) ? reference_of (l, analysis->loop)->stride : 0;
}

/* What may overlap is the same, or stored to later. */
static void
find_copy (struct analysis *analysis)
{
  struct stmt *body = analysis->loop->stmt->then;
  struct expr *e, *to, *from;
  int64_t stride;

  while (body->kind == STMT_BLOCK && body->items && !body->items->next)
    body = body->items;
  e = body->kind == STMT_EXPR ? strip_parens (body->expr) : NULL;
  if (!e || e->kind != EXPR_ASSIGN || strip_parens (e->b)->kind != EXPR_LOAD)
    return;
  to = strip_parens (e->a);
  from = strip_parens (strip_parens (e->b)->a);
  if (!type_is_shared (to->type) || !is_plain_access (to) || !is_plain_access (from)
      || to->type->kind != from->type->kind
      || (!may_copy_within (analysis->loop)
          && may_overlap (root_of_name (to), root_of_name (from))))
    return;
  stride = stride_of (to, analysis);
  if ((stride != 1 && stride != -1) || stride_of (from, analysis) != stride)
    return;
  analysis->loop->copies_down = stride < 0;
  analysis->loop->copy_to = to;
  analysis->loop->copy_from = from;
}

/* Whether E, the step or NULL, moves nothing but induction variables and pointers that walk: those of independent
   iterations are computed. */
static bool
is_good_step (struct expr *e, struct loop *loop)
{
  if (!e)
    return true;
  e = strip_parens (e);
  if (e->kind == EXPR_COMMA)
    return is_good_step (e->a, loop) && is_good_step (e->b, loop);
  return moves_induction (e, loop) || (e->a && secondary_of (strip_parens (e->a), loop))
         || is_step_of_walk (e, loop);
}

/* Whether what is stored to in strips of the program's order moves by more than one element: vectors of that are put
   together from what was there before. */
static bool
stores_in_steps (const struct analysis *analysis)
{
  struct loop *loop = analysis->loop;

  for (int i = 0; !loop->residues && !loop->is_windowed && i < analysis->store_count; i++)
    {
      const struct reference *r = reference_of (analysis->stores[i], loop);

      if (!r->is_own && !has_all_neighbours (r, loop))
        return true;
    }
  return false;
}

void
find_independence (struct loop *loop)
{
  struct analysis analysis = { .loop = loop };
  struct stmt *body = loop->stmt->then;

  /* What was found of other strips of it holds no more. */
  loop->meetings = NULL;
  loop->strip_meetings = NULL;
  loop->keeps_order = false;
  loop->copy_to = loop->copy_from = NULL;
  loop->is_for_vectors = !has_steps (loop);
  loop->is_for_scalars = !loop->is_for_vectors
                         && (loop->residues ? has_short_strides (loop) : moves_by_threads (loop));
  loop->is_independent
      = (loop->residues ? loop->bound || loop->counter : loop->bound && loop->is_for_vectors)
        && is_good_step (loop->stmt->step, loop) && !has_watched_access (body)
        && is_good_stmt (body, &analysis)
        && (analysis.store_count + analysis.reduction_count + analysis.update_count > 0
            || loop->stmt->lanes)
        && !any_in_stmt (body, conflicts_with_store, &analysis);
  if (!loop->is_independent)
    return;
  if (analysis.update_count > 0 || (analysis.has_ifs && !switches.masks)
      || stores_in_steps (&analysis))
    loop->is_for_vectors = false;
  /* No strip asks what vectors do not gain from. */
  if (loop->strip_meetings && !loop->is_for_vectors)
    {
      loop->is_independent = false;
      return;
    }
  find_copy (&analysis);
  for (int i = 0; i < analysis.reduction_count; i++)
    {
      analysis.reductions[i]->is_reduction = true;
      loop->is_for_vectors = false;
    }
}
