/* Loops: as they are written, and as they are planned.

   Strip-mining. Elements whose indexes are linear forms of a loop's induction variable stay in a
   block for some iterations, where they have a constant stride in memory: a strip of the loop. So

       for (i = lo; i < n; i++) s += a[i - 1] * a[i + 1];

   becomes two loops, of which the inner one needs no layout arithmetic:

       { i = lo;
         { const unsigned long __upc_first1 = i, __upc_end1 = n - lo;
           __upc_iterations __upc_set1 = __upc_all_begin (__upc_end1);
           unsigned long __upc_left1, __upc_n1; char *__upc_at1_1, *__upc_at1_2;
           for (; __upc_set1.__count; i = __upc_first1 + (__upc_set1.__count -= __upc_left1, __upc_set1.__at += __upc_left1))
             { __upc_left1 = __upc_set1.__count;
               __upc_at1_1 = __upc_strip_element (a, i - 1, …, &__upc_left1, …); …
               for (__upc_n1 = 0; __upc_n1 < __upc_left1; i++, __upc_n1++)
                 s += *(int *) (__upc_at1_1 + __upc_n1 * 4) * …; } } }

   A upc_forall (UPC 1.3, 6.6.2) is the same of the iterations that the thread owns. The induction
   variable is an integer or a pointer-to-shared. Addresses may be computed of elements that the
   body does not reach: that has no effect.

   Where the affinity is not affine, every thread goes through all iterations and checks for each
   whether it owns it:

       { const int __upc_outer1 = __upc_depth++;
         for (i = 0; i < n; i++)
           { if (__upc_is_mine (…) || __upc_outer1) { … } }
         __upc_depth = __upc_outer1; }

   The depth tells a loop in a function that is called from the body that another loop controls
   already. */

#include "tools/upc2c/write/internal.h"

void
gen_for_rest (struct stmt *s)
{
  put (" ");
  if (s->expr)
    gen_expr (s->expr);
  put ("; ");
  if (s->step)
    gen_expr (s->step);
  put (") ");
}

/* S, a loop without what is before its iterations. */
void
gen_while_head (struct stmt *s)
{
  if (s->is_do)
    {
      put (" do ");
      return;
    }
  put (" for (;");
  gen_for_rest (s);
}

void
gen_while_end (struct stmt *s)
{
  if (!s->is_do)
    return;
  put (" while (((void) (");
  gen_expr (s->step);
  put ("), ");
  gen_expr (s->expr);
  put ("));");
}

void
put_initialisation (struct stmt *s)
{
  if (s->lanes)
    put_first_lane (s);
  else if (s->declaration)
    gen_declaration (s->declaration);
  else
    {
      if (s->init_expr)
        gen_expr (s->init_expr);
      put (";");
    }
}

static void
gen_for_header (struct stmt *s)
{
  putf ("for (");
  put_initialisation (s);
  gen_for_rest (s);
}

void
gen_affinity (struct stmt *s)
{
  if (s->affinity_kind == AFFINITY_POINTER)
    {
      put ("(__upc_is_mine (");
      gen_argument (s->affinity);
      put ("))");
    }
  else if (type_is_unsigned (s->affinity->type) && type_size (s->affinity->type).value == 8)
    {
      put ("__upc_is_my_iteration ((long) (");
      gen_operand (s->affinity);
      put (" % (unsigned long) __upc_threads))");
    }
  else
    {
      put ("__upc_is_my_iteration (");
      gen_argument (s->affinity);
      put (")");
    }
}

static void
gen_checked (struct loop *loop)
{
  put (" for (;");
  gen_for_rest (loop->stmt);
  put ("{ if (");
  gen_affinity (loop->stmt);
  putf (" || __upc_outer%d) { ", loop->number);
  gen_iteration (loop);
  put (" } } ");
}

/* The condition and the step stay as they are where a thread executes all iterations. */
static void
gen_one_by_one (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  put_iterations (loop);
  putf ("const int __upc_all%d = __upc_outer%d || __upc_threads == 1; ", n, n);
  putf ("%s; for (; ",
        induction_at (loop, arena_format ("__upc_all%d ? 0 : __upc_set%d.__at", n, n)));
  gen_expr (loop->stmt->expr);
  putf ("; __upc_all%d ? (void) (", n);
  gen_expr (loop->stmt->step);
  putf (") : (void) (%s)) { ", induction_at (loop, call_for_next (loop, "1")));
  gen_iteration (loop);
  put (" } } ");
}

