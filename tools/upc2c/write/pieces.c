/* Loops by pieces (plan/pieces.c, include/upct/piece.h). If the body uses the induction variable itself,
   or private arrays at it, a piece is done block by block, and the size of a block is a constant:

       for (m = 0, first = …; m < left; m += 4, first += 4 * THREADS)
         if (left - m >= 4) for (k = 0; k < 4; k++) { n = m + k; i = first + k; … }
         else for (k = 0; k < left - m; k++) { … } */

#include "tools/upc2c/write/internal.h"

void
put_phase (struct reference *r)
{
  putf (is_pointer (r) ? "(unsigned long) __upc_strip_phase_index (%s, "
                       : "(unsigned long) __upc_strip_phase (",
        c_name (r->root->decl));
  put_first_index (r);
  putf (", %u)", block_of (r->type));
}

void
put_first_phase (struct loop *loop)
{
  putf ("const unsigned long __upc_phase%d = ", loop->number);
  put_phase (loop->references);
  put ("; ");
}

void
put_other_phases (struct loop *loop)
{
  for (struct reference *r = loop->references->next; r; r = r->next)
    if (!r->is_in_phase)
      {
        put (" || ");
        put_phase (r);
        putf (" != __upc_phase%d", loop->number);
      }
}

static void
gen_block (struct loop *loop, const char *count)
{
  put_consecutive (loop, arena_format ("__upc_in%d", loop->number),
                   arena_format ("__upc_m%d", loop->number), count);
  gen_iteration (loop);
  put (" } } ");
}

void
gen_blocks_of_piece (struct loop *loop)
{
  int n = loop->number, block = (int) loop->residues;

  putf ("{ unsigned long __upc_m%d, __upc_in%d; ", n, n);
  putf ("for (__upc_m%d = 0, __upc_in%d = __upc_set%d.__at; __upc_m%d < __upc_left%d; ", n, n, n, n,
        n);
  putf ("__upc_m%d += %d, __upc_in%d += __upc_set%d.__stride) { ", n, block, n, n);
  putf ("if (__upc_left%d - __upc_m%d >= %d) { ", n, n, block);
  gen_block (loop, arena_format ("%d", block));
  put ("} else { ");
  gen_block (loop, arena_format ("__upc_left%d - __upc_m%d", n, n));
  put ("} } } ");
}
