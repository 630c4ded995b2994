/* What the functions of outlined strips are given (outlined.c), as parameters and as arguments: all that the strip uses, by the
   names that it has there. */

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

const char *
name_of_outlined (const struct outlined *o)
{
  return o->decl ? c_name (o->decl)
                 : arena_format ("__upc_at%d_%d", o->loop->number, o->reference->number);
}

const char *
type_of_outlined (const struct outlined *o)
{
  return arena_format ("__typeof__ (%s)", name_of_outlined (o));
}

const char *
name_of_late (const struct loop *loop, const struct outlined *o)
{
  return arena_format ("__upc_late%d_%s", loop->number, name_of_outlined (o));
}

const struct outlined *
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
  put_variable (is_argument, name_of_outlined (o));
}

void
put_private (struct loop *loop, const struct outlined *o, bool is_argument)
{
  const char *name = name_of_outlined (o), *late = name_of_late (loop, o);

  put_variable (is_argument, name);
  if (!o->is_stored || returned_by (loop))
    return;
  if (is_argument)
    putf (", &%s", late);
  else
    put_parameter (arena_format ("__typeof__ (%s) *", name), late);
}

/* What finds elements here and there. */
static void
put_means (const struct outlined *o, bool is_argument)
{
  if (o->tabled)
    put_variable (is_argument, name_of_table (o->tabled));
  else if (o->copied && o->copied->is_made)
    put_variable (is_argument, name_of_copied (o->copied));
  else if (o->recent)
    put_variable (is_argument, name_of_recent (o->recent));
  else if (o->start && o->sure->is_sure)
    put_variable (is_argument, name_of_start (o->sure, o->start));
}

static void
put_left (struct loop *loop, bool is_argument)
{
  putf (is_argument ? " (__upc_left%d" : " (unsigned long __upc_left%d", loop->number);
}

void
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

void
put_strips_parameters (struct loop *loop, bool is_argument)
{
  put_left (loop, is_argument);
  put_own_variables (loop, is_argument);
  put_lanes (loop->stmt->lanes, is_argument);
  for (const struct outlined *o = loop->outlined; o; o = o->next)
    if (o->decl)
      put_private (loop, o, is_argument);
    else if (o->reference)
      put_reference (loop, o, is_argument);
    else
      put_means (o, is_argument);
  put (")");
}
