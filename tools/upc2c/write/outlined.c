/* Strips as separate functions, which AddressSanitizer does not instrument (plan/outlined.c):

       { __typeof__ (sum) __upc_late1_sum = sum;
         __extension__ __attribute__ (…) int __upc_strip1 (unsigned long __upc_left1, …, char *__upc_at1_1,
                                                           __typeof__ (sum) sum, __typeof__ (sum) *__upc_late1_sum)
           { if (!__upc_is_clean (…)) return 0;
             the strip
             *__upc_late1_sum = sum;
             return 1; }
         const int __upc_is_done1 = __upc_strip1 (__upc_left1, …, __upc_at1_1, sum, &__upc_late1_sum);
         if (__upc_is_done1) sum = __upc_late1_sum;
         if (!__upc_is_done1) { the strip } }

   For rows of a nest, most is known in advance, from the surroundings of the last row:

         static __thread struct { … } __upc_clean1;
         … __upc_strip1 (…) { if it is not known to be clean, return 0; the strip … }
         … __upc_find1 (…) { if (!__upc_find_clean (…)) return 0; … return 1; }
         const int __upc_is_done1 = __upc_strip1 (…) || (__upc_find1 (…) && __upc_strip1 (…));

   Everything that the functions use is a parameter with the name that the strip has for it, as gcc keeps
   variables of the enclosing function in memory if a nested function accesses them. The functions are only
   called, so they need no trampoline. */

#include "tools/upc2c/write/internal.h"

/* A parameter, or if TYPE is NULL the argument for it. */
static void
put_parameter (const char *type, const char *name)
{
  if (type)
    putf (", %s %s __attribute__ ((__unused__))", type, name);
  else
    putf (", %s", name);
}

/* The same of a variable of any type. */
static void
put_variable (bool is_argument, const char *name)
{
  put_parameter (is_argument ? NULL : arena_format ("__typeof__ (%s)", name), name);
}

/* Whether an earlier one than O is of the same loop. */
static bool
is_again (const struct loop *loop, const struct outlined *o)
{
  const struct outlined *first = loop->outlined;

  while (first->loop != o->loop)
    first = first->next;
  return first != o;
}

/* What positions in LOOP's strip follow from. */
static void
put_own_variables (struct loop *loop, bool is_argument)
{
  int n = loop->number;

  if (loop->crosses_blocks)
    put_variable (is_argument, arena_format ("__upc_n%d", n));
  else
    put_variable (is_argument, arena_format ("__upc_set%d", n));
  if (loop->crosses_blocks && !loop->is_independent)
    return;
  put_variable (is_argument, c_name (loop->induction));
  put_variable (is_argument, arena_format ("__upc_first%d", n));
  if (loop->crosses_blocks)
    put_variable (is_argument, arena_format ("__upc_done%d", n));
  if (loop->step)
    put_variable (is_argument, arena_format ("__upc_step%d", n));
}

/* What the lanes have of the variables that have a value in each (lanes.c). */
static void
put_lanes (const struct lanes *lanes, bool is_argument)
{
  if (!lanes || !lanes->scalars)
    return;
  put_variable (is_argument, arena_format ("__upc_lanes%d", lanes->loop->number));
  for (const struct lane_scalar *s = lanes->scalars; s; s = s->next)
    {
      const char *name = arena_format ("__upc_lane%d_%d", lanes->loop->number, s->number);

      put_parameter (is_argument ? NULL : arena_format ("__typeof__ (*%s) *", name), name);
    }
}

/* The variable that has the value of DECL, which LOOP stores to, behind a strip. */
static const char *
late_name (const struct loop *loop, struct decl *decl)
{
  return arena_format ("__upc_late%d_%s", loop->number, c_name (decl));
}

static void
put_declared (struct loop *loop, const struct outlined *o, bool is_argument)
{
  const char *name = c_name (o->decl), *late = late_name (loop, o->decl);

  put_variable (is_argument, name);
  if (!o->is_stored)
    return;
  if (is_argument)
    putf (", &%s", late);
  else
    put_parameter (arena_format ("__typeof__ (%s) *", name), late);
}

/* Of the element, and the iteration of the loop around that has it. */
static void
put_reference (struct loop *loop, const struct outlined *o, bool is_argument)
{
  int n = o->loop->number;

  if (o->loop != loop && !is_again (loop, o))
    put_variable (is_argument, arena_format ("__upc_n%d", n));
  put_variable (is_argument, arena_format ("__upc_at%d_%d", n, o->reference->number));
}

static void
put_parameters (struct loop *loop, bool is_argument)
{
  putf (is_argument ? " (__upc_left%d" : " (unsigned long __upc_left%d", loop->number);
  put_own_variables (loop, is_argument);
  put_lanes (loop->stmt->lanes, is_argument);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    (o->decl ? put_declared : put_reference) (loop, o, is_argument);
  put (")");
}

static const char *
first_iteration (const struct loop *loop)
{
  return loop->crosses_blocks ? arena_format ("__upc_start%d", loop->number) : "0ul";
}

