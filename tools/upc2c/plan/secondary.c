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
  struct expr *by = part->b ? strip_parens (part->b) : NULL;
  int64_t change = 1;

  if (part->kind == EXPR_COMPOUND && (part->op == '+' || part->op == '-') && by->is_constant
      && type_is_integer (by->type) && by->value > -INT32_MAX && by->value < INT32_MAX)
    change = by->value;
  else if (part->kind != EXPR_STEP)
    return 0;
  return part->op == TOKEN_DECREMENT || part->op == '-' ? -change : change;
}

struct stores
{
  const struct decl *decl;
  int count;
};

static bool
count_store (struct expr *e, void *data)
{
  struct stores *stores = data;
  struct expr *target = is_store (e) ? strip_parens (e->a) : NULL;

  stores->count += target && target->kind == EXPR_NAME && target->decl == stores->decl;
  return false;
}

/* Whether one place in LOOP alone changes D. */
static bool
is_changed_once (const struct decl *d, struct loop *loop)
{
  struct stores stores = { .decl = d };

  any_in_stmt (loop->stmt->then, count_store, &stores);
  any_in_expr (loop->stmt->expr, count_store, &stores);
  any_in_expr (loop->stmt->step, count_store, &stores);
  return stores.count == 1;
}

static struct expr *
name_of (struct decl *d, const struct expr *place)
{
  struct expr *name = new_expr (EXPR_NAME, place->first, d->type);

  name->decl = d;
  return name;
}

/* PART of the step of LOOP as one that moves a secondary induction variable, if it does. */
static void
note_part (struct expr *part, struct loop *loop)
{
  int64_t change = change_by (part);
  int64_t step = loop->is_down ? -loop->step_value : loop->step_value;
  struct expr *name = change ? strip_parens (part->a) : NULL;
  struct secondary *s;
  struct decl *base;

  if (!name || name->kind != EXPR_NAME || !is_variable (name->decl) || !type_is_integer (name->type)
      || !is_wide (name->type) || quals_of (name->decl->type) || name->decl == loop->induction
      || name->decl->has_static_duration || name->decl->has_address_taken
      || !is_outer_name (name, loop) || !is_changed_once (name->decl, loop) || change % step != 0)
    return;
  base = NEW (struct decl);
  *base = (struct decl){ .kind = DECL_VARIABLE,
                         .type = new_type (TYPE_LONG, NULL),
                         .name_token = loop->stmt->first,
                         .scope_depth = 1 };
  s = NEW (struct secondary);
  *s = (struct secondary){ .decl = name->decl,
                           .base = name_of (base, part),
                           .induction = name_of (loop->induction, part),
                           .part = part,
                           .change = change,
                           .factor = change / step,
                           .number = loop->secondaries ? loop->secondaries->number + 1 : 1,
                           .next = loop->secondaries };
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

bool
moves_secondary (const struct expr *part, const struct loop *loop)
{
  const struct secondary *s = loop->secondaries;

  while (s && s->part != part)
    s = s->next;
  return s;
}
