/* Loops that run in batches of iterations (plan/batch.c, include/upct/batch.h):

       if (another upc_forall controls the iterations, or, if S is not written twice, all is near) as planned
       else
         {
           i = lo; __upc_iterations set = …; __upc_gathered gathered[] = { … }; __upc_batch batch = { … };
           while (set.__count)
             {
               if (__upc_batch_begin (&batch))
                 {
                   const __upc_iterations kept = set; const int from = i;
                   for (; set.__count && __upc_batch_next (&batch); i = …)
                     { int c = col[i]; __upc_batch_note (&batch, &gathered[0], &x[c]); }
                   __upc_batch_fetch (&batch, 1); set = kept; i = from;
                 }
               for (; set.__count && __upc_batch_next (&batch); i = …)
                 { int c = col[i]; s += the next one of gathered[0], or x[c] if there is none; }
             }
           __upc_batch_end (&batch);
         }

   The plans of the loop and of loops inside it do not apply there: what was not fetched is accessed
   one by one. */

#include "tools/upc2c/write/internal.h"

/* What is being written: a batch, the level that is looked at or 0 for the iterations themselves, and whether it is
   what has not come. */
static struct now
{
  struct batch *batch;
  int level;
  bool is_late;
} now;

/* What is noted for a list: the batch looks that up when it fetches it. */
static const struct expr *noted;

/* A plan of an expression that is put aside, and whether a loop checks it. */
struct aside
{
  struct expr *e;
  struct access_plan *plan;
  bool is_checked;
  struct aside *next;
};

bool
is_noted (const struct expr *l)
{
  return l == noted;
}

bool
is_in_batch (void)
{
  return now.batch;
}

static const char *
gathered (const struct batched *b)
{
  return arena_format ("&__upc_gathered%d[%d]", now.batch->loop->number, b->number);
}

static struct batched *
batched_load (const struct expr *l)
{
  return now.batch ? batched_in (now.batch, l) : NULL;
}

bool
gen_batched_load (struct expr *l)
{
  struct batched *b = now.is_late ? NULL : batched_load (l);

  if (!b || (now.level > 0 && b->level >= now.level))
    return false;
  putf ("__extension__ ({ %s; ", declare_value (l->type, arena_format ("__upc_got%d", b->number)));
  if (!b->run)
    putf ("const void *__upc_taken%d = __upc_batch_take (%s); if (__upc_taken%d) __builtin_memcpy "
          "((void *) &__upc_got%d, __upc_taken%d, sizeof __upc_got%d); else ",
          b->number, gathered (b), b->number, b->number, b->number, b->number);
  putf ("__upc_batch_load (&__upc_batch%d, (void *) &__upc_got%d, ", now.batch->loop->number,
        b->number);
  now.is_late = true;
  put_typed_address (l, "const void *");
  now.is_late = false;
  putf (", sizeof __upc_got%d); __upc_got%d; })", b->number, b->number);
  close_at (l->last);
  return true;
}

static void
note_plan (struct expr *e, struct aside **all)
{
  struct aside *a = NEW (struct aside);

  *a = (struct aside){ e, e->plan, e->is_checked, *all };
  *all = a;
  e->plan = NULL;
  e->is_checked = false;
}

static void
put_back (struct aside *all)
{
  for (; all; all = all->next)
    {
      all->e->plan = all->plan;
      all->e->is_checked = all->is_checked;
    }
}

static bool
put_plan_aside (struct expr *e, void *all)
{
  if (((e->kind == EXPR_INDEX || e->kind == EXPR_NAME) && e->plan) || e->is_checked)
    note_plan (e, all);
  return false;
}

static bool
put_hoisted_plans_aside (struct stmt *s, void *all)
{
  for (struct hoisted *h = s->hoisted; h; h = h->next)
    any_in_expr (h->value, put_plan_aside, all);
  return false;
}

