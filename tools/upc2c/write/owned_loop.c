/* upc_forall whose affinity is an affine expression of the induction variable. The thread
   computes its owned iteration set and visits no other iterations. The set consists of runs,
   such as the elements of a block:

       { int __upc_outer1 = __upc_depth++; i = lo;
         { unsigned long __upc_first1 = i, __upc_k1;
           __upc_owned __upc_owned1 = __upc_owned_begin (n - lo, position, block, …);
           for (; __upc_owned1.__at < __upc_owned1.__end; … next run)
             { for (__upc_k1 = 0; __upc_k1 < __upc_owned1.__count; __upc_k1++)
                 { i = __upc_first1 + __upc_owned1.__at + __upc_k1; … } }
           i = n; }
         __upc_depth = __upc_outer1; }

   Where the body might change operands of the loop header, the loop keeps its condition, and
   its step where a thread executes all iterations (enum single_valuedness). */

#include "tools/upc2c/write/internal.h"

static void
put_affinity (struct expr *affinity)
{
  if (affinity->kind == EXPR_INDEX)
    gen_pointer_to (affinity);
  else
    gen_argument (affinity);
}

static void
put_block (struct loop *loop)
{
  if (!loop->divisor)
    {
      putf ("%u", loop->block);
      return;
    }
  put ("(long) ");
  gen_operand (loop->divisor);
}

/* Whether no long may hold the position. Another one then stands for it, which lies as it does. */
static bool
has_large_position (const struct loop *loop)
{
  const struct type *type = loop->affinity->type;

  return loop->position == POSITION_INTEGER && type_is_unsigned (type)
         && type_size (type).value == 8;
}

static void
put_integer_position (struct loop *loop)
{
  bool is_replaced = has_large_position (loop) && loop->is_by_one;

  put (is_replaced ? "__upc_unsigned_position (" : "(long) ");
  gen_operand (loop->affinity);
  if (!is_replaced)
    return;
  put (", ");
  put_block (loop);
  put (")");
}

/* The position in the layout of the induction variable's present value. */
static void
put_position (struct loop *loop)
{
  switch (loop->position)
    {
    case POSITION_INTEGER:
      put_integer_position (loop);
      break;
    case POSITION_ELEMENT:
      put_distance (loop->affinity, true);
      break;
    case POSITION_POINTER:
      put ("__upc_position (");
      put_affinity (loop->affinity);
      putf (", %u)", loop->block);
      break;
    case POSITION_THREAD:
      put ("(long) __upc_thread (");
      put_affinity (loop->affinity);
      put (")");
      break;
    }
}

/* The bound and the induction variable are compared as COMMON. */
static const char *
cast_to (const struct type *common, const struct type *from)
{
  return from->kind == common->kind ? "" : arena_format ("(%s) ", plain_type (common));
}

static void
put_distance_to_bound (struct loop *loop)
{
  const struct type *common = common_type (promoted (loop->induction->type),
                                           promoted (unqualified (loop->bound->type)));
  const char *variable = arena_format (
      "(unsigned long) %s%s", cast_to (common, loop->induction->type), c_name (loop->induction));

  /* An unsigned induction variable may pass 0 on its way to a bound that it must meet. */
  if (loop->relation == TOKEN_NOT_EQUAL)
    put (type_size (common).value <= 4 ? "(unsigned int) (" : "(unsigned long) (");
  if (loop->is_down)
    putf ("%s - ", variable);
  putf ("(unsigned long) %s", cast_to (common, loop->bound->type));
  gen_operand (loop->bound);
  if (!loop->is_down)
    putf (" - %s", variable);
  if (loop->relation == TOKEN_NOT_EQUAL)
    put (")");
  if (loop->relation == TOKEN_LESS_EQUAL || loop->relation == TOKEN_GREATER_EQUAL)
    put (" + 1");
}

void
put_count (struct loop *loop)
{
  if (!moves_by_one (loop))
    put ("__upc_count (");
  put ("(");
  gen_expr (loop->stmt->expr);
  put (") ? ");
  put_distance_to_bound (loop);
  put (" : 0");
  if (!moves_by_one (loop))
    put (loop->step ? arena_format (", __upc_step%d)", loop->number)
                    : arena_format (", %ld)", (long) loop->step_value));
}

/* The induction variable in iteration N. */
static const char *
induction_at (struct loop *loop, const char *n)
{
  return arena_format (
      "%s = (%s) (__upc_first%d %c %s%s)", c_name (loop->induction),
      plain_type (loop->induction->type), loop->number, loop->is_down ? '-' : '+', n,
      loop->step            ? arena_format (" * (unsigned long) __upc_step%d", loop->number)
      : moves_by_one (loop) ? ""
                            : arena_format (" * %lu", (unsigned long) loop->step_value));
}

/* The variables of the loop, in a block of their own. */
static void
put_variables (struct loop *loop)
{
  int n = loop->number;

  put (" { ");
  if (loop->step)
    {
      putf ("const long __upc_step%d = (long) ", n);
      gen_operand (loop->step);
      put ("; ");
    }
  putf ("const unsigned long __upc_first%d = (unsigned long) %s; unsigned long __upc_k%d = 0; ", n,
        c_name (loop->induction), n);
  if (loop->is_by_one)
    putf ("__upc_owned __upc_owned%d = __upc_owned_begin (", n);
  else
    putf ("const unsigned long __upc_end%d = ", n);
  put_count (loop);
  put (loop->is_by_one ? ", " : arena_format ("; const long __upc_position%d = ", n));
  put_position (loop);
  if (!loop->is_by_one)
    {
      putf ("; __upc_owned __upc_owned%d = __upc_steps_begin (__upc_end%d, ", n, n);
      put (has_large_position (loop) ? "__upc_lap_position (" : "");
      putf ("__upc_position%d, ", n);
      if (has_large_position (loop))
        {
          put_block (loop);
          put ("), ");
        }
      putf ("(%s, ", induction_at (loop, "1"));
      put_position (loop);
      putf (" - __upc_position%d)", n);
    }
  put (", ");
  put_block (loop);
  putf (", __upc_outer%d); ", n);
}

