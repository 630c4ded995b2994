/* Loops over arrays in small blocks, whose iterations may run in any order. In the program's order
   each strip would be a block of a few elements, or one. Iterations that are congruent modulo
   BLOCK * THREADS have each of their elements on one thread, with a constant stride in its memory:

       shared double a[…], b[…];
       for (i = 0; i < n; i++) a[i] = b[i + 1];     for each r: i = r, r + THREADS, r + 2 * THREADS …

   A strip consists of these (upct/residue.h). Walking pointers can do the same: `*p++ = *q++`.

   In a upc_forall the thread's own iterations also access elements of other phases than their own:

       upc_forall (i = 1; i < n - 1; i++; &a[i]) a[i] = b[i - 1] + b[i + 1];

   Iterations of one phase have all elements at constant strides. */

#include "tools/upc2c/plan/internal.h"

/* In larger blocks, or where strips of the program's order have so many iterations, these cost less than
   what the caches lose; and so do they where residues have less. */
enum
{
  MOST_BLOCK = 16,
  LONG_STRIP = 8,
  LEAST_ROUNDS = 4
};

/* How many of an array's blocks of BLOCK elements go by until an element that moves by STRIDE has the
   same phase again, in units of BLOCK * THREADS iterations: the smallest N with N * STRIDE a multiple
   of BLOCK. */
static uint64_t
period (uint64_t block, int64_t stride)
{
  return block / common_divisor (block, (uint64_t) (stride < 0 ? -stride : stride));
}

struct search
{
  struct loop *loop;
  uint64_t modulus; /* 0: nothing was found */
  uint64_t strip;   /* of the program's order, at most: the fewest iterations in one block */
  uint32_t phases;  /* where in blocks elements begin: a set of bits */
};

/* Whether L is in one block in all iterations, or moves by whole rounds of blocks. */
static bool
stays (struct expr *l, struct loop *loop)
{
  struct reference *r = reference_to (loop, l);

  return r && r->stride_kind == STRIDE_IN_BLOCK && r->stays;
}

/* How many iterations, each FACTOR * STEP elements further, have theirs in one block. Both factors are below 2^31. */
static uint64_t
strip_in_block (uint64_t block, int64_t factor, int64_t step)
{
  uint64_t apart = (uint64_t) (factor < 0 ? -factor : factor) * (uint64_t) step;

  return apart >= block ? 1 : block / apart;
}

/* An element, at PHASE or always as far from there, has its phase again after N iterations. Of these STRIP follow each
   other in one block. */
static void
add_period (struct search *search, uint64_t n, uint64_t strip, uint64_t phase)
{
  if (search->modulus == 0)
    search->modulus = 1;
  search->modulus *= n / common_divisor (search->modulus, n);
  if (search->strip == 0 || strip < search->strip)
    search->strip = strip;
  search->phases |= 1u << phase % strip;
}

static bool
is_small (uint64_t block)
{
  return block > 0 && block <= MOST_BLOCK;
}

/* Takes the pointer into account that E moves. */
static bool
note_walk (struct expr *e, void *data)
{
  uint64_t block = is_walking_step (e) ? block_of (strip_parens (e->a)->type->base) : 0;

  if (is_small (block))
    add_period (data, block, block, 0);
  return false;
}

/* Takes the element into account that E accesses, if it moves and is in small blocks. */
static bool
note_period (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr *l = accessed_element (e), *root;
  struct affine at;
  int64_t factor;
  uint64_t block, n;

  l = l ? pointed_element (l, search->loop) : NULL;
  root = l && l->kind == EXPR_INDEX ? root_name (l) : NULL;
  block = root ? block_of (element_type_of (l)) : 0;
  if (block == 0 || stays (l, search->loop) || !find_index (l, NULL, search->loop, &at))
    return false;
  factor = element_factor (root, &at, search->loop);
  if (factor == 0 || factor == UNKNOWN_FACTOR)
    return false;
  n = period (block, factor % (int64_t) block * (search->loop->step_value % (int64_t) block));
  if (n == 1 || is_small (block))
    add_period (search, n, strip_in_block (block, factor, search->loop->step_value),
                (uint64_t) at.constant);
  return false;
}

