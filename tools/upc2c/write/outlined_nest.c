/* Nests as separate functions, which AddressSanitizer does not instrument (plan/outlined_nest.c):

       if (__upc_is_nest1 == 2)
         {
           __extension__ __attribute__ (…) __typeof__ (sum) __upc_whole1 (__upc_nest_array *__upc_nest1, __typeof__ (n) n,
                                                                          __typeof__ (sum) sum)
             { the nest; return sum; }
           sum = __upc_whole1 (__upc_nest1, n, sum);
         }
       else
         the nest

   They get their variables as strips do (outlined.c). */

#include "tools/upc2c/write/internal.h"

static void
put_parameters (const struct nest *nest, bool is_argument)
{
  struct loop *loop = nest->loops->loop;

  putf (is_argument ? "(__upc_nest%d"
                    : "(__upc_nest_array *__upc_nest%d __attribute__ ((__unused__))",
        nest->number);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    put_private (loop, o, is_argument);
  put (")");
}

bool
open_nest_function (const struct nest *nest)
{
  struct loop *loop = nest->loops->loop;
  const struct outlined *returned = returned_by (loop);
  bool was_quiet = put_quiet (true, loop->stmt->first);

  put_late_values (loop, true);
  put_function (loop, returned ? type_of_outlined (returned) : "void", "whole");
  put_parameters (nest, false);
  put (" { ");
  return was_quiet;
}

void
close_nest_function (const struct nest *nest, bool was_quiet)
{
  struct loop *loop = nest->loops->loop;
  const struct outlined *returned = returned_by (loop);

  put_late_values (loop, false);
  if (returned)
    putf ("return %s; ", name_of_outlined (returned));
  put ("} ");
  if (returned)
    putf ("%s = ", name_of_outlined (returned));
  putf ("__upc_whole%d ", loop->number);
  put_parameters (nest, true);
  put ("; ");
  put_values_of_late (loop);
  put_quiet (was_quiet, loop->stmt->first);
}
