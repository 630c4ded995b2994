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

static struct iteration_set *owned_loops;

bool
put_owned_address (struct expr *l)
{
  struct expr *pointer;
  int64_t apart;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return false;
  pointer = pointer_of (l);
  if (pointer->kind != EXPR_DECAY || strip_parens (pointer->a)->kind != EXPR_NAME)
    return false;
  for (struct iteration_set *s = owned_loops; s; s = s->outer)
    if (s->index && s->index_block == block_of (l->type)
        && have_constant_distance (s->index, index_of (l), &apart) && (apart == 0 || s->is_by_one))
      {
        put (apart == 0 ? "__upc_owned_address (" : "__upc_owned_at_distance (");
        put_object (strip_parens (pointer->a));
        putf (", __upc_owned%d, __upc_k%d", s->loop_number, s->loop_number);
        if (apart != 0)
          {
            putf (", %ld, ", (long) apart);
            put_distance (l, true);
            putf (", %u", s->index_block);
          }
        putf (", %lu)", (unsigned long) type_size (l->type).value);
        return true;
      }
  return false;
}

static void
put_affinity (struct expr *affinity)
{
  if (affinity->kind == EXPR_INDEX)
    gen_pointer_to (affinity);
  else
    gen_argument (affinity);
}

/* The position in the layout of the induction variable's present value. */
static void
put_position (struct iteration_set *s)
{
  switch (s->position)
    {
    case POSITION_INTEGER:
      put ("(long) ");
      gen_operand (s->affinity);
      break;
    case POSITION_ELEMENT:
      put_distance (s->affinity, true);
      break;
    case POSITION_POINTER:
      put ("__upc_position (");
      put_affinity (s->affinity);
      putf (", %u)", s->block);
      break;
    case POSITION_THREAD:
      put ("(long) __upc_thread (");
      put_affinity (s->affinity);
      put (")");
      break;
    }
}

static void
put_block (struct iteration_set *s)
{
  if (!s->divisor)
    {
      putf ("%u", s->block);
      return;
    }
  put ("(long) ");
  gen_operand (s->divisor);
}

/* The bound and the induction variable are compared as COMMON. */
static const char *
cast_to (const struct type *common, const struct type *from)
{
  return from->kind == common->kind ? "" : arena_format ("(%s) ", plain_type (common));
}

static void
put_distance_to_bound (struct iteration_set *s)
{
  const struct type *common = common_type (promoted (s->induction->type),
                                           promoted (unqualified (s->bound->type)));
  const char *variable = arena_format ("(unsigned long) %s%s", cast_to (common, s->induction->type),
                                       c_name (s->induction));

  /* An unsigned induction variable may pass 0 on its way to a bound that it must meet. */
  if (s->relation == TOKEN_NOT_EQUAL)
    put (type_size (common).value <= 4 ? "(unsigned int) (" : "(unsigned long) (");
  if (s->is_down)
    putf ("%s - ", variable);
  putf ("(unsigned long) %s", cast_to (common, s->bound->type));
  gen_operand (s->bound);
  if (!s->is_down)
    putf (" - %s", variable);
  if (s->relation == TOKEN_NOT_EQUAL)
    put (")");
  if (s->relation == TOKEN_LESS_EQUAL || s->relation == TOKEN_GREATER_EQUAL)
    put (" + 1");
}

void
put_count (struct iteration_set *s)
{
  if (!moves_by_one (s))
    put ("__upc_count (");
  put ("(");
  gen_expr (s->loop->expr);
  put (") ? ");
  put_distance_to_bound (s);
  put (" : 0");
  if (!moves_by_one (s))
    put (s->step ? arena_format (", __upc_step%d)", s->loop_number)
                 : arena_format (", %ld)", (long) s->step_value));
}

/* The induction variable in iteration N. */
static const char *
induction_at (struct iteration_set *s, const char *n)
{
  return arena_format ("%s = (%s) (__upc_first%d %c %s%s)", c_name (s->induction),
                       plain_type (s->induction->type), s->loop_number, s->is_down ? '-' : '+', n,
                       s->step ? arena_format (" * (unsigned long) __upc_step%d", s->loop_number)
                       : moves_by_one (s) ? ""
                                          : arena_format (" * %lu", (unsigned long) s->step_value));
}

/* The variables of the loop, in a block of their own. */
static void
put_variables (struct iteration_set *s)
{
  int n = s->loop_number;

  put (" { ");
  if (s->step)
    {
      putf ("const long __upc_step%d = (long) ", n);
      gen_operand (s->step);
      put ("; ");
    }
  putf ("const unsigned long __upc_first%d = (unsigned long) %s; unsigned long __upc_k%d = 0; ", n,
        c_name (s->induction), n);
  if (s->is_by_one)
    putf ("__upc_owned __upc_owned%d = __upc_owned_begin (", n);
  else
    putf ("const unsigned long __upc_end%d = ", n);
  put_count (s);
  put (s->is_by_one ? ", " : arena_format ("; const long __upc_position%d = ", n));
  put_position (s);
  if (!s->is_by_one)
    {
      putf ("; __upc_owned __upc_owned%d = __upc_steps_begin (__upc_end%d, __upc_position%d, (%s, ",
            n, n, n, induction_at (s, "1"));
      put_position (s);
      putf (" - __upc_position%d)", n);
    }
  put (", ");
  put_block (s);
  putf (", __upc_outer%d); ", n);
}

