/* The iterations of a loop: their number, the induction variable in each, and those that belong
   to the thread (upct/forall.h). */

#include "tools/upc2c/write/internal.h"

#include <stdlib.h>

/* Whether the program's own steps suffice. */
static bool
moves_itself (struct loop *loop)
{
  return !is_forall (loop)
         && (!loop->induction || is_by_pointer (loop)
             || (loop->crosses_blocks && !loop->is_independent));
}

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

/* Whether no long may hold the position. */
static bool
has_large_position (const struct loop *loop)
{
  const struct type *type = loop->affinity->type;

  return loop->position == POSITION_INTEGER && type_is_unsigned (type)
         && type_size (type).value == 8;
}

void
put_first_position (struct loop *loop)
{
  if (!has_large_position (loop))
    {
      putf ("__upc_position%d", loop->number);
      return;
    }
  putf ("__upc_unsigned_position (__upc_position%d, ", loop->number);
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
      put ("(long) ");
      gen_operand (loop->affinity);
      break;
    case POSITION_ELEMENT:
      put_distance (loop->affinity, INDEX_OF_POSITION);
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

/* What LOOP's condition compares with its bound. */
static struct decl *
compared (const struct loop *loop)
{
  return loop->compared ? loop->compared->decl : loop->induction;
}

/* By how much an iteration changes that, if it is a constant. */
static int64_t
change_of_compared (const struct loop *loop)
{
  int64_t change = loop->is_down ? -loop->step_value : loop->step_value;

  return loop->compared ? loop->compared->factor * change : change;
}

static void
put_distance_to_integer (struct loop *loop, bool is_down)
{
  struct decl *d = compared (loop);
  const struct type *common = common_type (promoted (d->type),
                                           promoted (unqualified (loop->bound->type)));
  const char *variable = arena_format ("(unsigned long) %s%s", cast_to (common, d->type),
                                       c_name (d));

  /* An unsigned induction variable may pass 0 on its way to a bound that it must meet. */
  if (loop->relation == TOKEN_NOT_EQUAL)
    put (type_size (common).value <= 4 ? "(unsigned int) (" : "(unsigned long) (");
  if (is_down)
    putf ("%s - ", variable);
  putf ("(unsigned long) %s", cast_to (common, loop->bound->type));
  gen_operand (loop->bound);
  if (!is_down)
    putf (" - %s", variable);
  if (loop->relation == TOKEN_NOT_EQUAL)
    put (")");
}

static void
put_distance_to_bound (struct loop *loop)
{
  if (is_by_pointer (loop))
    {
      put ("(unsigned long) __upc_difference (");
      gen_argument (loop->bound);
      putf (", %s", c_name (loop->induction));
      put_layout (loop->induction->type->base);
    }
  else
    put_distance_to_integer (loop, loop->step ? loop->is_down : change_of_compared (loop) < 0);
  if (loop->relation == TOKEN_LESS_EQUAL || loop->relation == TOKEN_GREATER_EQUAL)
    put (" + 1");
}

static void
put_counted_down (struct loop *loop)
{
  const char *variable = c_name (loop->counter->decl);

  if (loop->relation == TOKEN_NOT_EQUAL)
    putf ("(unsigned %s) %s", type_size (loop->counter->type).value == 4 ? "int" : "long",
          variable);
  else
    putf ("%s > 0 ? (unsigned long) %s : 0", variable, variable);
}

static void
put_bounded_count (struct loop *loop)
{
  int64_t change = change_of_compared (loop), step = change < 0 ? -change : change;

  if (loop->stmt->is_do)
    put ("__upc_at_least_one (");
  if (loop->step || step != 1)
    put ("__upc_count (");
  put ("(");
  gen_expr (loop->stmt->expr);
  put (") ? ");
  put_distance_to_bound (loop);
  put (" : 0");
  if (loop->step || step != 1)
    put (loop->step ? arena_format (", __upc_step%d)", loop->number)
                    : arena_format (", %ld)", (long) step));
  if (loop->stmt->is_do)
    put (")");
}

void
put_count (struct loop *loop)
{
  const struct expr *condition = loop->stmt->expr;

  if (loop->counter)
    put_counted_down (loop);
  else if (!loop->bound)
    put ("~0ul >> 1");
  else
    {
      bool was_told = begin_told (condition->first);

      put_bounded_count (loop);
      end_told (was_told, condition->first, condition->last);
    }
}

/* Gives LOOP's induction variable, an integer, the value that it has N steps behind FIRST. */
static const char *
induction_from (struct loop *loop, const char *first, const char *n)
{
  return arena_format ("%s = (%s) (%s %c (%s)%s)", c_name (loop->induction),
                       plain_type (loop->induction->type), first, loop->is_down ? '-' : '+', n,
                       loop->step ? arena_format (" * (unsigned long) __upc_step%d", loop->number)
                       : moves_by_one (loop)
                           ? ""
                           : arena_format (" * %lu", (unsigned long) loop->step_value));
}

const char *
induction_at (struct loop *loop, const char *n)
{
  if (is_by_pointer (loop))
    {
      struct buffering *c = begin_buffering ();

      putf ("%s = __upc_add (__upc_first%d, (long) (%s)", c_name (loop->induction), loop->number,
            n);
      put_layout (loop->induction->type->base);
      return end_buffering (c);
    }
  return arena_format ("%s%s",
                       induction_from (loop, arena_format ("__upc_first%d", loop->number), n),
                       secondaries_at (loop));
}

const char *
induction_moved (struct loop *loop, const char *n)
{
  return induction_from (loop, arena_format ("(unsigned long) %s", c_name (loop->induction)), n);
}

/* Whether the values of the induction variable are sums that do not overflow, as the program itself does them. By
   longer steps private arrays make no vectors anyway. */
static bool
has_plain_sums (const struct loop *loop)
{
  const struct type *type = loop->induction->type;

  return moves_by_one (loop) && !type_is_unsigned (type) && type_size (type).value >= 4;
}

void
put_simd (const struct loop *loop)
{
  if (loop->is_for_vectors)
    put_line ("#pragma omp simd");
}

/* The C compiler knows then that elements of private arrays have constant strides, and makes vectors. */
void
put_consecutive (struct loop *loop, const char *at, const char *first, const char *count)
{
  bool is_plain = has_plain_sums (loop);
  const char *type = is_plain ? plain_type (loop->induction->type) : "unsigned long";
  int n = loop->number;

  putf ("{ const %s __upc_from%d = %s, __upc_count%d = (%s) (%s); %s __upc_k%d; ", type, n,
        is_plain ? arena_format ("(%s, %s)", induction_at (loop, at), c_name (loop->induction))
                 : at,
        n, type, count, type, n);
  if (is_plain)
    put_secondary_starts (loop);
  put_fixed_values (loop, arena_format ("__upc_count%d", n));
  put_simd (loop);
  putf ("for (__upc_k%d = 0; __upc_k%d < __upc_count%d; __upc_k%d++) { ", n, n, n, n);
  putf ("__upc_n%d = %s + (unsigned long) __upc_k%d; ", n, first, n);
  if (is_plain)
    {
      putf ("%s = __upc_from%d %c __upc_k%d; ", c_name (loop->induction), n,
            loop->is_down ? '-' : '+', n);
      put_secondary_sums (loop);
    }
  else
    putf ("%s; ", induction_at (loop, arena_format ("__upc_from%d + __upc_k%d", n, n)));
}

static long
longest_stride (struct loop *loop)
{
  long longest = 0;

  for (struct reference *r = loop->references; r; r = r->next)
    longest = labs (r->stride) > longest ? labs (r->stride) : longest;
  return longest;
}

void
put_for_scalars (struct loop *loop)
{
  if (loop->is_for_scalars)
    putf ("__upc_strip_of_scalars (%ld); ", longest_stride (loop));
}

void
put_count_from (struct loop *loop, const char *done)
{
  int n = loop->number;

  putf ("for (__upc_n%d = %s; __upc_n%d < __upc_left%d; __upc_n%d++) { ", n, done, n, n, n);
  if (is_unrolled_now (loop))
    put ("__upc_scattered (); ");
  put_for_scalars (loop);
}

/* C compilers make an addition of that, where they would leave a multiplication in each iteration. To clang a linear variable
   is a product again. */
void
put_steps (struct loop *loop)
{
  int n = loop->number;
  const char *type = type_size (loop->induction->type).value == 8 ? "unsigned long"
                                                                  : "unsigned int";

  putf ("%s; { %s __upc_value%d = (%s) %s; ",
        induction_at (loop, arena_format ("__upc_set%d.__at", n)), type, n, type,
        c_name (loop->induction));
  putf ("const %s __upc_by%d = (%s) (%s__upc_set%d.__stride * %lu); ", type, n, type,
        loop->is_down ? "-" : "", n, (unsigned long) loop->step_value);
  put_fixed_values (loop, arena_format ("__upc_left%d", n));
  if (loop->is_for_vectors && !switches.clang)
    put_line (arena_format ("#pragma omp simd linear (__upc_value%d : __upc_by%d)", n, n));
  else
    put_simd (loop);
  put_unrolled (loop);
  put_count_from (loop, "0ul");
  putf ("%s = (%s) __upc_value%d; ", c_name (loop->induction), plain_type (loop->induction->type),
        n);
  put_secondaries (loop);
  putf ("__upc_value%d += __upc_by%d; ", n, n);
}

/* Which of the four kinds of sets it is. */
static const char *
kind_of_set (struct loop *loop)
{
  if (loop->is_by_pieces)
    return "pieces";
  if (loop->residues)
    return is_forall (loop) ? "phases" : "residues";
  return !is_forall (loop) ? "all" : loop->is_by_one ? "owned" : "steps";
}

static void
put_owned_set (struct loop *loop)
{
  int n = loop->number;

  put (", ");
  put_first_position (loop);
  if (!loop->is_by_one)
    {
      putf (", (%s, ", induction_at (loop, "1"));
      put_position (loop);
      putf (" - __upc_position%d)", n);
    }
  put (", ");
  put_block (loop);
  putf (", __upc_outer%d", n);
}

void
put_step_value (const struct loop *loop)
{
  if (!loop->step)
    return;
  putf ("const long __upc_step%d = (long) ", loop->number);
  gen_operand (loop->step);
  put ("; ");
}

void
put_first_and_end (struct loop *loop)
{
  int n = loop->number;

  put_step_value (loop);
  if (is_forall (loop) && is_by_pointer (loop))
    putf ("const __upc_pts __upc_first%d = %s; ", n, c_name (loop->induction));
  else if (!moves_itself (loop))
    {
      putf ("const unsigned long __upc_first%d = (unsigned long) %s; ", n,
            c_name (loop->induction));
      put_secondary_bases (loop);
    }
  putf ("const unsigned long __upc_end%d = ", n);
  put_count (loop);
  put ("; ");
}

void
put_iterations (struct loop *loop)
{
  int n = loop->number;

  put_first_and_end (loop);
  if (is_forall (loop))
    {
      put_affinity_checks (loop);
      putf ("const long __upc_position%d = ", n);
      put_position (loop);
      put ("; ");
    }
  if (loop->is_by_pieces)
    put_first_phase (loop);
  putf ("%s __upc_set%d = __upc_%s_begin (__upc_end%d",
        loop->residues ? "__upc_residues" : "__upc_iterations", n, kind_of_set (loop), n);
  if (loop->is_by_pieces)
    putf (", %u, __upc_phase%d", loop->residues, n);
  else if (loop->residues && is_forall (loop))
    {
      put (", ");
      put_first_position (loop);
      putf (", %u, ", loop->block);
      put_middle (loop);
    }
  else if (loop->residues)
    putf (", %u", loop->residues);
  else if (is_forall (loop))
    put_owned_set (loop);
  put ("); ");
}

/* Where the strip behind COUNT iterations begins. A set of all is a sum and a difference here: what has its address taken
   AddressSanitizer would keep in memory, and look at each time. */
const char *
call_for_next (struct loop *loop, const char *count)
{
  if (!is_forall (loop) && !loop->residues)
    return arena_format ("(__upc_set%d.__count -= %s, __upc_set%d.__at += %s)", loop->number, count,
                         loop->number, count);
  return arena_format (
      "__upc_%s_next (&__upc_set%d, %s%s)", kind_of_set (loop), loop->number, count,
      is_forall (loop) && loop->is_by_one ? arena_format (", %u", loop->block) : "");
}

const char *
next_strip (struct loop *loop)
{
  const char *next = call_for_next (
      loop, arena_format (loop->is_by_pieces ? "%d" : "__upc_left%d",
                          loop->is_by_pieces ? (int) loop->residues : loop->number));

  return moves_itself (loop) ? next : induction_at (loop, next);
}