/* Whether all owned blocks may be done as one strip: all references have the phase of the own
   elements. Then the strip is made all of them. */
static void
put_flat (struct loop *loop)
{
  int n = loop->number;

  putf ("if (!__upc_outer%d", n);
  for (struct reference *r = loop->references; r; r = r->next)
    if (!r->is_in_phase)
      put_phase_test (loop, r);
  put_bounds_test (loop);
  putf (") __upc_left%d = __upc_owned_all (&__upc_set%d, %u); ", n, n, loop->block);
}

static void gen_strips (struct loop *loop);

/* What each iteration accesses, if there is one. */
static void
put_checks_before (struct loop *loop)
{
  if (!loop->certain)
    return;
  put (" if (");
  gen_expr (loop->stmt->expr);
  put (") { ");
  put_fixed_checks (loop);
  put ("}");
}

/* All that is in blocks is read from copies: one loop, with vectors. */
static void
gen_by_copies (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  put_first_and_end (loop);
  putf ("unsigned long __upc_n%d; ", n);
  put_consecutive (loop, "0ul", "0ul", arena_format ("__upc_end%d", n));
  gen_iteration (loop);
  put (" } } } ");
}

static void
gen_rest_as_written (struct loop *loop)
{
  if (loop->is_by_copies && loop->is_independent)
    {
      gen_by_copies (loop);
      return;
    }
  put_checks_before (loop);
  put_unrolled (loop);
  gen_while_head (loop->stmt);
  if (is_unrolled_now (loop))
    put ("{ __upc_scattered (); ");
  gen_iteration (loop);
  if (is_unrolled_now (loop))
    put (" }");
  gen_while_end (loop->stmt);
}

void
gen_other_order (struct loop *loop)
{
  exchange_plans (loop);
  if (loop->in_order->form == LOOP_STRIPS)
    gen_strips (loop->in_order);
  else
    gen_rest_as_written (loop->in_order);
  exchange_plans (loop);
}

/* Whether the iterations are few; or the step is long. */
static void
put_few (struct loop *loop)
{
  if (loop->longest_step)
    putf ("(unsigned long) __upc_step%d > %ld", loop->number, (long) loop->longest_step);
  else if (loop->is_windowed || loop->lanes)
    putf ("__upc_end%d < %ld", loop->number,
          loop->lanes ? (long) LEAST_LANES : (long) least_in_windows (loop));
  else
    putf ("__upc_residues_are_%s (&__upc_set%d)",
          is_forall (loop) || loop->is_by_pieces ? "few" : "short", loop->number);
}

/* The iterations of LOOP by its other plan: of one that goes by residues, through windows or by lanes, where they are few
   or depend on each other; of others, where its step is long, or no step that they were counted with. */
void
gen_in_order (struct loop *loop)
{
  bool is_sure = loop->is_sure;

  put ("if (");
  if (loop->asks_for_order)
    putf ("!__upc_is_sure%d || ", loop->number);
  put_few (loop);
  if (is_forall (loop))
    putf (" || __upc_outer%d", loop->number);
  if (loop->is_by_pieces)
    put_other_phases (loop);
  if (loop->lanes)
    put_lane_meetings (loop);
  else
    put_meetings (loop);
  put (") { ");
  if (is_forall (loop))
    putf ("const int __upc_outer%d = __upc_outer%d; ", loop->in_order->number, loop->number);
  loop->is_sure = is_sure && !loop->asks_for_order;
  gen_other_order (loop);
  loop->is_sure = is_sure;
  put (" } else { ");
}

static void
end_in_order (struct loop *loop)
{
  if (loop->counter)
    putf ("%s -= __upc_end%d + 1; ", c_name (loop->counter->decl), loop->number);
  put ("} ");
}

/* The condition that did not hold counted, too. */
static void
put_last_count (struct loop *loop, const char *is_at_end)
{
  if (loop->counter)
    putf ("if (%s) %s--; ", is_at_end, c_name (loop->counter->decl));
}