/* Whether LOOP has fewer iterations than are worth while. */
static bool
is_short (struct loop *loop, uint64_t modulus)
{
  int64_t first, last;

  return find_range (loop, &first, &last)
         && (uint64_t) (loop->is_down ? first - last : last - first)
                < LEAST_ROUNDS * modulus * (uint64_t) loop->step_value - 1;
}

/* Of residues that are worth while; else 0. */
static uint64_t
find_modulus (struct loop *loop)
{
  struct search search = { .loop = loop };

  if (loop->induction && !is_by_pointer (loop))
    any_in_stmt (loop->stmt->then, note_period, &search);
  any_in_stmt (loop->stmt->then, note_walk, &search);
  any_in_expr (loop->stmt->step, note_walk, &search);
  if (search.modulus > MOST_BLOCK || is_short (loop, search.modulus)
      || search.strip >= LONG_STRIP * (uint64_t) __builtin_popcount (search.phases))
    return 0;
  return search.modulus;
}

/* What is in no blocks is found fast anyway. */
bool
knows_as_much (struct loop *loop, const struct loop *plain)
{
  const struct reference *r = plain->references;

  while (r && (block_of (r->type) == 0 || reference_to (loop, r->l)))
    r = r->next;
  return !r;
}

/* Pointers that walk, and what controls the loop if no integer does. */
static void
find_walks_by_residues (struct loop *loop)
{
  find_walks (loop);
  if (loop->induction && !is_by_pointer (loop))
    return;
  find_walking_induction (loop);
  if (loop->bound)
    return;
  loop->induction = NULL;
  find_counter (loop);
}

void
find_references_by_residues (struct loop *loop, uint32_t residues)
{
  loop->references = NULL;
  loop->reference_count = 0;
  loop->residues = residues;
  loop->is_consecutive = false;
  find_walks_by_residues (loop);
  find_references (loop);
  find_independence (loop);
}

void
keep_in_order (struct loop *loop, const struct loop *plain)
{
  loop->in_order = NEW (struct loop);
  *loop->in_order = *plain;
}

void
try_residues (struct loop *loop)
{
  const struct loop plain = *loop;
  uint64_t modulus;

  if (loop->step || switches.threads == 1)
    return;
  modulus = find_modulus (loop);
  if (modulus == 0)
    return;
  find_references_by_residues (loop, (uint32_t) modulus);
  if (!loop->is_independent || !knows_as_much (loop, &plain))
    *loop = plain;
  else
    keep_in_order (loop, &plain);
}

bool
has_other_phases (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && (r->is_own || r->is_in_phase || block_of (r->type) != loop->block))
    r = r->next;
  return r;
}

/* Whether all references of LOOP have constant strides in the iterations of one phase. */
static bool
has_constant_strides (const struct loop *loop)
{
  const struct reference *r = loop->references;

  while (r && r->is_by_rounds)
    r = r->next;
  return loop->references && !r;
}

void
try_phases (struct loop *loop)
{
  const struct loop plain = *loop;

  if (!loop->is_by_one || loop->block < 2 || loop->block > LARGEST_MIDDLE_BLOCK || loop->divisor
      || is_by_pointer (loop) || switches.threads == 1 || may_wrap (loop))
    return;
  loop->references = NULL;
  loop->reference_count = 0;
  loop->residues = loop->block;
  loop->is_consecutive = false;
  find_references (loop);
  find_independence (loop);
  if (!loop->is_independent || !has_constant_strides (loop) || !knows_as_much (loop, &plain)
      || (!find_middle (loop) && loop->block > MOST_BLOCK))
    *loop = plain;
  else
    keep_in_order (loop, &plain);
}