/* Whether E reads what the level that is looked at has. */
static bool
is_of_level (struct expr *e, void *nothing)
{
  struct batched *b = e->kind == EXPR_LOAD ? batched_load (strip_parens (e->a)) : NULL;

  (void) nothing;
  return b && b->level == now.level;
}

static bool
names (struct expr *e, void *data)
{
  struct decl *d = e->kind == EXPR_NAME ? e->decl : NULL;

  return d == data
         || (d && d->kind == DECL_VARIABLE && d->init && d->init->expr && !d->has_static_duration
             && d->scope_depth > 0 && any_in_expr (d->init->expr, names, data));
}

/* Whether an access of that level needs D. */
static bool
is_needed (struct decl *d)
{
  for (struct batched *b = now.batch->accesses; b; b = b->next)
    {
      if (b->level != now.level)
        continue;
      if (any_in_expr (b->l, names, d))
        return true;
      for (struct sliced *s = b->around; s; s = s->around)
        if (any_in_expr (s->e, names, d))
          return true;
    }
  return false;
}

static bool
put_note (struct expr *e, void *nothing)
{
  struct expr *l;

  (void) nothing;
  if (!is_of_level (e, NULL))
    return false;
  l = strip_parens (e->a);
  putf ("__upc_batch_note (&__upc_batch%d, %s, ", now.batch->loop->number,
        gathered (batched_load (l)));
  noted = l;
  put_typed_address (l, "const void *");
  noted = NULL;
  put ("); ");
  return false;
}

/* Each variable that is needed, behind what its value reads. */
static void
note_declaration (struct declaration *declaration)
{
  for (struct decl *d = declaration->decls; d; d = d->next)
    {
      if (!d->init || !d->init->expr)
        continue;
      any_in_expr (d->init->expr, put_note, NULL);
      if (!is_needed (d))
        continue;
      putf ("%s = ", declare_value (d->type, c_name (d)));
      gen_argument (d->init->expr);
      put ("; ");
    }
}

static void note_stmt (struct stmt *s);

/* The block in which S, an inner loop, is. */
static void
open_inner_loop (struct stmt *s)
{
  put ("{ ");
  if (now.level > 0 && !s->declaration)
    putf ("%s; ", declare_value (strip_parens (strip_parens (s->init_expr)->a)->type,
                                 c_name (strip_parens (strip_parens (s->init_expr)->a)->decl)));
  put_initialisation (s);
  put_hoisted (s);
}

static void
gen_inner_loop (struct stmt *s, void (*gen) (struct stmt *body))
{
  open_inner_loop (s);
  put (" for (;");
  gen_for_rest (s);
  gen (s->then);
  put (" } ");
}

static struct run_loop *
run_of (struct stmt *s)
{
  struct run_loop *run = now.batch->runs;

  while (run && run->stmt != s)
    run = run->next;
  return run;
}

/* `&& …`: the indexes of L are within bounds in the first and the last iteration, so in all of them. */
static void
put_bounds_of_run (struct expr *l, struct loop *loop)
{
  struct affine f;

  for (; l->kind == EXPR_INDEX && array_of_element (l); l = array_of_element (l))
    if (!is_within_bounds (l))
      for (int is_last = 0; is_last <= 1; is_last++)
        {
          find_affine (index_of (l), loop, &f);
          put (" && __upc_stays_in_bounds ((long) ");
          gen_operand (index_of (l));
          putf (", %ld, __upc_count - 1, ", is_last * (long) induction_factor (&f, loop));
          put_extent (array_of_element (l));
          put (")");
        }
}

/* The address of L, whose indexes are not checked: there may be no iteration. */
static void
put_unchecked_address (struct expr *l)
{
  struct aside *all = NULL;

  for (struct expr *e = l; e && e->kind == EXPR_INDEX; e = array_of_element (e))
    {
      note_plan (e, &all);
      e->is_checked = true;
    }
  noted = l;
  put_typed_address (l, "const void *");
  noted = NULL;
  put_back (all);
}

