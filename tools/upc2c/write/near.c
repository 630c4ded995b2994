/* Strips that ask once whether they are near (plan/near.c). The body is written twice:

       if (__upc_is_near (__upc_at1_2)) { plain accesses } else { accesses that ask (network.c) }

   What is fetched comes first:

       { char __upc_got1_1[…]; if (!__upc_is_near (__upc_at1_1)) { …; __upc_at1_1 = __upc_got1_1; } … } */

#include "tools/upc2c/write/internal.h"

bool
is_known_near (struct expr *l)
{
  const struct reference *r = planned_reference (l);

  return r && r->is_near && !l->is_strict && !l->is_awaited;
}

static void
put_is_near (struct loop *loop, struct reference *r)
{
  putf ("__upc_is_near (__upc_at%d_%d)", loop->number, r->number);
}

static void
put_buffer (struct loop *loop, struct reference *r)
{
  unsigned long bytes = element_bytes (r);

  putf ("char __upc_got%d_%d[%d] __attribute__ ((aligned (64))); if (!", loop->number, r->number,
        FETCHED_BYTES);
  put_is_near (loop, r);
  putf (" && __upc_left%d > %lu) __upc_left%d = %lu; ", loop->number, FETCHED_BYTES / bytes,
        loop->number, FETCHED_BYTES / bytes);
}

static void
put_fetch (struct loop *loop, struct reference *r)
{
  int n = loop->number, m = r->number;
  unsigned long bytes = element_bytes (r);

  put ("if (!");
  put_is_near (loop, r);
  put (") { ");
  if (r->stays)
    putf (
        "__upc_remote_load (__upc_got%d_%d, __upc_at%d_%d, %lu); __upc_at%d_%d = __upc_got%d_%d; ",
        n, m, n, m, bytes, n, m, n, m);
  else
    {
      const char *back = r->stride > 0 ? "0" : arena_format ("(__upc_left%d - 1) * %lu", n, bytes);

      putf ("__upc_remote_load (__upc_got%d_%d, __upc_at%d_%d - %s, __upc_left%d * %lu); ", n, m, n,
            m, back, n, bytes);
      putf ("__upc_at%d_%d = __upc_got%d_%d + %s; ", n, m, n, m, back);
    }
  put ("} ");
}

bool
begin_near (struct loop *loop)
{
  if (!loop->asks_once)
    return false;
  put ("if (1");
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_in_strip (r) && !r->is_fetched)
      {
        put (" && ");
        put_is_near (loop, r);
      }
  put (") { ");
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->is_fetched)
      put_buffer (loop, r);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (r->is_fetched)
        put_fetch (loop, r);
      r->is_near = is_in_strip (r);
    }
  return true;
}

void
end_near (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    r->is_near = false;
  put ("} else { ");
}