static const char *
call_for_next (struct loop *loop, const char *what, const char *more)
{
  return arena_format ("__upc_%s_%s (&__upc_owned%d%s%s)", loop->is_by_one ? "owned" : "steps",
                       what, loop->number, more,
                       loop->is_by_one ? arena_format (", %u", loop->block) : "");
}

/* One iteration after another, or all at once. */
static void
put_iterations (struct loop *loop)
{
  int n = loop->number;
  bool is_strided = loop->block == 1 || !loop->is_by_one;

  if (loop->is_independent)
    {
      putf ("__upc_k%d = 0; ", n);
      if (put_whole_copy (loop, arena_format ("__upc_owned%d.__count", n)))
        return;
      put_line ("#pragma omp simd");
    }
  putf ("for (__upc_k%d = 0; __upc_k%d < __upc_owned%d.__count; __upc_k%d++", n, n, n, n);
  put_strip_step (loop);
  putf (
      ") { %s; ",
      induction_at (loop, is_strided ? arena_format (
                              "(__upc_owned%d.__at + __upc_k%d * __upc_owned%d.__stride)", n, n, n)
                                     : arena_format ("(__upc_owned%d.__at + __upc_k%d)", n, n)));
  put_strip_iteration (loop);
  gen_stmt (loop->stmt->then);
  put (" } ");
}

/* Whether all owned blocks may be done as one strip: all references have the phase of the own
   elements. Then the strip is made all of them. */
static void
put_flat (struct loop *loop, const char *count)
{
  int n = loop->number;

  putf ("__upc_flat%d = !__upc_outer%d", n, n);
  for (struct reference *r = loop->references; r; r = r->next)
    if (!r->is_in_phase)
      put_phase_test (loop, r);
  putf ("; if (__upc_flat%d) %s = __upc_owned_all (&__upc_owned%d, %u); ", n, count, n,
        loop->block);
}

/* A run in strips, of which each is made the run. */
static void
put_strips (struct loop *loop)
{
  int n = loop->number;

  putf ("unsigned long __upc_todo%d = __upc_owned%d.__count; ", n, n);
  put_strip_variables (loop);
  putf ("for (;;) { %s; __upc_left%d = __upc_todo%d; ",
        induction_at (loop, arena_format ("__upc_owned%d.__at", n)), n, n);
  put_strip_start (loop);
  if (loop->may_be_flat)
    put_flat (loop, arena_format ("__upc_left%d = __upc_todo%d", n, n));
  putf ("__upc_owned%d.__count = __upc_left%d; ", n, n);
  put_iterations (loop);
  putf ("if (!(__upc_todo%d -= __upc_left%d)) break; __upc_owned_skip (&__upc_owned%d); } ", n, n,
        n);
}

/* A run of which all is known once its beginning is. */
static void
put_whole_run (struct loop *loop)
{
  if (loop->references)
    {
      put_strip_variables (loop);
      putf ("%s; ", induction_at (loop, arena_format ("__upc_owned%d.__at", loop->number)));
      put_strip_start (loop);
    }
  if (loop->may_be_flat)
    put_flat (loop, arena_format ("__upc_owned%d.__count", loop->number));
  put_iterations (loop);
}

static void
put_proven_loops (struct loop *loop)
{
  int n = loop->number;

  putf ("for (; __upc_owned%d.__at < __upc_owned%d.__end; %s) { ", n, n,
        call_for_next (loop, "next", ""));
  if (loop->may_be_flat)
    putf ("int __upc_flat%d; ", n);
  if (loop->references && has_strips (loop))
    put_strips (loop);
  else
    put_whole_run (loop);
  if (loop->may_be_flat)
    putf ("if (__upc_flat%d) break; ", n);
  putf ("} %s; ", induction_at (loop, arena_format ("__upc_owned%d.__end", n)));
}

static void
put_assumed_loop (struct loop *loop)
{
  int n = loop->number;

  putf ("const int __upc_all%d = __upc_outer%d || __upc_threads == 1; ", n, n);
  putf ("%s; for (; ",
        induction_at (loop, arena_format ("(__upc_all%d ? 0 : __upc_owned%d.__at)", n, n)));
  gen_expr (loop->stmt->expr);
  putf ("; __upc_all%d ? (void) (", n);
  gen_expr (loop->stmt->step);
  putf (") : (void) (%s)) { ",
        induction_at (loop, call_for_next (loop, "advance", arena_format (", &__upc_k%d", n))));
  gen_stmt (loop->stmt->then);
  put (" } ");
}

void
gen_owned_loop (struct loop *loop)
{
  putf ("{ const int __upc_outer%d = __upc_depth++; ", loop->number);
  put_initialisation (loop->stmt);
  put_variables (loop);
  if (loop->single_valued == PROVEN)
    put_proven_loops (loop);
  else
    put_assumed_loop (loop);
  putf ("} __upc_depth = __upc_outer%d; }", loop->number);
}
