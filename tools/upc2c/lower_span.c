/* Loops over blocks. Elements whose indexes are linear forms of a loop's counter stay in
   a block for a while, where they lie evenly in memory: a span of the loop. So

       for (i = lo; i < n; i++) s += a[i - 1] * a[i + 1];

   becomes two loops, of which the inner one does no arithmetic of layouts:

       { unsigned long __upc_todo1, __upc_left1, __upc_n1; char *__upc_at1_1, *__upc_at1_2;
         i = lo;
         for (__upc_todo1 = n - lo; __upc_todo1; __upc_todo1 -= __upc_left1)
           { __upc_left1 = __upc_todo1;
             __upc_at1_1 = __upc_span_element (a, i - 1, …, &__upc_left1, …); …
             for (__upc_n1 = 0; __upc_n1 < __upc_left1; i++, __upc_n1++)
               s += *(int *) (__upc_at1_1 + __upc_n1 * 4) * …;
             if (__upc_n1 < __upc_left1) break; } }

   The counter is changed by the loop's own step only. Where the bound is not known
   beforehand, the inner loop asks for it, and the outer one goes on until it has said no.
   Addresses are computed of elements that the body may not get to: that has no effect. */

#include "tools/upc2c/instrument.h"
#include "tools/upc2c/span.h"

static struct span *spans;

static void
put_index (struct expr *l)
{
  struct expr *p = pointer_of (l);

  if (p->kind == EXPR_DECAY && peel (p->a)->kind == EXPR_INDEX)
    {
      put_index (peel (p->a));
      put (" + ");
    }
  put ("(long) ");
  put_linear (number_of (l));
  put (step_factor (l->type));
}

static void
put_root_name (struct reference *r)
{
  struct capture *c;

  if (is_pointer (r))
    {
      put (c_name (r->root->decl));
      return;
    }
  c = begin_capture ();
  put_object (r->root);
  put (end_capture (c));
}

void
put_span_variables (struct span *span)
{
  putf ("unsigned long __upc_left%d; char ", span->number);
  for (struct reference *r = span->references; r; r = r->next)
    putf ("*__upc_at%d_%d%s", span->number, r->number, r->next ? ", " : "; ");
}

/* Neither the counter nor an index wraps around within a span: MOST VALUE LEAST is how far
   it may still go. */
static void
put_wrap (struct span *span, const char *most, const char *value, const char *least)
{
  putf ("__upc_span_wrap (&__upc_left%d, (unsigned long) (%s%s%s), %ld); ", span->number, most, value, least,
        (long) span->share->step_value);
}

static void
put_wrap_of_counter (struct span *span)
{
  struct share *s = span->share;
  const struct type *type = s->counter->type;
  int bits = 8 * (int) type_size (type).value;
  const char *value = arena_format ("(long) %s", c_name (s->counter));
  int64_t most;

  /* Signed integers do not overflow, but shorter ones are converted. */
  if (bits == 64 || (bits == 32 && !type_is_unsigned (type)))
    return;
  most = (1l << (type_is_unsigned (type) ? bits : bits - 1)) - 1;
  if (!s->is_down)
    put_wrap (span, arena_format ("%ldl - ", (long) most), value, "");
  else
    put_wrap (span, "", value, type_is_unsigned (type) ? "" : arena_format (" + %ldl", (long) most + 1));
}

