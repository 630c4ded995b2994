/* Strips that test whether their iterations depend on each other (plan/strip_meeting.c). They are written
   twice:

       if (__upc_extents_meet (__upc_strip_extent (__upc_at1_1, …), …)) { one by one } else { with vectors } */

#include "tools/upc2c/write/internal.h"

/* What is accessed by P in a strip of LOOP. */
static void
put_strip_extent (const struct loop *loop, const struct access_plan *p)
{
  long bytes = (long) element_bytes (p->reference);

  putf ("__upc_strip_extent (%s, %ld, %ld, __upc_left%d%s)", known_address (p),
        p->loop == loop ? (long) p->reference->stride * bytes : 0, bytes, loop->number,
        loop->crosses_blocks ? arena_format (" - __upc_n%d", loop->number) : "");
}

void
put_strip_meetings (struct loop *loop)
{
  if (!loop->crosses_blocks)
    putf ("__upc_n%d = 0; ", loop->number);
  putf ("if ((__upc_left%d > 0x7ffffffful)", loop->number);
  open_asked (loop, " || ");
  for (const struct strip_meeting *m = loop->strip_meetings; m; m = m->next)
    {
      put (" | __upc_extents_meet (");
      put_strip_extent (loop, m->a);
      put (", ");
      put_strip_extent (loop, m->b);
      put (")");
    }
  close_asked (loop);
  put (") ");
}