static const char *
call_for_next (struct iteration_set *s, const char *what, const char *more)
{
  return arena_format ("__upc_%s_%s (&__upc_owned%d%s%s)", s->is_by_one ? "owned" : "steps", what,
                       s->loop_number, more, s->is_by_one ? arena_format (", %u", s->block) : "");
}

/* One iteration after another, or all at once. */
static void
put_iterations (struct iteration_set *s, struct strip *strip)
{
  int n = s->loop_number;
  bool is_strided = s->block == 1 || !s->is_by_one;

  if (!is_instrumenting () && has_independent_iterations (s, strip))
    {
      putf ("__upc_k%d = 0; ", n);
      if (put_whole_copy (s, strip, arena_format ("__upc_owned%d.__count", n)))
        return;
      put_line ("#pragma omp simd");
    }
  putf ("for (__upc_k%d = 0; __upc_k%d < __upc_owned%d.__count; __upc_k%d++", n, n, n, n);
  if (strip)
    put_strip_step (strip);
  putf (") { %s; ",
        induction_at (s, is_strided ? arena_format (
                             "(__upc_owned%d.__at + __upc_k%d * __upc_owned%d.__stride)", n, n, n)
                                    : arena_format ("(__upc_owned%d.__at + __upc_k%d)", n, n)));
  if (strip)
    put_strip_iteration (strip);
  gen_stmt (s->loop->then);
  put (" } ");
}

/* The loop over a run, or a strip of it. */
static void
put_run (struct iteration_set *s, struct strip *strip)
{
  s->outer = owned_loops;
  owned_loops = s;
  if (strip)
    enter_strip (strip);
  put_iterations (s, strip);
  if (strip)
    leave_strip (strip);
  owned_loops = s->outer;
}

/* A run in strips, of which each is made the run. */
static void
put_strips (struct iteration_set *s, struct strip *strip)
{
  int n = s->loop_number, number = strip->number;

  putf ("unsigned long __upc_todo%d = __upc_owned%d.__count; ", number, n);
  put_strip_variables (strip);
  putf ("for (;;) { %s; __upc_left%d = __upc_todo%d; ",
        induction_at (s, arena_format ("__upc_owned%d.__at", n)), number, number);
  put_strip_start (strip);
  putf ("__upc_owned%d.__count = __upc_left%d; ", n, number);
  put_run (s, strip);
  putf ("if (!(__upc_todo%d -= __upc_left%d)) break; __upc_owned_skip (&__upc_owned%d); } ", number,
        number, n);
}

/* A run of which all is known once its beginning is. */
static void
put_whole_run (struct iteration_set *s, struct strip *strip)
{
  if (strip)
    {
      put_strip_variables (strip);
      putf ("%s; ", induction_at (s, arena_format ("__upc_owned%d.__at", s->loop_number)));
      put_strip_start (strip);
    }
  put_run (s, strip);
}

static void
put_proven_loops (struct iteration_set *s)
{
  int n = s->loop_number;
  struct strip *strip = find_owned_strips (s);

  putf ("for (; __upc_owned%d.__at < __upc_owned%d.__end; %s) { ", n, n,
        call_for_next (s, "next", ""));
  if (strip && has_strips (s))
    put_strips (s, strip);
  else
    put_whole_run (s, strip);
  putf ("} %s; ", induction_at (s, arena_format ("__upc_owned%d.__end", n)));
}

static void
put_assumed_loop (struct iteration_set *s)
{
  int n = s->loop_number;

  putf ("const int __upc_all%d = __upc_outer%d || __upc_threads == 1; ", n, n);
  putf ("%s; for (; ",
        induction_at (s, arena_format ("(__upc_all%d ? 0 : __upc_owned%d.__at)", n, n)));
  gen_expr (s->loop->expr);
  putf ("; __upc_all%d ? (void) (", n);
  gen_expr (s->loop->step);
  putf (") : (void) (%s)) { ",
        induction_at (s, call_for_next (s, "advance", arena_format (", &__upc_k%d", n))));
  gen_stmt (s->loop->then);
  put (" } ");
}

bool
gen_owned_loop (struct stmt *loop, int number)
{
  struct iteration_set *s = find_owned_set (loop, number);

  if (!s)
    return false;
  putf ("{ const int __upc_outer%d = __upc_depth++; ", number);
  put_initialisation (loop);
  put_variables (s);
  if (s->single_valued == PROVEN)
    put_proven_loops (s);
  else
    put_assumed_loop (s);
  putf ("} __upc_depth = __upc_outer%d; }", number);
  return true;
}
