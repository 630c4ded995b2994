/* Strips as separate functions, which AddressSanitizer does not instrument (plan/outlined.c):

       { static __thread int __upc_missed1;
         __extension__ __attribute__ (…) __typeof__ (sum) __upc_strip1 (unsigned long __upc_left1, …, char *__upc_at1_1,
                                                                        __typeof__ (sum) sum)
           { const __typeof__ (sum) __upc_old1 = sum;
             if (!__upc_is_clean (…)) { __upc_missed1 = 1; return __upc_old1; }
             the strip, which may give up in the same way
             return sum; }
         if ((__upc_missed1 = 0, sum = __upc_strip1 (__upc_left1, …, __upc_at1_1, sum), !__upc_missed1))
           { what the strip's own steps have moved there }
         else
           { the strip } }

   If there is no such variable, or several, it returns whether the strip is done. For rows of a nest, most is known in
   advance, from the surroundings of the last row:

         static __thread struct { … } __upc_clean1;
         … __upc_strip1 (…) { if it is not known to be clean, return 0; the strip; return 1; }
         … __upc_find1 (…) { if (!__upc_find_clean (…)) return 0; … return 1; }
         if (__upc_strip1 (…) || (__upc_find1 (…) && __upc_strip1 (…)))

   Everything that the functions use is a parameter with the name that the strip has for it, as gcc keeps
   variables of the enclosing function in memory if a nested function accesses them. The functions are only
   called, so they need no trampoline. */

#include "tools/upc2c/write/internal.h"

void
put_late_values (struct loop *loop, bool is_declared)
{
  for (const struct outlined *o = loop->outlined; o && !returned_by (loop); o = o->next)
    if (o->is_stored)
      {
        put (is_declared ? arena_format ("__typeof__ (%s) ", name_of_outlined (o)) : "*");
        putf ("%s = %s; ", name_of_late (loop, o), name_of_outlined (o));
      }
}

void
put_values_of_late (struct loop *loop)
{
  for (const struct outlined *o = loop->outlined; o && !returned_by (loop); o = o->next)
    if (o->is_stored)
      putf ("%s = %s; ", name_of_outlined (o), name_of_late (loop, o));
}

void
put_function (struct loop *loop, const char *type, const char *name)
{
  putf (
      "__extension__ __attribute__ ((__noinline__, __noclone__, __no_sanitize__ (\"address\"))) %s __upc_%s%d",
      type, name, loop->number);
}

static void
put_strip (struct loop *loop, void (*gen) (struct loop *loop))
{
  const struct outlined *returned = returned_by (loop);

  put_function (loop, returned ? type_of_outlined (returned) : "int", "strip");
  put_strips_parameters (loop, false);
  put (" { ");
  if (returned)
    putf ("const __typeof__ (%s) __upc_old%d __attribute__ ((__unused__)) = %s; ",
          name_of_outlined (returned), loop->number, name_of_outlined (returned));
  put_outlined_condition (loop);
  gen_with_questions (loop, gen);
  put_late_values (loop, false);
  putf ("return %s; } ", returned ? name_of_outlined (returned) : "1");
}

static void
put_find (struct loop *loop)
{
  put_function (loop, "int", "find");
  put_finders_parameters (loop, false);
  put (" { ");
  put_outlined_search (loop);
  put ("return 1; } ");
}

static void
put_functions (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;

  if (loop->has_near_rows)
    putf (
        "static __thread struct { unsigned long __count; __upc_clean_range __of[%d]; } __upc_clean%d; ",
        count_outlined_references (loop), n);
  if (returned_by (loop))
    putf ("static __thread int __upc_missed%d; ", n);
  put_strip (loop, gen);
  if (loop->has_near_rows)
    put_find (loop);
}

/* Does the strip, and is whether that is done. */
static void
put_attempt (struct loop *loop)
{
  const struct outlined *returned = returned_by (loop);
  int n = loop->number;

  if (returned)
    putf ("(__upc_missed%d = 0, %s = ", n, name_of_outlined (returned));
  putf ("__upc_strip%d", n);
  put_strips_parameters (loop, true);
  if (returned)
    putf (", !__upc_missed%d)", n);
}

static void
put_attempts (struct loop *loop)
{
  put_attempt (loop);
  if (!loop->has_near_rows)
    return;
  putf (" || (__upc_find%d", loop->number);
  put_finders_parameters (loop, true);
  put (" && ");
  put_attempt (loop);
  put (")");
}

/* What LOOP's own steps have moved in the function, COUNT times, but not here. */
static void
put_moved (struct loop *loop, const char *count)
{
  put_shifts (loop, count);
  if (loop->counter)
    putf ("%s -= %s; ", c_name (loop->counter->decl), count);
  if (!loop->crosses_blocks)
    {
      put_strip_end (loop);
      return;
    }
  if (!loop->is_independent && loop->induction && !is_by_pointer (loop))
    putf ("%s; ", induction_moved (loop, count));
  putf ("__upc_n%d = __upc_left%d; ", loop->number, loop->number);
}

/* Of the functions compilers say nothing: their parameters have the names of variables around, and some of these may have
   no value yet. The strip behind it gets the warnings. */
void
gen_outlined (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;
  bool was_quiet;

  put ("{ ");
  was_quiet = put_quiet (true, loop->stmt->first);
  put_late_values (loop, true);
  put_functions (loop, gen);
  put ("if (");
  put_attempts (loop);
  put (") { ");
  put_values_of_late (loop);
  put_quiet (was_quiet, loop->stmt->first);
  put_moved (loop, arena_format (
                       loop->crosses_blocks ? "(__upc_left%d - __upc_n%d)" : "__upc_left%d", n, n));
  put ("} else { ");
  gen (loop);
  put ("} } ");
}
