/* Strips as separate functions, which AddressSanitizer does not instrument (plan/outlined.c):

       { static __thread int __upc_missed1;
         __extension__ __attribute__ (…) __typeof__ (sum) __upc_strip1 (unsigned long __upc_left1, …, char *__upc_at1_1,
                                                                        __typeof__ (sum) sum)
           { if (!__upc_is_clean (…)) { __upc_missed1 = 1; return sum; }
             the strip
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
  bool is_moved_by_program = !loop->is_independent && loop->is_consecutive;

  if (loop->crosses_blocks)
    put_variable (is_argument, arena_format ("__upc_n%d", n));
  else if (!is_moved_by_program)
    put_variable (is_argument, arena_format ("__upc_set%d", n));
  if (loop->induction && !is_by_pointer (loop))
    {
      put_variable (is_argument, c_name (loop->induction));
      if (!is_moved_by_program)
        put_variable (is_argument, arena_format ("__upc_first%d", n));
    }
  if (loop->crosses_blocks && loop->is_independent)
    put_variable (is_argument, arena_format ("__upc_done%d", n));
  if (loop->step && !is_moved_by_program)
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

static const char *
name_of (const struct outlined *o)
{
  return o->decl ? c_name (o->decl)
                 : arena_format ("__upc_at%d_%d", o->loop->number, o->reference->number);
}

/* The variable that has the value of O, which LOOP stores to, behind a strip. */
static const char *
late_name (const struct loop *loop, const struct outlined *o)
{
  return arena_format ("__upc_late%d_%s", loop->number, name_of (o));
}

/* The only variable that the body of LOOP stores to, if there is one: it is returned. More are stored to by their addresses,
   for which the compiler keeps them in memory, between red zones. */
static const struct outlined *
returned_by (const struct loop *loop)
{
  const struct outlined *stored = NULL;

  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->is_stored && stored)
      return NULL;
    else if (o->is_stored)
      stored = o;
  return stored;
}

/* Of an element: its address, and the iteration of the loop around that has it. */
static void
put_reference (struct loop *loop, const struct outlined *o, bool is_argument)
{
  if (o->loop != loop && !is_again (loop, o))
    put_variable (is_argument, arena_format ("__upc_n%d", o->loop->number));
  put_variable (is_argument, name_of (o));
}

static void
put_private (struct loop *loop, const struct outlined *o, bool is_argument)
{
  const char *name = name_of (o), *late = late_name (loop, o);

  put_variable (is_argument, name);
  if (!o->is_stored || returned_by (loop))
    return;
  if (is_argument)
    putf (", &%s", late);
  else
    put_parameter (arena_format ("__typeof__ (%s) *", name), late);
}

static void
put_left (struct loop *loop, bool is_argument)
{
  putf (is_argument ? " (__upc_left%d" : " (unsigned long __upc_left%d", loop->number);
}

/* Of the function that finds out. */
static void
put_finders_parameters (struct loop *loop, bool is_argument)
{
  put_left (loop, is_argument);
  if (loop->crosses_blocks)
    put_variable (is_argument, arena_format ("__upc_n%d", loop->number));
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->reference)
      put_reference (loop, o, is_argument);
  put (")");
}

/* Of the strip itself. */
static void
put_strips_parameters (struct loop *loop, bool is_argument)
{
  put_left (loop, is_argument);
  put_own_variables (loop, is_argument);
  put_lanes (loop->stmt->lanes, is_argument);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    (o->decl ? put_private : put_reference) (loop, o, is_argument);
  put (")");
}

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

/* Where what the strip accesses is not known to be clean, or is not, leaves the function. */
static void
put_condition (struct loop *loop)
{
  const struct outlined *returned = returned_by (loop);
  int n = loop->number;
  const char *missed = returned ? arena_format ("{ __upc_missed%d = 1; return %s; } ", n,
                                                name_of (returned))
                                : "return 0; ";

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
  for (const struct outlined *o = loop->outlined; o && !returned_by (loop); o = o->next)
    if (o->is_stored)
      {
        put (is_declared ? arena_format ("__typeof__ (%s) ", name_of (o)) : "*");
        putf ("%s = %s; ", late_name (loop, o), name_of (o));
      }
}

/* … and takes them from there. */
static void
put_values_of_late (struct loop *loop)
{
  for (const struct outlined *o = loop->outlined; o && !returned_by (loop); o = o->next)
    if (o->is_stored)
      putf ("%s = %s; ", name_of (o), late_name (loop, o));
}

static void
put_function (struct loop *loop, const char *type, const char *name)
{
  putf ("__extension__ __attribute__ ((__noinline__, __no_sanitize__ (\"address\"))) %s __upc_%s%d",
        type, name, loop->number);
}

static void
put_strip (struct loop *loop, void (*gen) (struct loop *loop))
{
  const struct outlined *returned = returned_by (loop);

  put_function (loop, returned ? arena_format ("__typeof__ (%s)", name_of (returned)) : "int",
                "strip");
  put_strips_parameters (loop, false);
  put (" { ");
  put_condition (loop);
  gen (loop);
  put_late_values (loop, false);
  putf ("return %s; } ", returned ? name_of (returned) : "1");
}

static void
put_find (struct loop *loop)
{
  put_function (loop, "int", "find");
  put_finders_parameters (loop, false);
  put (" { ");
  put_search (loop);
  put ("return 1; } ");
}

static void
put_functions (struct loop *loop, void (*gen) (struct loop *loop))
{
  int n = loop->number;

  if (loop->has_near_rows)
    putf (
        "static __thread struct { unsigned long __count; __upc_clean_range __of[%d]; } __upc_clean%d; ",
        count_references (loop), n);
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
    putf ("(__upc_missed%d = 0, %s = ", n, name_of (returned));
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
