/* Strips as functions of their own, which AddressSanitizer does not instrument (plan/outlined.c):

       { __typeof__ (sum) __upc_late1_sum = sum;
         __extension__ __attribute__ (…) int __upc_strip1 (unsigned long __upc_left1, …, char *__upc_at1_1,
                                                           __typeof__ (sum) sum, __typeof__ (sum) *__upc_late1_sum)
           { unsigned long __upc_n1; const char *__upc_low1;
             if (!__upc_is_clean (…)) return 0;
             the strip
             *__upc_late1_sum = sum;
             return 1; }
         const int __upc_is_done1 = __upc_strip1 (__upc_left1, …, __upc_at1_1, sum, &__upc_late1_sum);
         if (__upc_is_done1) sum = __upc_late1_sum;
         if (!__upc_is_done1) { the strip } }

   All that the function uses are parameters with the names that the strip has for it: gcc keeps in memory what nested
   functions access of the one around. The function is only called, so that it needs no trampoline. */

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

/* START is the strip's first iteration. */
static void
put_question (struct loop *loop, const struct outlined *o, const char *start)
{
  int n = loop->number;

  putf ("__upc_n%d = %s; __upc_low%d = %s; __upc_n%d = __upc_left%d - 1; ", n, start, n,
        address_of (o->loop, o->reference), n, n);
  putf ("if (!__upc_is_clean (__upc_low%d, %s, %luul)) return 0; ", n,
        address_of (o->loop, o->reference), (unsigned long) element_bytes (o->reference));
}

static void
put_questions (struct loop *loop)
{
  int n = loop->number;
  const char *start = loop->crosses_blocks ? arena_format ("__upc_start%d", n) : "0ul";

  putf ("const char *__upc_low%d; ", n);
  if (loop->crosses_blocks)
    putf ("const unsigned long %s = __upc_n%d; ", start, n);
  else
    putf ("unsigned long __upc_n%d; ", n);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference)
      put_question (loop, o, start);
  if (loop->crosses_blocks)
    putf ("__upc_n%d = %s; ", n, start);
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
put_function (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;

  putf (
      "__extension__ __attribute__ ((__noinline__, __no_sanitize__ (\"address\"))) int __upc_strip%d",
      n);
  put_parameters (loop, false);
  put (" { ");
  put_questions (loop);
  gen (loop);
  put_late_values (loop, false);
  put ("return 1; } ");
}

/* Of the function compilers say nothing: its parameters have the names of variables around, and some of these may have
   no value yet. The strip behind it gets the warnings. */
void
gen_outlined (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;
  bool was_quiet;

  put ("{ ");
  was_quiet = put_quiet (true, loop->stmt->first);
  put_late_values (loop, true);
  put_function (loop, gen);
  putf ("const int __upc_is_done%d = __upc_strip%d", n, n);
  put_parameters (loop, true);
  put ("; ");
  put_quiet (was_quiet, loop->stmt->first);
  putf ("if (__upc_is_done%d) { ", n);
  put_values_of_late (loop);
  if (loop->crosses_blocks)
    putf ("__upc_n%d = __upc_left%d; ", n, n);
  put ("} else { ");
  gen (loop);
  put ("} } ");
}
