/* The pass over a function. Each loop gets its plan before the loops inside it, and each access
   its plan from the loops around it. */

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/plan/internal.h"

#include <stdlib.h>

/* Where the pass is. */
struct place
{
  struct loop *loop;     /* the innermost one with a form of its own, or NULL */
  struct loop *around;   /* the innermost for, while or upc_forall, or NULL */
  struct loop *outside;  /* the same, but for a do between it and the place */
  bool is_in_loop;       /* of any kind, … */
  bool is_repeated;      /* … or in the header of one */
  bool is_behind_pragma; /* a pragma may be about this loop, too */
  bool is_reported;      /* -fupc-report has told of it */
  bool is_in_nest;       /* of which there are two states, or may be none */
  bool is_by_elements;   /* in a loop that is, in the plan at hand */
  bool is_few;           /* in a few iterations beside lanes: no loop is worth another version */
  struct nest *nest;     /* the outermost one around it, or NULL */
};

static void plan_stmt (struct stmt *s, struct place place);

static bool
is_own_name (struct expr *e, void *loop)
{
  return e->kind == EXPR_NAME && e->decl && is_variable (e->decl) && !is_outer_name (e, loop);
}

/* Whether an index of L has a variable that the body of AROUND declares, or one that it changes without being counted by it, and so
   has another value in each iteration. */
static bool
has_own_index (struct expr *l, struct loop *around)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      if (any_in_expr (index_of (l), is_own_name, around)
          || (!around->induction && !is_loop_invariant (index_of (l), around)))
        return true;
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
  return false;
}

/* Whether L, AT this distance from its root, is in another block in almost each iteration of the loop around it. */
static bool
leaps (struct expr *l, const struct affine *at, const struct place *place)
{
  struct loop *around = place->around;
  int64_t factor = induction_factor (at, around);

  return !around->reason && factor != 0 && block_of (l->type) > 1
         && (place->is_by_elements || factor == UNKNOWN_FACTOR || around->step
             || llabs (factor) > block_of (l->type) / MIN_STRIP / around->step_value);
}

/* Whether the loop around L goes here and there in the array of L, as far as can be told. */
static bool
is_scattered (struct expr *l, const struct place *place)
{
  struct loop *around = place->around;
  struct affine at;

  return around && l->kind == EXPR_INDEX
         && (has_own_index (l, around)
             || (around->induction
                 && (!find_index (l, NULL, around, &at) || leaps (l, &at, place))));
}

/* How L finds its element by itself. */
static void
plan_scattered (struct expr *l, bool is_load, const struct place *place)
{
  struct loop *around = place->around;

  l->plan->is_scattered = is_scattered (l, place);
  if (l->plan->is_scattered)
    {
      l->plan->tabled = find_tabled (l, around);
      l->plan->bounded = find_bounded (l, around);
      if (!place->is_few)
        find_sure (l, around);
    }
  /* Where elements follow each other, a table is as fast as a copy. */
  if (is_load && !place->is_few && !place->is_by_elements
      && (l->plan->is_scattered || (around && around->is_by_copies)))
    l->plan->copied = find_copied (l, around);
}

static void
plan_access (struct expr *l, bool is_load, struct place *place)
{
  l->plan = find_known (l, place->loop);
  if (l->plan->address == ADDRESS_COMPUTED)
    {
      l->plan->recent = find_recent (l, place->outside);
      if (!l->plan->recent)
        plan_scattered (l, is_load, place);
      if (!is_load && (l->plan->is_scattered || l->plan->recent) && place->around)
        find_unrolled (l, place->around);
    }
  if (l->plan->address == ADDRESS_COMPUTED && place->is_in_loop)
    l->plan->reason = reason_to_compute (l, place->around);
  if (!place->is_repeated)
    note_straight (l);
  if (!place->is_reported)
    report_access (l, place->around);
}

