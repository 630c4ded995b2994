/* Strips of loops. */

#include "tools/upc2c/lower/internal.h"

static bool
note_reference (struct expr *e, void *strip)
{
  struct expr *l = accessed_element (e);

  if (l && !has_hoisted_base (strip, l))
    add_reference (strip, l);
  return false;
}

int
new_strip_number (void)
{
  static int number;

  return ++number;
}

static struct strip *
new_strip (struct iteration_set *s)
{
  struct strip *strip = NEW (struct strip);

  *strip = (struct strip){ .set = s, .number = new_strip_number () };
  return strip;
}

/* Whether the induction variable of S may wrap around. */
static bool
may_wrap (const struct iteration_set *s)
{
  return type_size (s->induction->type).value < 4 || s->relation == TOKEN_NOT_EQUAL;
}

struct strip *
find_owned_strips (struct iteration_set *s)
{
  struct strip *strip;

  if (is_instrumenting () || (!has_strips (s) && may_wrap (s)))
    return NULL;
  strip = new_strip (s);
  strip->iteration = arena_format ("__upc_k%d", s->loop_number);
  note_hoisted_bases (strip, s->loop->then);
  any_outside_loops (s->loop->then, note_reference, strip);
  return strip->references ? strip : NULL;
}

/* Whether the number of iterations is known before the first one. */
static bool
is_counted (struct iteration_set *s)
{
  const struct type *type = s->induction->type;
  uint64_t bytes = type_size (type).value;

  if (find_bound (s) && bytes >= 4
      && (!type_is_unsigned (type)
          || ((s->relation == '<' || s->relation == '>')
              && type_size (s->bound->type).value <= bytes && (s->step_value == 1 || bytes == 8))))
    return true;
  s->bound = NULL;
  return false;
}

/* Whether S is known to have too few iterations. */
static bool
is_short (struct iteration_set *s)
{
  int64_t first, last;

  return find_range (s, &first, &last)
         && (s->is_down ? first - last : last - first) < (MIN_STRIP - 1) * s->step_value;
}

struct strip *
find_strips (struct stmt *loop)
{
  struct iteration_set *s = NEW (struct iteration_set);
  struct strip *strip;

  *s = (struct iteration_set){ .loop = loop, .single_valued = PROVEN };
  if (is_instrumenting () || !function_being_written || !loop->step
      || !any_in_stmt (loop->then, is_blocked_element, NULL) || has_pragmas ()
      || !find_induction (s) || s->step || s->step_value > INT32_MAX
      || has_entry (loop->then, false))
    return NULL;
  strip = new_strip (s);
  strip->is_counted = is_counted (s);
  strip->iteration = arena_format ("__upc_n%d", strip->number);
  if (is_short (s))
    return NULL;
  note_hoisted_bases (strip, loop->then);
  any_outside_loops (loop->then, note_reference, strip);
  if (!strip->is_counted)
    any_in_expr (loop->expr, note_reference, strip);
  return strip->references ? strip : NULL;
}

bool
all_stay (struct strip *strip)
{
  struct reference *r = strip->references;

  while (r && r->stays)
    r = r->next;
  return !r;
}

bool
is_vectorizable (struct strip *strip)
{
  return strip->is_counted && has_independent_iterations (strip->set, strip);
}
