/* Strips that test once whether they are near (plan/near.c). The body is written twice:

       if (__upc_is_near (__upc_at1_2)) { plain accesses } else { accesses that ask (network.c) }

   Far elements are fetched before the strip, and put after it; in between they are in a buffer:

       { char __upc_got1_1[…]; char *__upc_far1_1 = 0;
         if (!__upc_is_near (__upc_at1_1)) { __upc_far1_1 = __upc_at1_1; …; __upc_at1_1 = __upc_got1_1; } …
         if (__upc_far1_1) __upc_remote_store (__upc_far1_1, __upc_got1_1, …); } */

#include "tools/upc2c/write/internal.h"

bool
is_known_near (struct expr *l)
{
  const struct reference *r = planned_reference (l);

  return is_in_run (l) || (r && r->is_near && !l->is_strict && !l->is_awaited);
}

static void
put_is_near (struct loop *loop, struct reference *r)
{
  putf ("__upc_is_near (__upc_at%d_%d)", loop->number, r->number);
}

static bool
is_moved (const struct reference *r)
{
  return r->is_fetched || r->is_put;
}

static const char *
bytes_of_strip (struct loop *loop, struct reference *r)
{
  unsigned long bytes = element_bytes (r);

  return r->stride == 0 ? arena_format ("%lu", bytes)
                        : arena_format ("__upc_left%d * %lu", loop->number, bytes);
}

static void
put_buffer (struct loop *loop, struct reference *r)
{
  int n = loop->number, m = r->number;

  putf ("char __upc_got%d_%d[%d] __attribute__ ((aligned (64))), *__upc_far%d_%d = 0; ", n, m,
        FETCHED_BYTES, n, m);
}

void
put_limits_of_far (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_moved (r))
      {
        unsigned long most = FETCHED_BYTES / element_bytes (r);

        putf ("if (__upc_left%d > %lu && !", loop->number, most);
        put_is_near (loop, r);
        putf (") __upc_left%d = %lu; ", loop->number, most);
      }
}

/* What all iterations read of an element of R. */
struct read_part
{
  const struct reference *reference;
  uint64_t first, end;
};

static bool
widen (struct expr *e, void *data)
{
  struct read_part *part = data;
  struct expr *l = e->kind == EXPR_LOAD ? strip_parens (e->a) : NULL;
  struct piece piece;

  if (!l || planned_reference (l) != part->reference)
    return false;
  for (piece = whole_piece (l); l->kind == EXPR_DOT; l = strip_parens (around (l, &piece)))
    continue;
  if (part->end == 0 || piece.offset < part->first)
    part->first = piece.offset;
  if (piece.offset + piece.bytes.value > part->end)
    part->end = piece.offset + piece.bytes.value;
  return false;
}

/* The block may begin and end in elements of which no more is accessed. */
static void
put_fetched (struct loop *loop, struct reference *r)
{
  struct read_part part = { r, 0, 0 };
  int n = loop->number, m = r->number;

  if (!r->is_put)
    any_in_stmt (loop->stmt->then, widen, &part);
  if (part.end == 0)
    part.end = element_bytes (r);
  putf ("__upc_remote_load (__upc_got%d_%d + %lu, __upc_far%d_%d + %lu, %s - %lu); ", n, m,
        (unsigned long) part.first, n, m, (unsigned long) part.first, bytes_of_strip (loop, r),
        (unsigned long) (element_bytes (r) - (part.end - part.first)));
}

/* Where what is far of R lies, and what stands for it. */
static void
put_fetch (struct loop *loop, struct reference *r)
{
  int n = loop->number, m = r->number;
  const char *back = r->stride >= 0 ? "0"
                                    : arena_format ("(__upc_left%d - 1) * %lu", n,
                                                    (unsigned long) element_bytes (r));

  put ("if (!");
  put_is_near (loop, r);
  putf (") { __upc_far%d_%d = __upc_at%d_%d - %s; ", n, m, n, m, back);
  if (r->is_fetched)
    put_fetched (loop, r);
  putf ("__upc_at%d_%d = __upc_got%d_%d + %s; } ", n, m, n, m, back);
}

bool
begin_near (struct loop *loop)
{
  if (!loop->asks_once)
    return false;
  put ("if (1");
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_in_strip (r) && !is_moved (r))
      {
        put (" && ");
        put_is_near (loop, r);
      }
  put (") { ");
  for (struct reference *r = loop->references; r; r = r->next)
    if (is_moved (r))
      put_buffer (loop, r);
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (is_moved (r))
        put_fetch (loop, r);
      r->is_near = is_in_strip (r);
    }
  return true;
}

void
end_near (struct loop *loop)
{
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (r->is_put)
        putf ("if (__upc_far%d_%d) __upc_remote_store (__upc_far%d_%d, __upc_got%d_%d, %s); ",
              loop->number, r->number, loop->number, r->number, loop->number, r->number,
              bytes_of_strip (loop, r));
      r->is_near = false;
    }
  put ("} else { ");
}