/* Behind the initialisation: all of one set, in which addresses go from block to block. */
static void
gen_crossing (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  put_first_and_end (loop);
  putf ("unsigned long __upc_left%d = 0, __upc_n%d = 0; ", n, n);
  put_strip_variables (loop);
  put_crossing_variables (loop);
  put_carried_variables (loop);
  put_strip_start (loop);
  put_carried_start (loop);
  putf ("while (__upc_n%d < __upc_end%d) { ", n, n);
  if (loop->is_independent)
    putf ("const unsigned long __upc_done%d __attribute__ ((__unused__)) = __upc_n%d; ", n, n);
  putf ("__upc_left%d = __upc_end%d; ", n, n);
  put_strip_to_crossing (loop);
  gen_asked_strip (loop);
  put_crossings (loop);
  put ("} ");
  if (loop->is_independent && loop->induction && !is_by_pointer (loop))
    putf ("%s; ", induction_at (loop, iteration_in_strip (loop)));
  put_strip_end (loop);
  put_late_stores (loop);
  put_walked (loop);
  put_last_count (loop, arena_format ("__upc_n%d == __upc_end%d", n, n));
  put ("} ");
}

/* Whether R does not limit a strip of LOOP: it is in a copy (plan/nest.c), or never leaves its block. The iterations of
   loops over copies are fewer than their elements; others have another form beside this one for more than an int counts. */
static bool
is_unlimited (const struct reference *r, const struct loop *loop)
{
  return r->stride_kind == STRIDE_IN_BLOCK && r->at.wrap == WRAPS_NEVER
         && (loop->strip_meetings ? r->stays && (!r->row || r->stays_in_row)
                                  : r->root->decl->is_apart);
}

bool
is_in_one_strip (const struct loop *loop)
{
  for (const struct reference *r = loop->references; r; r = r->next)
    if (!is_unlimited (r, loop))
      return false;
  return loop->references && loop->is_independent && !is_forall (loop) && has_sums (loop)
         && !loop->copy_to && !tells_of_strips (loop);
}

static void
gen_one_strip (struct loop *loop)
{
  int n = loop->number;
  const char *end = arena_format ("__upc_end%d", n);

  put (" { ");
  put_first_and_end (loop);
  putf ("unsigned long __upc_n%d; ", n);
  put_strip_variables (loop);
  put_strip_start (loop);
  if (loop->strip_meetings)
    {
      putf ("const unsigned long __upc_left%d = %s; ", n, end);
      put_strip_meetings (loop);
      put ("{ ");
      gen_met_strip (loop);
      put ("} else ");
    }
  put_consecutive (loop, "0ul", "0ul", end);
  gen_iteration (loop);
  putf (" } } %s; } ", induction_at (loop, end));
}

/* Strip by strip. */
static void
gen_each_strip (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  put_iterations (loop);
  putf ("unsigned long __upc_left%d, __upc_n%d; ", n, n);
  put_strip_variables (loop);
  put_carried_variables (loop);
  if (loop->in_order)
    gen_in_order (loop);
  if (is_forall (loop))
    putf ("%s; ", induction_at (loop, arena_format ("__upc_set%d.__at", n)));
  putf ("for (; __upc_set%d.__count; %s) { __upc_left%d = ", n, next_strip (loop), n);
  /* Runs of steps may have any stride. */
  if (is_forall (loop) && !loop->is_by_one && loop->is_consecutive)
    putf ("__upc_set%d.__stride != 1 ? 1 : ", n);
  putf ("__upc_set%d.__count; ", n);
  put_strip_start (loop);
  put_strip_bounds (loop);
  if (loop->may_be_flat)
    put_flat (loop);
  put_limits_of_far (loop);
  put_strip_lookups (loop);
  put_strip_raced (loop);
  put_carried_start (loop);
  put_limit_of_sums (loop);
  if (begin_near (loop))
    {
      gen_strip (loop);
      end_near (loop);
      gen_strip (loop);
      put ("} ");
    }
  else
    gen_asked_strip (loop);
  put (" } ");
  put_late_stores (loop);
  put_walked (loop);
  if (loop->in_order)
    end_in_order (loop);
  else
    put_last_count (loop, arena_format ("!__upc_set%d.__count", n));
  put ("} ");
}

