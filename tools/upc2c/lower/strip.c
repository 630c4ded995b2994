/* Strips of loops. */

#include "tools/upc2c/lower/internal.h"

static struct span *spans;

bool
goes_across (struct span *span)
{
  struct reference *r = span->references;

  while (r && r->movement != ACROSS)
    r = r->next;
  return r;
}

struct span *
find_known (struct expr *l, struct reference **reference)
{
  for (struct span *span = spans; span; span = span->outer)
    {
      *reference = reference_to (span, l);
      if (*reference && ((*reference)->movement != ANEW || span->is_in_iteration))
        return span;
    }
  return NULL;
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
  span->is_in_iteration = false;
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

/* Whether the counter of S may pass from its greatest value to its least. */
static bool
may_wrap (const struct share *s)
{
  return type_size (s->counter->type).value < 4 || s->relation == TOKEN_NOT_EQUAL;
}

struct span *
find_own_span (struct share *s)
{
  struct span *span;

  if (is_instrumenting () || (!has_spans (s) && may_wrap (s)))
    return NULL;
  span = new_span (s);
  span->iteration = arena_format ("__upc_k%d", s->loop_number);
  note_rows (span, s->loop->then);
  any_outside_loops (s->loop->then, note_reference, span);
  return span->references ? span : NULL;
}

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

/* Whether S is known to have too few iterations. */
static bool
is_short (struct share *s)
{
  int64_t first, last;

  return find_range (s, &first, &last) && (s->is_down ? first - last : last - first) < (LEAST_SPAN - 1) * s->step_value;
}

struct span *
find_span (struct stmt *loop)
{
  struct share *s = NEW (struct share);
  struct span *span;

  *s = (struct share){ .loop = loop, .sureness = SURE };
  if (is_instrumenting () || !function_being_written || !loop->step
      || !any_in_stmt (loop->then, is_blocked_element, NULL)
      || has_pragmas () || !find_counter (s) || s->step || s->step_value > INT32_MAX
      || has_entry (loop->then, false))
    return NULL;
  span = new_span (s);
  span->is_counted = is_counted (s);
  span->iteration = arena_format ("__upc_n%d", span->number);
  if (is_short (s))
    return NULL;
  note_rows (span, loop->then);
  any_outside_loops (loop->then, note_reference, span);
  if (!span->is_counted)
    any_in_expr (loop->expr, note_reference, span);
  return span->references ? span : NULL;
}

bool
all_stay (struct span *span)
{
  struct reference *r = span->references;

  while (r && r->stays)
    r = r->next;
  return !r;
}

bool
is_side_by_side (struct span *span)
{
  return span->is_counted && may_run_side_by_side (span->share, span);
}
