/* Secondary induction variables: they move by a constant whenever the induction variable does.

       for (i = n - 1, j = 0; i >= 0; i--, j++) b[j] = a[i];

   So each is a sum, `j = base + factor * i`, where the base is known before the first iteration, and an affine form has
   that for it. In iterations out of the program's order it gets its value where the induction variable does
   (write/secondary.c).

   The induction variable is the one that moves least. The condition may be about another one:

       for (i = 0, k = 0; i < n; i += 2, k++) b[k] = a[i];     i = base + 2 * k */

#include "tools/upc2c/plan/internal.h"

/* Whether sums of values of TYPE and a product are right modulo 2^64, and the variable does not wrap around before that. */
static bool
is_wide (const struct type *type)
{
  return type_size (type).value == 8 || (type_size (type).value == 4 && !type_is_unsigned (type));
}

int64_t
constant_change (struct expr *part)
{
  struct expr *by;
  bool is_down;
  int64_t change;

  if (!find_move (part, &by, &is_down))
    return 0;
  if (by && !(strip_parens (by)->is_constant && type_is_integer (by->type)))
    return 0;
  change = by ? strip_parens (by)->value : 1;
  if (change <= -INT32_MAX || change >= INT32_MAX)
    return 0;
  return is_down ? -change : change;
}

/* What the parts of LOOP's step do to DECL. */
struct change
{
  const struct decl *decl;
  int64_t sum;
  int parts;
};

static void
add_change (struct expr *part, struct loop *loop, void *data)
{
  struct change *c = data;

  (void) loop;
  if (part->a && is_name_of (strip_parens (part->a), (void *) c->decl))
    {
      c->sum += constant_change (part);
      c->parts++;
    }
}

/* Calls USE_PART for each part of LOOP's step. */
static void
for_each_part (struct loop *loop,
               void (*use_part) (struct expr *part, struct loop *loop, void *data), void *data)
{
  struct expr *e = loop->stmt->step ? strip_parens (loop->stmt->step) : NULL;

  for (; e && e->kind == EXPR_COMMA; e = strip_parens (e->a))
    use_part (strip_parens (e->b), loop, data);
  if (e)
    use_part (e, loop, data);
}

/* By how much LOOP's step changes the variable that PART of it does, if nothing else does and the variable may be a sum;
   else 0. */
static int64_t
change_of_sum (struct expr *part, struct loop *loop)
{
  struct expr *name = constant_change (part) != 0 ? strip_parens (part->a) : NULL;
  struct change c = { .decl = name ? name->decl : NULL };

  if (!name || name->kind != EXPR_NAME || !is_variable (name->decl) || !type_is_integer (name->type)
      || !is_wide (name->type) || quals_of (name->decl->type) || name->decl->has_static_duration
      || name->decl->has_address_taken || !is_outer_name (name, loop))
    return 0;
  for_each_part (loop, add_change, &c);
  return uses_in_iterations (loop->stmt, c.decl).stores == c.parts ? c.sum : 0;
}

/* Makes the variable of PART the induction variable, if the present one moves by a multiple of what that does. */
static void
take_divisor (struct expr *part, struct loop *loop, void *nothing)
{
  int64_t change = change_of_sum (part, loop), step = change_of_induction (loop);

  (void) nothing;
  if (change == 0 || change % step == 0 || step % change != 0)
    return;
  loop->induction = strip_parens (part->a)->decl;
  loop->is_down = change < 0;
  loop->step_value = change < 0 ? -change : change;
}

/* PART of the step of LOOP as one that moves a secondary induction variable, if it does. */
static void
note_part (struct expr *part, struct loop *loop, void *nothing)
{
  int64_t change = change_of_sum (part, loop);
  struct expr *name = change ? strip_parens (part->a) : NULL;
  struct secondary *s;

  (void) nothing;
  if (!name || name->decl == loop->induction || secondary_of (name, loop)
      || change % change_of_induction (loop) != 0)
    return;
  s = NEW (struct secondary);
  *s = (struct secondary){ .decl = name->decl,
                           .factor = change / change_of_induction (loop),
                           .number = loop->secondaries ? loop->secondaries->number + 1 : 1,
                           .next = loop->secondaries };
  s->base = name_instead (
      name, generate_variable (arena_format ("__upc_beside%d_%d", loop->number, s->number),
                               new_type (TYPE_LONG, NULL), loop->stmt));
  s->induction = name_instead (name, loop->induction);
  loop->secondaries = s;
}

void
find_secondaries (struct loop *loop)
{
  struct decl *counted = loop->induction;

  if (loop->step || loop->step_value >= INT32_MAX || is_by_pointer (loop) || is_forall (loop)
      || !is_wide (counted->type) || loop->stmt->lanes || !knows_variables ())
    return;
  for_each_part (loop, take_divisor, NULL);
  for_each_part (loop, note_part, NULL);
  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    if (s->decl == counted)
      loop->compared = s;
}
