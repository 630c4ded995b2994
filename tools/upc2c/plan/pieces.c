/* Loops over arrays in small blocks, whose iterations may run in any order and have all their elements at
   the same place in a block:

       shared [4] double a[…], b[…], c[…];
       for (i = 0; i < n; i++) a[i] = b[i] + s * c[i];

   The blocks of one thread are contiguous in its memory: a piece. So such a loop takes the iterations
   whose elements are in one piece, as one strip with a stride of one element, and then those of the next
   thread (upct/piece.h). Other loops use residues for this (residue.c), which have longer strides, of
   which the C compiler makes no good vectors.

   If pointers lead to the arrays, the program itself tests whether their phases are equal. */

#include "tools/upc2c/plan/internal.h"

/* In blocks larger than MOST_BLOCK strips of one are as good. Up to MOST_DIVISOR elements a division is best: block by
   block `a[i] = i` took 0.4 to 2 times as long at -O2, but 1.2 to 8 times as long at -O3 -march=native. */
enum
{
  MOST_BLOCK = 64,
  MOST_DIVISOR = 8,
  LEAST_BLOCK = 8,
  LEAST_ROUNDS = 4
};

/* The size of the blocks that LOOP, planned in the order of the program, goes through; 0: there is none, or not
   one alone. */
static uint32_t
common_block (const struct loop *loop)
{
  const struct reference *r = loop->references;
  uint32_t block = r ? block_of (r->type) : 0;

  while (r && block_of (r->type) == block)
    r = r->next;
  return r || block < 2 || block > MOST_BLOCK ? 0 : block;
}

static bool
names_induction (struct expr *e, void *loop)
{
  return is_induction (e, loop);
}

/* Whether E is an element of another array that moves with the iterations. */
static bool
is_other_element (struct expr *e, void *loop)
{
  return e->kind == EXPR_INDEX && !reference_to (loop, e) && any_in_expr (e, names_induction, loop);
}

/* How the induction variable is found in a piece, if the body needs it: by a division in each iteration, which has
   vectors, or block by block, where private arrays have constant strides. False: neither is worth while. */
static bool
find_induction_in_piece (struct loop *loop, uint32_t block)
{
  bool has_others = any_in_stmt (loop->stmt->then, is_other_element, loop);

  loop->needs_induction = loop->induction && !is_by_pointer (loop) && uses_induction (loop);
  loop->is_by_blocks = loop->needs_induction && (has_others || block > MOST_DIVISOR);
  return !has_others || block >= LEAST_BLOCK;
}

/* Whether A and B are found from the same place, or from the beginnings of blocks. */
static bool
have_equal_roots (const struct reference *a, const struct reference *b)
{
  if (is_pointer (a) || is_pointer (b))
    return a->root->decl == b->root->decl;
  return true;
}

/* Whether it is known how far APART the phases of A and B are, in blocks of one size. */
static bool
find_phases_apart (const struct reference *a, const struct reference *b, struct loop *loop,
                   int64_t *phases)
{
  struct affine apart = b->at;
  int64_t block = block_of (a->type);

  add_scaled (&apart, &a->at, -1);
  *phases = apart.constant % block;
  return fixed_divisor (&apart, loop) % (uint64_t) block == 0;
}

bool
are_out_of_phase (const struct reference *a, const struct reference *b, struct loop *loop)
{
  int64_t phases;

  return find_phases_apart (a, b, loop, &phases) && phases != 0;
}

/* Whether R is out of phase with a reference before it. */
static bool
is_out_of_phase (const struct reference *r, struct loop *loop)
{
  const struct reference *other = loop->references;

  while (other != r && !are_out_of_phase (other, r, loop))
    other = other->next;
  return other != r;
}

/* Whether A and B, which are not out of phase, are known to have the same one. Pointers most often lead to the beginning
   of a block. */
static bool
are_in_phase (const struct reference *a, const struct reference *b, struct loop *loop)
{
  int64_t phases;

  return find_phases_apart (a, b, loop, &phases) && have_equal_roots (a, b) && !a->walk == !b->walk;
}

/* Whether all references of LOOP move by one element in the pieces, and may have one phase, which is the first one's;
   is_in_phase where that is known. */
static bool
may_be_in_pieces (struct loop *loop, uint32_t block)
{
  for (struct reference *r = loop->references; r; r = r->next)
    {
      if (!r->is_by_rounds || block_of (r->type) != block || r->stride != 1
          || is_out_of_phase (r, loop))
        return false;
      r->is_in_phase = are_in_phase (loop->references, r, loop);
    }
  return loop->references;
}

/* Whether outer loops have the addresses of all rows that LOOP goes along: then its strips are rows. */
static bool
goes_along_rows (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && r->row)
    r = r->next;
  return !r;
}

static bool
is_short (struct loop *loop, uint32_t block)
{
  int64_t first, last;

  return find_range (loop, &first, &last)
         && (uint64_t) (loop->is_down ? first - last : last - first)
                < LEAST_ROUNDS * (uint64_t) block * (uint64_t) loop->step_value - 1;
}

void
try_pieces (struct loop *loop)
{
  const struct loop plain = *loop;
  uint32_t block = common_block (loop);

  if (block == 0 || loop->step || switches.threads == 1 || tells_of_strips (loop)
      || goes_along_rows (loop) || is_short (loop, block))
    return;
  loop->is_by_pieces = true;
  find_references_by_residues (loop, block);
  if (!loop->is_independent || !may_be_in_pieces (loop, block) || !knows_as_much (loop, &plain)
      || !find_induction_in_piece (loop, block))
    *loop = plain;
  else
    keep_in_order (loop, &plain);
}