static void
put_wraps_of_indexes (struct span *span, struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = peel (pointer_of (l)->a))
    {
      struct linear form;

      if (!find_linear (number_of (l), span->share, &form) && find_wrapping (number_of (l), span->share, &form))
        {
          struct capture *c = begin_capture ();
          const char *index;

          put_linear (number_of (l));
          index = end_capture (c);
          if ((form.factor > 0) != span->share->is_down)
            put_wrap (span, "0xffffffffu - ", index, "");
          else
            put_wrap (span, "", index, "");
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
}

void
put_span_start (struct span *span)
{
  for (struct reference *r = span->references; r; r = r->next)
    {
      putf ("__upc_at%d_%d = %s (", span->number, r->number,
            r->stays         ? "__upc_span_place"
            : is_pointer (r) ? "__upc_span_index"
                             : "__upc_span_element");
      put_root_name (r);
      put (", ");
      put_index (r->l);
      if (!r->stays)
        putf (", %ld, &__upc_left%d", (long) r->step, span->number);
      put_layout (r->l->type);
      put ("; ");
      put_wraps_of_indexes (span, r->l);
    }
  if (!span->is_counted)
    put_wrap_of_counter (span);
}

bool
put_span_address (struct expr *l)
{
  struct reference *r;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return false;
  for (struct span *span = spans; span; span = span->outer)
    if ((r = reference_to (span, l)))
      {
        /* Unsigned, as compilers do not know that the number of iterations is small. */
        putf ("(__upc_at%d_%d %c %s * %luul)", span->number, r->number, r->step < 0 ? '-' : '+', span->iteration,
              (unsigned long) (r->step < 0 ? -r->step : r->step) * type_size (l->type).value);
        return true;
      }
  return false;
}

void
enter_span (struct span *span)
{
  span->outer = spans;
  spans = span;
}

void
leave_span (struct span *span)
{
  spans = span->outer;
}

int
span_number (const struct span *span)
{
  return span->number;
}

int
new_span_number (void)
{
  static int number;

  return ++number;
}

static struct span *
new_span (struct share *s)
{
  struct span *span = NEW (struct span);

  *span = (struct span){ .share = s, .number = new_span_number () };
  return span;
}

/* upc_forall. */

struct span *
find_own_span (struct share *s)
{
  struct span *span;

  if (is_instrumenting () || !s->is_by_one || s->block <= 1 || s->divisor)
    return NULL;
  span = new_span (s);
  span->iteration = arena_format ("__upc_k%d", s->loop_number);
  any_outside_loops (s->loop->then, note_reference, span);
  return span->references ? span : NULL;
}

/* Loops of C. */

/* Whether the number of iterations is known before the first one. */
static bool
is_counted (struct share *s)
{
  const struct type *type = s->counter->type;
  uint64_t bytes = type_size (type).value;

  if (find_bound (s) && bytes >= 4
      && (!type_is_unsigned (type)
          || ((s->relation == '<' || s->relation == '>') && type_size (s->bound->type).value <= bytes
              && (s->step_value == 1 || bytes == 8))))
    return true;
  s->bound = NULL;
  return false;
}

static struct span *
find_span (struct stmt *loop)
{
  struct share *s = NEW (struct share);
  struct span *span;

  *s = (struct share){ .loop = loop, .sureness = SURE };
  if (is_instrumenting () || !function_being_written || !loop->step
      || !any_outside_loops (loop->then, is_blocked_element, NULL)
      || has_pragmas () || !find_counter (s) || s->step || s->step_value > INT32_MAX
      || has_entry (loop->then, false))
    return NULL;
  span = new_span (s);
  span->is_counted = is_counted (s);
  span->iteration = arena_format ("__upc_n%d", span->number);
  any_outside_loops (loop->then, note_reference, span);
  if (!span->is_counted)
    any_in_expr (loop->expr, note_reference, span);
  return span->references ? span : NULL;
}

static bool
all_stay (struct span *span)
{
  struct reference *r = span->references;

  while (r && r->stays)
    r = r->next;
  return !r;
}

/* Iterations side by side: the counter is what each makes of its number. */
static void
put_simd_loop (struct span *span)
{
  struct share *s = span->share;
  int n = span->number;
  const char *counter = c_name (s->counter), *type = plain_type (s->counter->type);
  char sign = s->is_down ? '-' : '+';
  unsigned long step = (unsigned long) s->step_value;

  put_span_start (span);
  putf ("__upc_from%d = (unsigned long) %s;", n, counter);
  enter_span (span);
  putf ("__upc_n%d = 0; ", n);
  if (!put_whole_copy (s, span, arena_format ("__upc_left%d", n)))
    {
      put_line ("#pragma omp simd");
      putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++) { %s = (%s) (__upc_from%d %c __upc_n%d * %lu); ",
            n, n, n, n, counter, type, n, sign, n, step);
      gen_stmt (s->loop->then);
      put (" } ");
    }
  leave_span (span);
  putf ("__upc_n%d = __upc_left%d; %s = (%s) (__upc_from%d %c __upc_left%d * %lu); ", n, n, counter, type, n, sign, n, step);
}

static void
put_plain_loop (struct span *span)
{
  struct stmt *loop = span->share->loop;
  int n = span->number;

  put_span_start (span);
  putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d", n, n, n);
  enter_span (span);
  if (!span->is_counted && loop->expr)
    {
      put (" && (");
      gen_expr (loop->expr);
      put (")");
    }
  put ("; ");
  gen_expr (loop->step);
  putf (", __upc_n%d++) { ", n);
  gen_stmt (loop->then);
  put (" } ");
  leave_span (span);
}

static bool
is_side_by_side (struct span *span)
{
  return span->is_counted && may_run_side_by_side (span->share, span);
}

static void
put_inner_loop (struct span *span)
{
  if (is_side_by_side (span))
    put_simd_loop (span);
  else
    put_plain_loop (span);
}

static void
put_outer_loop (struct span *span)
{
  int n = span->number;

  if (!span->is_counted)
    {
      putf ("for (;;) { __upc_left%d = ~0ul >> 1; ", n);
      put_inner_loop (span);
      putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
      return;
    }
  if (all_stay (span))
    {
      putf ("__upc_left%d = ", n);
      put_count (span->share);
      put ("; ");
      put_inner_loop (span);
      return;
    }
  putf ("for (__upc_todo%d = ", n);
  put_count (span->share);
  putf ("; __upc_todo%d; __upc_todo%d -= __upc_left%d) { __upc_left%d = __upc_todo%d; ", n, n, n, n, n);
  put_inner_loop (span);
  putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
}

bool
gen_span (struct stmt *loop)
{
  struct span *span = find_span (loop);

  if (!span)
    return false;
  open_at (loop->first);
  put ("{ ");
  put_span_variables (span);
  putf ("unsigned long __upc_n%d; ", span->number);
  if (is_side_by_side (span))
    putf ("unsigned long __upc_from%d; ", span->number);
  if (span->is_counted && !all_stay (span))
    putf ("unsigned long __upc_todo%d; ", span->number);
  put_initialisation (loop);
  put_outer_loop (span);
  put ("}");
  close_at (loop->last);
  return true;
}