/* What POINTER points to: E. Only names have plans. */
static void
plan_pointed (struct expr *e, struct expr *pointer, struct place *place)
{
  if (pointer->kind == EXPR_NAME)
    plan_access (pointer, false, place);
  else if (place->is_in_loop && !place->is_reported)
    report_pointed (e);
}

/* The pointer that STEP moves within its block, or STEP itself if there is none. */
static struct expr *
walking_pointer (struct expr *step, struct place *place)
{
  for (struct reference *r = place->loop ? place->loop->references : NULL; r; r = r->next)
    if (r->walk == step)
      return r->root;
  return step;
}

/* Statement expressions are planned before the traversal goes on into them, where it finds nothing
   left to do. */
static bool
plan_part (struct expr *e, void *data)
{
  struct place *place = data;
  struct expr *p;

  switch (e->kind)
    {
    case EXPR_INDEX:
      if (!e->plan && type_is_shared (e->type) && e->type->kind != TYPE_ARRAY)
        plan_access (e, false, place);
      break;
    case EXPR_LOAD:
      p = element_of (e->a);
      if (p->kind == EXPR_INDEX && !p->plan && type_is_shared (p->type)
          && p->type->kind != TYPE_ARRAY)
        plan_access (p, true, place);
      break;
    case EXPR_DEREF:
    case EXPR_ARROW:
      p = strip_parens (e->a);
      if (p->kind == EXPR_STEP)
        p = walking_pointer (p, place);
      if (type_is_pts (p->type) && (p->kind != EXPR_NAME || !p->plan))
        plan_pointed (e, p, place);
      break;
    case EXPR_STEP:
    case EXPR_COMPOUND:
      if (walking_pointer (e, place) != e && !strip_parens (e->a)->plan)
        strip_parens (e->a)->plan = find_known (strip_parens (e->a), place->loop);
      break;
    case EXPR_STATEMENT:
      plan_stmt (e->body, *place);
      break;
    default:
      break;
    }
  return false;
}

static void
plan_expr (struct expr *e, struct place place)
{
  any_in_expr (e, plan_part, &place);
}

static void
plan_declaration (struct declaration *d, struct place place)
{
  struct stmt s = { .kind = STMT_DECLARATION, .declaration = d };

  /* A nested function has a plan of its own. */
  if (d && d->kind != DECLARATION_FUNCTION)
    any_in_stmt (&s, plan_part, &place);
}

static const char *
reason_to_leave (struct stmt *s, struct place place)
{
  if (!knows_variables ())
    return "it is in a nested function";
  if (place.is_behind_pragma || has_pragmas (s))
    return "a pragma may be about it";
  if (has_entry (s->then, false))
    return "a label or case leads into it";
  return NULL;
}

/* PLACE is around LOOP. */
static void
plan_header (struct loop *loop, struct place place)
{
  struct stmt *s = loop->stmt;
  struct place inside;

  place.is_repeated = true;
  inside = place;
  /* Tables and the like stand before the loop, for all its plans. */
  inside.around = inside.outside = s->plan;
  if (loop->form == LOOP_STRIPS)
    inside.loop = loop;
  plan_expr (s->expr, loop->bound ? place : inside);
  plan_expr (s->step, inside);
}

/* PLACE is that of the body. */
static void
plan_body (struct loop *loop, struct place place)
{
  if (loop->lanes)
    {
      plan_stmt (loop->lanes->body, place);
      return;
    }
  if (loop->form == LOOP_STRIPS)
    place.loop = loop;
  loop->is_in_body = true;
  if (!place.is_few)
    find_sure_strides (loop);
  plan_stmt (loop->stmt->then, place);
  find_certain (loop);
  find_covered (loop);
  find_ahead (loop);
  find_within (loop);
  find_carried (loop);
  find_values (loop);
  find_near (loop);
  if (!place.is_reported)
    report_near (loop);
  find_outlined (loop);
}

