/* The iterations of a strip, one after the other,

       for (n = 0; n < left; i++, n++) s += *(int *) (at + n * 4);

   or, if they are independent, as a loop that the C compiler may vectorise; or one of the two, depending
   on where pointers lead. */

#include "tools/upc2c/write/internal.h"

/* The reference by the pointer that is the induction variable. */
static struct reference *
induction_reference (struct loop *loop)
{
  struct reference *r = loop->references;

  while (r->l->kind != EXPR_NAME || r->root->decl != loop->induction)
    r = r->next;
  return r;
}

/* From one iteration of a strip to the next. */
static void
put_step (struct loop *loop)
{
  if (!loop->stmt->step)
    return;
  if (is_forall (loop) && is_by_pointer (loop))
    put_shift (induction_reference (loop));
  else if (loop->is_consecutive)
    gen_expr (loop->stmt->step);
  else
    put (induction_at (loop,
                       arena_format ("__upc_set%d.__at + (__upc_n%d + 1) * __upc_set%d.__stride",
                                     loop->number, loop->number, loop->number)));
  put (", ");
}

/* The condition that the program has, where the number of iterations does not follow from it. gcc finds its pragma only
   beside a condition without branches, so that unrolled loops have this one in their body. */
static void
put_condition (struct loop *loop, bool is_in_body)
{
  if (loop->bound || loop->counter || !loop->stmt->expr || is_in_body != is_unrolled_now (loop))
    return;
  put (is_in_body ? "if (!(" : " && (");
  gen_expr (loop->stmt->expr);
  put (is_in_body ? ")) break; " : ")");
}

static void
gen_dependent_strip (struct loop *loop)
{
  int n = loop->number;

  put_unrolled (loop);
  put ("for (");
  if (!loop->crosses_blocks)
    putf ("__upc_n%d = 0", n);
  putf ("; __upc_n%d < __upc_left%d", n, n);
  put_condition (loop, false);
  put ("; ");
  put_step (loop);
  putf ("__upc_n%d++", n);
  put_strip_step (loop);
  put (") { ");
  put_condition (loop, true);
  if (loop->counter)
    putf ("%s--; ", c_name (loop->counter->decl));
  if (is_unrolled_now (loop))
    put ("__upc_scattered (); ");
  put_for_scalars (loop);
  if (loop->strip_meetings)
    put ("__upc_met (); ");
  put_strip_iteration (loop);
  gen_iteration (loop);
  put_carried_end (loop);
  put (" } ");
  if (!loop->crosses_blocks)
    put_strip_end (loop);
  if (!is_forall (loop) && !loop->is_outlined && !loop->strip_meetings)
    putf ("if (__upc_n%d < __upc_left%d) break; ", n, n);
}

/* Which iteration it is, of all. */
const char *
iteration_in_strip (struct loop *loop)
{
  int n = loop->number;

  if (loop->crosses_blocks)
    return arena_format ("__upc_n%d", n);
  if (loop->is_by_pieces)
    return arena_format ("__upc_piece_iteration (&__upc_set%d, __upc_n%d, %u)", n, n,
                         loop->residues);
  return arena_format (loop->is_consecutive ? "__upc_set%d.__at + __upc_n%d"
                                            : "__upc_set%d.__at + __upc_n%d * __upc_set%d.__stride",
                       n, n, n);
}

/* Whether the induction variable has its value in each iteration. Owned blocks may be one strip then, which is no
   consecutive iterations. */
static bool
has_value (const struct loop *loop)
{
  if (loop->is_by_pieces)
    return loop->needs_induction;
  return loop->induction && !is_by_pointer (loop);
}

/* Whether the induction variable of independent iterations is a sum of its first value and their number. */
bool
has_sums (const struct loop *loop)
{
  return has_value (loop) && loop->is_consecutive && !loop->may_be_flat;
}

/* These sums may be those of ints. */
void
put_limit_of_sums (struct loop *loop)
{
  if (loop->is_independent && has_sums (loop) && !loop->is_by_blocks && !loop->copy_to)
    putf ("__upc_strip_limit (&__upc_left%d, 0x7ffffffful); ", loop->number);
}

/* Whether the body uses the induction variable, and that moves by the same number from one iteration of a strip by residues
   to the next. */
static bool
has_constant_steps (struct loop *loop)
{
  return has_value (loop) && loop->residues && !loop->is_by_pieces && !is_forall (loop)
         && uses_induction (loop);
}

/* Those that are left of a strip, or all. */
static void
put_independent (struct loop *loop)
{
  int n = loop->number;
  const char *done = loop->crosses_blocks ? arena_format ("__upc_done%d", n) : "0ul";

  if (has_sums (loop))
    {
      put_consecutive (loop, loop->crosses_blocks ? done : arena_format ("__upc_set%d.__at", n),
                       done, arena_format ("__upc_left%d - %s", n, done));
      return;
    }
  if (has_constant_steps (loop))
    {
      put_steps (loop);
      return;
    }
  put ("{ ");
  put_fixed_values (loop, arena_format ("__upc_left%d", n));
  put_simd (loop);
  put_unrolled (loop);
  put_count_from (loop, done);
  if (has_value (loop))
    putf ("%s; ", induction_at (loop, iteration_in_strip (loop)));
}

/* Independent iterations: the induction variable is computed from the iteration's number. */
static void
gen_independent_strip (struct loop *loop)
{
  int n = loop->number;

  if (!loop->crosses_blocks)
    putf ("__upc_n%d = 0; ", n);
  if (loop->is_by_blocks)
    {
      gen_blocks_of_piece (loop);
      return;
    }
  if (loop->middle_count)
    gen_middles (loop);
  if (!put_whole_copy (
          loop, arena_format (loop->crosses_blocks ? "(__upc_left%d - __upc_n%d)" : "__upc_left%d",
                              n, n)))
    {
      put_independent (loop);
      gen_iteration (loop);
      put (" } } ");
    }
  if (loop->crosses_blocks)
    putf ("__upc_n%d = __upc_left%d; ", n, n);
}

/* Iterations that have turned out to depend on each other. */
void
gen_met_strip (struct loop *loop)
{
  if (loop->crosses_blocks && has_value (loop))
    putf ("%s; ", induction_at (loop, iteration_in_strip (loop)));
  loop->is_independent = false;
  gen_dependent_strip (loop);
  loop->is_independent = true;
}

void
gen_strip (struct loop *loop)
{
  if (!loop->is_independent)
    gen_dependent_strip (loop);
  else if (!loop->strip_meetings)
    gen_independent_strip (loop);
  else
    {
      put_strip_meetings (loop);
      put ("{ ");
      gen_met_strip (loop);
      put ("} else { ");
      gen_independent_strip (loop);
      put ("} ");
    }
}

void
gen_asked_strip (struct loop *loop)
{
  if (loop->is_outlined)
    gen_outlined (loop, gen_strip);
  else if (begin_within (loop))
    {
      gen_strip (loop);
      end_within (loop);
      gen_strip (loop);
      put ("} ");
    }
  else
    gen_strip (loop);
}