/* Of checked code: a run that leaves its arrays is longer than any list, so its elements are read one by one. */
static void
put_count_of_run (struct batched *b, struct loop *loop)
{
  if (!is_checked_code (b->l->first))
    {
      put_count (loop);
      return;
    }
  put ("__extension__ ({ const unsigned long __upc_count = ");
  put_count (loop);
  put ("; __upc_count == 0 || (1");
  put_bounds_of_run (b->l, loop);
  put (") ? __upc_count : ~0ul; })");
}

/* The first element of each run, if there are any. */
static void
note_runs (struct run_loop *run)
{
  open_inner_loop (run->stmt);
  for (struct batched *b = now.batch->accesses; b; b = b->next)
    if (b->run == run && b->level == now.level)
      {
        putf ("__upc_batch_note_run (&__upc_batch%d, %s, ", now.batch->loop->number, gathered (b));
        put_unchecked_address (b->l);
        put (", ");
        put_count_of_run (b, run->loop);
        put ("); ");
      }
  put ("} ");
}

void
put_in_run (const struct batched *b)
{
  const struct loop *loop = b->run->loop;

  putf ("(__upc_run%d_%d + ((long) %s - __upc_from%d))", loop->number, b->number,
        c_name (loop->induction), loop->number);
}

/* The copy of a loop is done where all of its runs are there. */
static void
gen_run_loop (struct run_loop *run)
{
  struct now before = now;
  int n = run->loop->number;

  open_inner_loop (run->stmt);
  for (struct batched *b = now.batch->accesses; b; b = b->next)
    if (b->run == run)
      putf ("const %s *const __upc_run%d_%d = __upc_batch_take_run (%s); ", plain_type (b->l->type),
            n, b->number, gathered (b));
  putf ("const long __upc_from%d = (long) %s; if (1", n, c_name (run->loop->induction));
  for (struct batched *b = now.batch->accesses; b; b = b->next)
    if (b->run == run)
      putf (" && __upc_run%d_%d", n, b->number);
  put (") { ");
  now = (struct now){ .batch = NULL };
  gen_stmt (run->copy);
  now = before;
  put (" } else for (;");
  gen_for_rest (run->stmt);
  gen_stmt (run->stmt->then);
  put (" } ");
}

static void
note_branch (struct stmt *s)
{
  any_in_expr (s->expr, put_note, NULL);
  if (!any_in_stmt (s->then, is_of_level, NULL) && !any_in_stmt (s->otherwise, is_of_level, NULL))
    return;
  put ("if (");
  gen_expr (s->expr);
  put (") { ");
  note_stmt (s->then);
  put ("} else { ");
  if (s->otherwise)
    note_stmt (s->otherwise);
  put ("} ");
}

static void
note_body (struct stmt *body)
{
  put ("{ ");
  note_stmt (body);
  put ("} ");
}

/* What of S says which elements that level reads. */
static void
note_stmt (struct stmt *s)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      put ("{ ");
      for (struct stmt *item = s->items; item; item = item->next)
        note_stmt (item);
      put ("} ");
      break;
    case STMT_EXPR:
      any_in_expr (s->expr, put_note, NULL);
      break;
    case STMT_DECLARATION:
      note_declaration (s->declaration);
      break;
    case STMT_IF:
      note_branch (s);
      break;
    case STMT_FOR:
      if (any_in_stmt (s->then, is_of_level, NULL) && run_of (s))
        note_runs (run_of (s));
      else if (any_in_stmt (s->then, is_of_level, NULL))
        gen_inner_loop (s, note_body);
      break;
    default:
      break;
    }
}

void
gen_loop_in_batch (struct stmt *s)
{
  open_at (s->first);
  if (run_of (s))
    gen_run_loop (run_of (s));
  else
    gen_inner_loop (s, gen_stmt);
  close_at (s->last);
}