/* FUNCTION of O's elements in the strip, of which WHAT may be known. */
static void
put_question (struct loop *loop, const struct outlined *o, const char *function, const char *what)
{
  int n = loop->number;
  const char *first = first_iteration (loop), *last = arena_format ("__upc_left%d - 1", n);
  bool is_down = o->reference->stride < 0;

  putf ("__upc_n%d = %s; __upc_low%d = %s; __upc_n%d = %s; ", n, is_down ? last : first, n,
        address_of (o->loop, o->reference), n, is_down ? first : last);
  putf ("__upc_may%d = %s (%s__upc_low%d, %s, %luul); ", n, function, what, n,
        address_of (o->loop, o->reference), (unsigned long) element_bytes (o->reference));
}

static int
count_references (const struct loop *loop)
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

  putf ("const char *__upc_low%d; int __upc_may%d; ", n, n);
  if (loop->crosses_blocks)
    putf ("const unsigned long %s = __upc_n%d; ", first_iteration (loop), n);
  else
    putf ("unsigned long __upc_n%d; ", n);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference)
      {
        put_question (loop, o, function,
                      is_known ? arena_format ("&__upc_clean%d.__of[%d], ", n, k++) : "");
        put (consequence);
      }
}

/* Whether what the strip accesses is known to be clean; or else whether it is. */
static void
put_condition (struct loop *loop)
{
  int n = loop->number;
  const char *no = arena_format ("if (!__upc_may%d) return 0; ", n);

  if (loop->has_near_rows)
    {
      putf ("int __upc_are%d = __upc_clean%d.__count == __upc_count_poisonings (); ", n, n);
      put_questions (loop, "__upc_is_known_clean", true,
                     arena_format ("__upc_are%d &= __upc_may%d; ", n, n));
      putf ("if (!__upc_are%d) return 0; ", n);
    }
  else
    put_questions (loop, "__upc_is_clean", false, no);
  if (loop->crosses_blocks)
    putf ("__upc_n%d = %s; ", n, first_iteration (loop));
}

/* Finds it out. */
static void
put_search (struct loop *loop)
{
  int n = loop->number;

  putf ("const unsigned long __upc_count%d = __upc_count_poisonings (); ", n);
  putf ("if (__upc_clean%d.__count != __upc_count%d) "
        "{ __builtin_memset (&__upc_clean%d, 0, sizeof __upc_clean%d); "
        "__upc_clean%d.__count = __upc_count%d; } ",
        n, n, n, n, n, n);
  put_questions (loop, "__upc_find_clean", true, arena_format ("if (!__upc_may%d) return 0; ", n));
}

/* Gives the late variables the values, which declares them if IS_DECLARED; else they are pointers. */
static void
put_late_values (struct loop *loop, bool is_declared)
{
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->is_stored)
      {
        const char *name = c_name (o->decl);

        put (is_declared ? arena_format ("__typeof__ (%s) ", name) : "*");
        putf ("%s = %s; ", late_name (loop, o->decl), name);
      }
}

/* … and takes them from there. */
static void
put_values_of_late (struct loop *loop)
{
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->is_stored)
      putf ("%s = %s; ", c_name (o->decl), late_name (loop, o->decl));
}

static void
put_function (struct loop *loop, const char *name)
{
  putf (
      "__extension__ __attribute__ ((__noinline__, __no_sanitize__ (\"address\"))) int __upc_%s%d",
      name, loop->number);
  put_parameters (loop, false);
}

static void
put_call (struct loop *loop, const char *name)
{
  putf ("__upc_%s%d", name, loop->number);
  put_parameters (loop, true);
}

static void
put_strip (struct loop *loop, void (*gen) (struct loop *loop))
{
  put_function (loop, "strip");
  put (" { ");
  put_condition (loop);
  gen (loop);
  put_late_values (loop, false);
  put ("return 1; } ");
}

static void
put_find (struct loop *loop)
{
  put_function (loop, "find");
  put (" { ");
  put_search (loop);
  put ("return 1; } ");
}

/* … and whether the strip is done. */
static void
put_functions (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;

  if (loop->has_near_rows)
    putf ("static __thread struct { unsigned long __count; __upc_clean_range __of[%d]; } "
          "__upc_clean%d; ",
          count_references (loop), n);
  put_strip (loop, gen);
  if (loop->has_near_rows)
    put_find (loop);
  putf ("const int __upc_is_done%d = ", n);
  put_call (loop, "strip");
  if (loop->has_near_rows)
    {
      put (" || (");
      put_call (loop, "find");
      put (" && ");
      put_call (loop, "strip");
      put (")");
    }
  put ("; ");
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
  put_quiet (was_quiet, loop->stmt->first);
  putf ("if (__upc_is_done%d) { ", n);
  put_values_of_late (loop);
  if (loop->crosses_blocks)
    putf ("__upc_n%d = __upc_left%d; ", n, n);
  put ("} else { ");
  gen (loop);
  put ("} } ");
}