/* What LOOP has to know of arrays that pointers lead to is asked before the outermost loop of the nest. */
static void
ask_before_nest (struct loop *loop, struct nest *nest)
{
  if (nest && nest->loops->loop->stmt != loop->stmt && (loop->meetings || loop->strip_meetings))
    ask_nest (loop, nest);
}

/* PLACE is around LOOP. */
static void
plan_in_order (struct loop *loop, struct place place, struct place body)
{
  place.is_reported = body.is_reported = true;
  /* Those whose order counts may be many. */
  body.is_few = body.is_few || (loop->lanes && !loop->lanes->meetings);
  body.is_by_elements = loop->in_order->is_by_elements;
  loop->in_order->number = next_number ();
  put_plans_aside (loop);
  plan_header (loop->in_order, place);
  plan_body (loop->in_order, body);
  ask_before_nest (loop->in_order, place.nest);
  if (loop->in_order->in_order)
    plan_in_order (loop->in_order, place, body);
  exchange_plans (loop);
}

static void
plan_one_state (struct stmt *s, struct place place)
{
  struct loop *loop = NEW (struct loop);
  struct place body = place;

  *loop = (struct loop){ .stmt = s, .number = next_number (), .outer = place.loop };
  s->plan = loop;
  if (s->kind != STMT_FORALL)
    {
      settle_wait (s);
      loop->reason = reason_to_leave (s, place);
      loop->is_kept = loop->reason;
      if (!loop->is_kept)
        {
          if (s->kind == STMT_FOR && !s->is_do)
            hoist_reads (loop);
          if (is_resumed (loop, place.outside))
            loop->reason = "it goes on where it was left, for a few iterations";
          plan_for (loop);
          try_lanes (loop);
          loop->around = place.around;
          try_copies (loop);
        }
    }
  else if (s->affinity_kind != AFFINITY_NONE && s->affinity_kind != AFFINITY_CONTINUE)
    {
      hoist_reads (loop);
      plan_forall (loop);
    }
  loop->around = place.around;
  if (!place.is_reported)
    report_loop (loop);
  plan_declaration (s->declaration, place);
  if (!s->declaration)
    plan_expr (s->init_expr, place);
  for (struct hoisted *h = s->hoisted; h; h = h->next)
    plan_expr (h->value, place);
  plan_header (loop, place);
  plan_expr (s->affinity, place);
  body.around = body.outside = loop;
  body.is_in_loop = body.is_repeated = true;
  body.is_by_elements = loop->is_by_elements;
  body.is_in_nest = place.is_in_nest || loop->in_order;
  body.is_behind_pragma = place.is_behind_pragma || stands_behind_pragma (s);
  plan_body (loop, body);
  ask_before_nest (loop, place.nest);
  keep_rows (loop, place.nest);
  if (!place.is_reported)
    report_kept_rows (loop);
  if (loop->in_order)
    plan_in_order (loop, place, body);
}

static void plan_loop (struct stmt *s, struct place place);

/* The copy has the plan; the iterations that tools are told of are as written. */
static void
plan_sampled (struct stmt *s, struct place place)
{
  struct loop *loop = &s->sampled->loop;
  enum access_events before = set_access_events (NO_ACCESS_EVENTS);

  plan_loop (s->sampled->quiet, place);
  set_access_events (before);
  place.is_reported = true;
  loop->outer = place.loop;
  loop->around = place.around;
  s->plan = loop;
  plan_declaration (s->declaration, place);
  if (!s->declaration)
    plan_expr (s->init_expr, place);
  plan_header (loop, place);
  plan_expr (s->affinity, place);
  place.around = loop;
  place.is_in_loop = place.is_repeated = true;
  plan_stmt (s->then, place);
}

