/* Owned iteration sets. */

#include "tools/upc2c/lower/internal.h"

bool
is_own_element (struct expr *l, struct share *s)
{
  int64_t apart;

  return s->index && pointer_of (l)->kind == EXPR_DECAY && peel (pointer_of (l)->a)->kind == EXPR_NAME
         && l->type->kind != TYPE_ARRAY && s->index_block == block_of (l->type)
         && differ_by (s->index, number_of (l), &apart) && apart == 0;
}

bool
moves_by_one (struct share *s)
{
  return !s->step && s->step_value == 1;
}

static bool
find_as (struct share *s, struct stmt *loop, enum sureness sureness, int number)
{
  *s = (struct share){ .loop = loop, .sureness = sureness, .loop_number = number };
  return (sureness != SURE || !has_break (loop->then)) && find_position (s);
}

struct share *
find_share (struct stmt *loop, int number)
{
  struct share *s = NEW (struct share);

  return find_as (s, loop, SURE, number) || find_as (s, loop, TRUSTED, number) ? s : NULL;
}
