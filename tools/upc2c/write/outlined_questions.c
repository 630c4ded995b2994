/* What the functions of outlined strips ask AddressSanitizer's shadow (outlined.c, include/upct/clean.h): about all elements of a
   strip before it, and about those here and there in it. */

#include "tools/upc2c/write/internal.h"

static const char *
first_iteration (const struct loop *loop)
{
  return loop->crosses_blocks ? arena_format ("__upc_start%d", loop->number) : "0ul";
}

/* Whether O's elements, which are in blocks of several threads, are clean. */
static void
put_question_of_blocks (struct loop *loop, const struct outlined *o)
{
  const struct reference *r = o->reference;
  int n = loop->number;

  putf ("__upc_may%d = __upc_blocks_are_clean (%s, %ldl, %luul, __upc_left%d - %s, %luul); ", n,
        address_of (loop, o->reference), (long) (r->stride / block_of (r->type)),
        (unsigned long) (block_of (r->type) * element_bytes (r)), n, first_iteration (loop),
        (unsigned long) element_bytes (r));
}

/* FUNCTION of O's elements in the strip, of which WHAT may be known. */
static void
put_question (struct loop *loop, const struct outlined *o, const char *function, const char *what)
{
  int n = loop->number;
  const char *first = first_iteration (loop), *last = arena_format ("__upc_left%d - 1", n);
  bool is_down = o->reference->stride < 0;

  if (o->loop == loop && o->reference->stride_kind == BLOCK_STRIDE)
    {
      put_question_of_blocks (loop, o);
      return;
    }
  putf ("__upc_n%d = %s; __upc_low%d = %s; __upc_n%d = %s; ", n, is_down ? last : first, n,
        address_of (o->loop, o->reference), n, is_down ? first : last);
  putf ("__upc_may%d = %s (%s__upc_low%d, %s, %luul); ", n, function, what, n,
        address_of (o->loop, o->reference), (unsigned long) element_bytes (o->reference));
}

int
count_outlined_references (const struct loop *loop)
{
  int count = 0;

  for (const struct outlined *o = loop->outlined; o; o = o->next)
    count += o->reference != NULL;
  return count;
}

/* FUNCTION of all, by what is known of them if IS_KNOWN, and CONSEQUENCE behind each. */
static void
put_questions (struct loop *loop, const char *function, bool is_known, const char *consequence)
{
  int n = loop->number, k = 0;

  putf ("const char *__upc_low%d __attribute__ ((__unused__)); int __upc_may%d; ", n, n);
  if (loop->crosses_blocks)
    putf ("const unsigned long %s __attribute__ ((__unused__)) = __upc_n%d; ",
          first_iteration (loop), n);
  else
    putf ("unsigned long __upc_n%d __attribute__ ((__unused__)) = 0; ", n);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference)
      {
        put_question (loop, o, function,
                      is_known ? arena_format ("&__upc_clean%d.__of[%d], ", n, k++) : "");
        put (consequence);
      }
}

/* Leaves the function, as if nothing had been done in it. */
static const char *
give_up (struct loop *loop)
{
  return returned_by (loop) ? arena_format ("{ __upc_missed%d = 1; return __upc_old%d; } ",
                                            loop->number, loop->number)
                            : "return 0; ";
}

void
put_outlined_condition (struct loop *loop)
{
  int n = loop->number;
  const char *missed = give_up (loop);

  if (loop->has_near_rows)
    {
      putf ("int __upc_are%d = __upc_clean%d.__count == __upc_count_poisonings (); ", n, n);
      put_questions (loop, "__upc_is_known_clean", true,
                     arena_format ("__upc_are%d &= __upc_may%d; ", n, n));
      putf ("if (!__upc_are%d) %s", n, missed);
    }
  else
    put_questions (loop, "__upc_is_clean", false, arena_format ("if (!__upc_may%d) %s", n, missed));
  if (loop->crosses_blocks)
    putf ("__upc_n%d = %s; ", n, first_iteration (loop));
}

void
put_outlined_search (struct loop *loop)
{
  int n = loop->number;

  putf ("const unsigned long __upc_count%d = __upc_count_poisonings (); ", n);
  putf ("if (__upc_clean%d.__count != __upc_count%d) "
        "{ __builtin_memset (&__upc_clean%d, 0, sizeof __upc_clean%d); "
        "__upc_clean%d.__count = __upc_count%d; } ",
        n, n, n, n, n, n);
  put_questions (loop, "__upc_find_clean", true, arena_format ("if (!__upc_may%d) return 0; ", n));
}

/* The loop whose function's strip is being written; or NULL. */
static struct loop *being_written;

void
gen_with_questions (struct loop *loop, void (*gen) (struct loop *loop))
{
  being_written = loop;
  gen (loop);
  being_written = NULL;
}

void
open_question (const struct expr *l)
{
  if (being_written && l->plan && l->plan->is_asked_about)
    put ("__extension__ ({ char *__upc_here = ");
}

void
close_question (struct expr *l)
{
  if (being_written && l->plan && l->plan->is_asked_about)
    putf ("; if (__builtin_expect (!__upc_is_one_clean (__upc_here, %luul), 0)) %s"
          "(void *) __upc_here; })",
          (unsigned long) type_size (l->type).value, give_up (being_written));
}
