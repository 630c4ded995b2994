/* Secondary induction variables (plan/secondary.c) in iterations that are not done one after the other. */

#include "tools/upc2c/write/internal.h"

void
put_secondary_bases (const struct loop *loop)
{
  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    putf (
        "const unsigned long __upc_beside%d_%d = (unsigned long) %s - %ldul * (unsigned long) %s; ",
        loop->number, s->number, c_name (s->decl), (long) s->factor, c_name (loop->induction));
}

/* What S is where the induction variable has its value. */
static const char *
sum_of (const struct secondary *s, const struct loop *loop)
{
  return arena_format ("%s = (%s) (__upc_beside%d_%d + %ldul * (unsigned long) %s)",
                       c_name (s->decl), plain_type (s->decl->type), loop->number, s->number,
                       (long) s->factor, c_name (loop->induction));
}

const char *
secondaries_at (const struct loop *loop)
{
  const char *text = "";

  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    text = arena_format ("%s, %s", text, sum_of (s, loop));
  return text;
}

void
put_secondaries (const struct loop *loop)
{
  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    putf ("%s; ", sum_of (s, loop));
}

/* Whether the C compiler sees from a sum that S moves by one. */
static bool
moves_by_one_too (const struct secondary *s)
{
  return (s->factor == 1 || s->factor == -1) && !type_is_unsigned (s->decl->type);
}

void
put_secondary_starts (const struct loop *loop)
{
  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    if (moves_by_one_too (s))
      putf ("const %s __upc_from%d_%d = %s; ", plain_type (s->decl->type), loop->number, s->number,
            c_name (s->decl));
}

void
put_secondary_sums (const struct loop *loop)
{
  for (const struct secondary *s = loop->secondaries; s; s = s->next)
    if (moves_by_one_too (s))
      putf ("%s = __upc_from%d_%d %c __upc_k%d; ", c_name (s->decl), loop->number, s->number,
            (s->factor < 0) != loop->is_down ? '-' : '+', loop->number);
    else
      putf ("%s; ", sum_of (s, loop));
}
