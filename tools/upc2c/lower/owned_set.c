/* Owned iteration sets. */

#include "tools/upc2c/lower/internal.h"

bool
is_own_element (struct expr *l, struct iteration_set *s)
{
  int64_t apart;

  return s->index && pointer_of (l)->kind == EXPR_DECAY
         && strip_parens (pointer_of (l)->a)->kind == EXPR_NAME && l->type->kind != TYPE_ARRAY
         && s->index_block == block_of (l->type)
         && have_constant_distance (s->index, index_of (l), &apart) && apart == 0;
}

bool
moves_by_one (struct iteration_set *s)
{
  return !s->step && s->step_value == 1;
}

static bool
find_as (struct iteration_set *s, struct stmt *loop, enum single_valuedness single_valued,
         int number)
{
  *s = (struct iteration_set){ .loop = loop,
                               .single_valued = single_valued,
                               .loop_number = number };
  return (single_valued != PROVEN || !has_break (loop->then)) && find_position (s);
}

struct iteration_set *
find_owned_set (struct stmt *loop, int number)
{
  struct iteration_set *s = NEW (struct iteration_set);

  return find_as (s, loop, PROVEN, number) || find_as (s, loop, ASSUMED, number) ? s : NULL;
}