/* STATE of a nest, in which the tree is, without checks. No loop around it knows copies, or has what a function would need. */
static void
plan_state (struct nest_state *state, struct stmt *s, struct place place)
{
  bool check = switches.check, outlines = switches.outlines;

  place.loop = place.around = place.outside = NULL;
  place.is_in_nest = place.is_reported = true;
  switches.check = switches.outlines = false;
  plan_one_state (s, place);
  switches.check = check;
  switches.outlines = outlines;
  exchange_state (state);
}

static void
plan_states (struct nest *nest, struct stmt *s, struct place place)
{
  if (nest->may_copy)
    {
      nest->in_copies = keep_state (s);
      name_copies (nest, s);
      plan_state (nest->in_copies, s, place);
    }
  if (nest->is_outlined)
    {
      nest->unchecked = keep_state (s);
      plan_state (nest->unchecked, s, place);
    }
  if (!place.is_reported)
    report_nest (nest, s);
}

static bool
has_states (const struct nest *nest)
{
  return nest && (nest->may_copy || nest->is_outlined);
}

static void
plan_loop (struct stmt *s, struct place place)
{
  struct nest *nest = place.is_in_nest || reason_to_leave (s, place) ? NULL : find_nest (s);

  if (has_states (nest))
    {
      plan_states (nest, s, place);
      place.is_in_nest = true;
    }
  /* The functions of strips are not given what a nest has found out. */
  if (!place.nest && !switches.outlines)
    place.nest = nest;
  plan_one_state (s, place);
  s->plan->nest = has_states (nest) ? nest : NULL;
  s->plan->question = nest && nest->is_asked ? nest : NULL;
}

static void
plan_all_near (struct stmt *copy, struct place place)
{
  place.is_reported = true;
  switches.network = false;
  plan_stmt (copy, place);
  switches.network = true;
}

static void
plan_stmt (struct stmt *s, struct place place)
{
  bool is_nest = s && s->kind == STMT_BLOCK && s->items && !s->items->next;

  if (!s || !s->translate || s->plan)
    return;
  if (s->all_near)
    plan_all_near (s->all_near, place);
  if (s->kind == STMT_FOR || s->kind == STMT_FORALL || s->kind == STMT_WHILE)
    {
      if (s->sampled)
        plan_sampled (s, place);
      else
        plan_loop (s, place);
      return;
    }
  place.is_behind_pragma = place.is_behind_pragma && is_nest;
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        {
          plan_stmt (item, place);
          /* One iteration of a loop that is unrolled tells of all. */
          place.is_reported = place.is_reported || item->fixed;
        }
      return;
    case STMT_DECLARATION:
      plan_declaration (s->declaration, place);
      return;
    case STMT_EXPR:
    case STMT_RETURN:
    case STMT_ASM:
    case STMT_GOTO_COMPUTED:
    case STMT_BARRIER:
      any_in_stmt (s, plan_part, &place);
      return;
    case STMT_DO:
      settle_wait (s);
      place.around = NULL;
      place.is_in_loop = place.is_repeated = true;
      break;
    case STMT_IF:
      if (place.is_in_loop)
        find_seldom (s);
      break;
    default:
      break;
    }
  plan_expr (s->expr, place);
  plan_expr (s->step, place);
  plan_stmt (s->then, place);
  plan_stmt (s->otherwise, place);
}

static void
plan_inner_loop (struct stmt *s)
{
  plan_stmt (s, (struct place){ .is_in_loop = true, .is_repeated = true, .is_reported = true });
}

void
plan_function (struct decl *function, bool is_nested)
{
  enter_function (function->body, !is_nested);
  if (!is_nested && !function->is_changed)
    {
      function->is_changed = true;
      find_steps_of_while (function->body);
      find_steps_in_bodies (function->body);
      find_index_values (function->body);
      copy_near_loops (function->body);
      unroll_loops (function->body, function->body);
      sample_loops (function->body);
    }
  begin_straight ();
  plan_stmt (function->body, (struct place){ .loop = NULL });
  find_batches (function->body, plan_inner_loop);
  settle_straight (function);
}
