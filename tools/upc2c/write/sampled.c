/* Strips of which a sampling tool may want no event (plan/sampled.c):

       if (__upc_is_quiet (&left, n, __upc_is_remote (at1) * 2 + …)) { the strip without events }
       else { the strip, one iteration after the other }

   Either form may do only a part of the strip; the next strip begins where it ends. */

#include "tools/upc2c/write/internal.h"

/* The address of PART, or that it points to, in the strip's first iteration; NULL: none is known. */
static const char *
address_of_part (struct expr *part)
{
  struct buffering *c = begin_buffering ();
  bool is_known = put_planned_address (part, NULL);
  const char *text = end_buffering (c);

  return is_known ? text : NULL;
}

/* Those of own data are none unless they are wanted. Of an element that has no plan, as there were too many, it is not
   known whose it is. */
void
put_events (struct loop *loop)
{
  const char *between = "";

  for (const struct sampled *s = loop->sampled; s; s = s->next)
    {
      const char *address = address_of_part (s->part);

      if (switches.profile.local || !address)
        putf ("%s%d", between, s->events);
      else
        putf ("%s__upc_is_remote (%s) * %d", between, address, s->events);
      between = " + ";
    }
}

void
gen_sampled_strip (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;

  if (!loop->crosses_blocks)
    putf ("__upc_n%d = 0; ", n);
  putf ("if (__upc_is_quiet (&__upc_left%d, __upc_n%d, ", n, n);
  put_events (loop);
  put (")) { ");
  event_hooks->watch_accesses (false);
  gen (loop);
  event_hooks->watch_accesses (true);
  put ("} else { ");
  if (loop->is_independent)
    gen_met_strip (loop);
  else
    gen (loop);
  put ("} ");
}