static void
put_gathered (struct batch *batch)
{
  int n = batch->loop->number;

  putf ("__upc_gathered __upc_gathered%d[%d] = { ", n, batch->count);
  for (struct batched *b = batch->accesses; b; b = b->next)
    {
      putf ("[%d] = { .__bytes = sizeof (%s), .__level = %d, ", b->number, plain_type (b->l->type),
            b->level);
      if (b->run)
        putf (".__blocks = %ld, .__block_bytes = %lu, ", (long) b->blocks,
              (unsigned long) block_of (b->l->type) * (unsigned long) type_size (b->l->type).value);
      put ("}, ");
    }
  putf ("}; __upc_batch __upc_batch%d = { .__gathered = __upc_gathered%d, .__many = %d%s }; ", n, n,
        batch->count, is_checked_code (batch->loop->stmt->first) ? ", .__is_checked = 1" : "");
}

/* The head of a loop over the iterations of a batch. */
static void
put_iterations_of_batch (struct loop *loop)
{
  int n = loop->number;

  putf ("for (; __upc_set%d.__count && __upc_batch_next (&__upc_batch%d); %s) ", n, n,
        induction_at (loop, call_for_next (loop, "1")));
}

static void
gen_batches (struct batch *batch)
{
  struct loop *loop = batch->loop;
  struct stmt *s = loop->stmt;
  int n = loop->number;

  put_iterations (loop);
  put_gathered (batch);
  if (is_forall (loop))
    putf ("%s; ", induction_at (loop, arena_format ("__upc_set%d.__at", n)));
  putf ("while (__upc_set%d.__count) { if (__upc_batch_begin (&__upc_batch%d)) { const "
        "__upc_iterations __upc_kept%d = __upc_set%d; const %s __upc_from%d = %s; ",
        n, n, n, n, plain_type (loop->induction->type), n, c_name (loop->induction));
  for (now.level = 1; now.level <= batch->levels; now.level++)
    {
      put_iterations_of_batch (loop);
      note_body (s->then);
      putf ("__upc_batch_fetch (&__upc_batch%d, %d); __upc_set%d = __upc_kept%d; %s = "
            "__upc_from%d; ",
            n, now.level, n, n, c_name (loop->induction), n);
    }
  put ("} ");
  now.level = 0;
  put_iterations_of_batch (loop);
  gen_stmt (s->then);
  putf (" } __upc_batch_end (&__upc_batch%d); ", n);
}

static void
gen_in_batches (struct stmt *s)
{
  struct batch *batch = s->plan->batch;
  struct loop *loop = batch->loop;
  struct aside *all = NULL;

  now.batch = batch;
  any_in_stmt (s, put_plan_aside, &all);
  any_stmt (s->then, put_hoisted_plans_aside, &all);
  put ("{ ");
  if (is_forall (loop))
    putf ("const int __upc_outer%d = %s++; ", loop->number, depth_text ());
  put_initialisation (s);
  put_hoisted (s);
  put (" { ");
  gen_batches (batch);
  put ("} ");
  if (is_forall (loop))
    putf ("%s = __upc_outer%d; ", depth_text (), loop->number);
  put ("}");
  now.batch = NULL;
  put_back (all);
}

/* Whether the loop S is done as planned: where nothing is far, and where another upc_forall controls its iterations.
   NULL: it never is. */
static const char *
question_of (struct stmt *s)
{
  const char *depth = is_forall (s->plan->batch->loop) ? arena_format ("%s > 0", depth_text ())
                                                       : NULL;

  if (is_known_far ())
    return depth;
  return arena_format ("__upc_all_are_near ()%s%s", depth ? " || " : "", depth ? depth : "");
}

void
gen_batch (struct stmt *s, void (*gen_planned) (struct stmt *s))
{
  const char *question = question_of (s);

  if (question)
    {
      putf ("if (%s) { ", question);
      gen_planned (s);
      put ("} else ");
    }
  gen_in_batches (s);
}