/* Behind the initialisation. */
static void
gen_strips (struct loop *loop)
{
  put (" {");
  put_invariants (loop);
  if (is_in_one_strip (loop))
    gen_one_strip (loop);
  else if (loop->crosses_blocks)
    gen_crossing (loop);
  else if (loop->lanes)
    gen_lanes (loop);
  else if (loop->is_windowed)
    gen_windowed (loop);
  else
    gen_each_strip (loop);
  put ("} ");
}

const char *
depth_text (void)
{
  return switches.plugin ? "(*__upc_depth_at)" : "__upc_depth";
}

static void
gen_planned (struct loop *loop)
{
  if (is_forall (loop))
    putf ("{ const int __upc_outer%d = %s++; ", loop->number, depth_text ());
  else
    put ("{ ");
  put_initialisation (loop->stmt);
  put_hoisted (loop->stmt);
  put (" ");
  gen_with_copies (loop, loop->form == LOOP_STRIPS       ? gen_strips
                         : loop->form == LOOP_ONE_BY_ONE ? gen_one_by_one
                                                         : gen_checked);
  if (is_forall (loop))
    putf ("%s = __upc_outer%d; ", depth_text (), loop->number);
  put ("}");
}

/* C has one declaration at the head of a for, and no tag in it; others go before the loop, and so
   does an anonymous structure, which gets a tag. */
static bool
has_split_declaration (struct stmt *s)
{
  struct decl *first = s->declaration ? s->declaration->decls : NULL;

  for (struct decl *d = first; d; d = d->next)
    {
      const struct type *type = ultimate_type (d->type);

      if ((first->next && d->type->has_shared)
          || (type_is_record (type) && !type->record->tag && type->record->has_shared))
        return true;
    }
  return false;
}

/* Whether the header of S, a for, has no step, and the body's is in its place (plan/steps.c). */
static bool
has_step_of_body (const struct stmt *s)
{
  return s->kind == STMT_FOR && !s->is_while && s->step && s->step->first > s->then->first;
}

/* Whether something goes between the first part of the header and the rest, or the rest is no text of the program. */
static bool
is_split (struct stmt *s)
{
  return has_step_of_body (s) || s->lanes || s->hoisted || s->plan->nest || s->plan->certain
         || s->plan->tabled || s->plan->recents || s->plan->bounded || s->plan->copied
         || s->plan->reads || s->plan->sure || s->plan->is_sure_by_power || s->plan->is_unrolled
         || has_split_declaration (s);
}

static void
gen_as_written (struct stmt *s)
{
  if (is_split (s))
    {
      put ("{ ");
      put_initialisation (s);
      put_hoisted (s);
      gen_with_copies (s->plan, gen_rest_as_written);
      put (" }");
      return;
    }
  gen_for_header (s);
  gen_stmt (s->then);
}

/* S in the state in which the tree is. */
static void
gen_state (struct stmt *s)
{
  bool is_opened = s->plan->question || s->plan->kept_rows;

  if (is_opened)
    put ("{ ");
  if (s->plan->question)
    put_nest_question (s->plan->question);
  put_kept_rows (s->plan);
  if (s->plan->form == LOOP_AS_WRITTEN)
    gen_as_written (s);
  else
    gen_planned (s->plan);
  if (is_opened)
    put ("}");
}

static void
gen_one_way (struct stmt *s)
{
  if (s->sampled)
    gen_sampled_loop (s);
  else if (s->plan->nest)
    gen_nest (s->plan->nest, s, gen_state);
  else
    gen_state (s);
}

bool
gen_loop (struct stmt *s)
{
  const char *end;

  if (is_in_batch ())
    {
      gen_loop_in_batch (s);
      return true;
    }
  if (s->kind != STMT_FORALL && s->plan->form == LOOP_AS_WRITTEN && !is_split (s)
      && !s->plan->question && !s->plan->kept_rows && !s->plan->batch && !s->sampled)
    return false;
  open_at (s->first);
  /* A copy without events of accesses is a part of one that has them. */
  end = s->kind == STMT_FORALL && which_access_events () != NO_ACCESS_EVENTS
            ? event_hooks->open_forall (s)
            : NULL;
  if (s->plan->batch)
    gen_batch (s, gen_one_way);
  else
    gen_one_way (s);
  if (end)
    put (end);
  close_at (s->last);
  return true;
}
