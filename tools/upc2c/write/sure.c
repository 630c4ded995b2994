/* Loops that are written twice, once for runs in which conditions hold that make their accesses
   fast (plan/sure.c):

       if ((__upc_table1_1 != 0) & __upc_starts_round (p, 4))
         { const unsigned long __upc_start1_2 = __upc_offset (p); for (…) … }
       else
         for (…) …

   or, if they have another order for few iterations, in two parts:

       const int __upc_is_sure1 = __upc_table1_1 != 0;
       if (!__upc_is_sure1 || …)
         for (…) …
       else
         for (…) …

   The test has no branches, so that compilers move all of it out of a surrounding loop. */

#include "tools/upc2c/write/internal.h"

/* That the table has all blocks of R that LOOP gets to: those that all tables have. */
static void
put_range (struct loop *loop, struct reference *r)
{
  put (" & __upc_has_blocks (");
  put_first_index (r);
  put (", ");
  put_count (loop);
  putf (", %ld, %lu)", (long) r->stride, (unsigned long) block_of (r->type));
}

static void
put_test (struct loop *loop)
{
  put (loop->is_sure_by_power ? "__upc_has_power ()" : "1");
  for (struct sure *s = loop->sure; s; s = s->next)
    if (!s->pointer)
      putf (" & (%s != 0)", name_of_table (s->tabled));
    else
      {
        put (" & __upc_starts_round (");
        gen_argument (s->pointer);
        putf (", %lu)", (unsigned long) block_of (s->l->type));
      }
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->start)
      put_range (loop, r);
}

const char *
name_of_start (const struct loop *loop, const struct sure *s)
{
  return arena_format ("__upc_start%d_%d", loop->number, s->number);
}

static void
put_starts (struct loop *loop)
{
  for (struct sure *s = loop->sure; s; s = s->next)
    if (s->pointer)
      {
        putf ("const unsigned long %s __attribute__ ((__unused__)) = __upc_offset (",
              name_of_start (loop, s));
        gen_argument (s->pointer);
        put ("); ");
      }
}

/* Whether the conditions hold but with very many threads. */
static bool
is_nearly_sure (const struct loop *loop)
{
  for (const struct sure *s = loop->sure; s; s = s->next)
    if (!s->tabled || !s->tabled->is_small)
      return false;
  return loop->sure;
}

/* Whether LOOP in its other order, which is for few iterations, serves where a condition does not hold, too. It looks for the
   table at each access then. Not where all iterations come in that order, since their step is long. */
static bool
asks_for_order (const struct loop *loop)
{
  return is_nearly_sure (loop) && loop->form == LOOP_STRIPS && loop->in_order
         && !loop->crosses_blocks && !loop->longest_step && !is_in_one_strip (loop);
}

static void
gen_once (struct loop *loop, void (*gen_form) (struct loop *loop))
{
  putf ("{ const int __upc_is_sure%d = ", loop->number);
  put_test (loop);
  put ("; ");
  loop->is_sure = loop->asks_for_order = true;
  gen_form (loop);
  loop->is_sure = loop->asks_for_order = false;
  put (" } ");
}

static void
gen_twice (struct loop *loop, void (*gen_form) (struct loop *loop))
{
  put ("if (");
  put_test (loop);
  put (") { ");
  put_starts (loop);
  loop->is_sure = true;
  gen_form (loop);
  loop->is_sure = false;
  put (" } else { ");
  loop->is_unlikely = is_nearly_sure (loop);
  if (loop->is_unlikely && loop->longest_step && !loop->counter)
    gen_other_order (loop);
  else
    gen_form (loop);
  loop->is_unlikely = false;
  put (" } ");
}

void
gen_where_sure (struct loop *loop, void (*gen_form) (struct loop *loop))
{
  if (!loop->sure && !loop->is_sure_by_power)
    gen_form (loop);
  else if (asks_for_order (loop))
    gen_once (loop, gen_form);
  else
    gen_twice (loop, gen_form);
}

bool
is_sure (const struct expr *l)
{
  return l->plan && l->plan->sure && l->plan->sure->is_sure;
}

bool
is_unlikely (const struct expr *l)
{
  return l->plan && l->plan->sure && l->plan->sure->is_unlikely;
}

const char *
start_of (const struct expr *l)
{
  struct sure *s = is_sure (l) ? l->plan->start : NULL;

  return s ? name_of_start (l->plan->sure, s) : NULL;
}

bool
is_unrolled_now (const struct loop *loop)
{
  return loop->is_unrolled && (loop->is_sure || !(loop->sure || loop->is_sure_by_power));
}

void
put_unrolled (const struct loop *loop)
{
  if (is_unrolled_now (loop))
    put_line (switches.clang ? "#pragma clang loop unroll_count(4)" : "#pragma GCC unroll 4");
}
