/* Secondary induction variables: they move by a constant whenever the induction variable does.

       for (i = n - 1, j = 0; i >= 0; i--, j++) b[j] = a[i];

   So each is a sum, `j = base + factor * i`, where the base is known before the first iteration, and an affine form has
   that for it. In iterations out of the program's order it gets its value where the induction variable does
   (write/secondary.c). */

#include "tools/upc2c/plan/internal.h"

/* Whether sums of values of TYPE and a product are right modulo 2^64, and the variable does not wrap around before that. */
static bool
is_wide (const struct type *type)
{
  return type_size (type).value == 8 || (type_size (type).value == 4 && !type_is_unsigned (type));
}

/* By how much PART of a step moves a variable; 0: by none that is known. */
static int64_t
change_by (struct expr *part)
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

/* PART of the step of LOOP as one that moves a secondary induction variable, if it does. */
static void
note_part (struct expr *part, struct loop *loop)
{
  int64_t change = change_by (part);
  int64_t step = loop->is_down ? -loop->step_value : loop->step_value;
  struct expr *name = change ? strip_parens (part->a) : NULL;
  struct secondary *s;

  if (!name || name->kind != EXPR_NAME || !is_variable (name->decl) || !type_is_integer (name->type)
      || !is_wide (name->type) || quals_of (name->decl->type) || name->decl == loop->induction
      || name->decl->has_static_duration || name->decl->has_address_taken
      || !is_outer_name (name, loop) || uses_in_iterations (loop->stmt, name->decl).stores != 1
      || change % step != 0)
    return;
  s = NEW (struct secondary);
  *s = (struct secondary){ .decl = name->decl,
                           .factor = change / step,
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
  struct expr *e = loop->stmt->step ? strip_parens (loop->stmt->step) : NULL;

  if (!loop->induction || loop->step || is_by_pointer (loop) || is_forall (loop)
      || !is_wide (loop->induction->type) || loop->stmt->lanes || !knows_variables ())
    return;
  for (; e && e->kind == EXPR_COMMA; e = strip_parens (e->a))
    note_part (strip_parens (e->b), loop);
  if (e)
    note_part (e, loop);
}
