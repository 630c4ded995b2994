/* The middles of blocks (plan/middle.c, include/upct/residue.h):

       if (set.width != 1)
         for (m = 0; m < left; m++) for (k = 0; k < 6; k++) { n = m * 8 + k; i = …; … }
       else …

   Elements are contiguous there: n counts elements, where it counts blocks elsewhere. */

#include "tools/upc2c/write/internal.h"

/* The first phase and how many there are; one each where a pointer does not lead to where it was taken to. */
void
put_middle (struct loop *loop)
{
  putf ("%u, ", loop->middle_first);
  if (loop->middle_count)
    for (struct reference *r = loop->references; r; r = r->next)
      if (!r->is_in_phase)
        {
          put_phase (r);
          put (" != (unsigned long) __upc_strip_phase (");
          put_first_position (loop);
          putf (" + %ld, %u) ? 1 : ", (long) r->shift, loop->block);
        }
  putf ("%u", loop->middle_count ? loop->middle_count : 1);
}

void
gen_middles (struct loop *loop)
{
  int n = loop->number;

  putf ("if (__upc_set%d.__width != 1) { unsigned long __upc_m%d; ", n, n);
  /* Clang would gather the elements of many blocks in one vector. GCC makes vectors of those that follow each other. */
  putf ("for (__upc_m%d = 0; __upc_m%d < __upc_left%d; __upc_m%d++) { __upc_strip_of_scalars (1); ",
        n, n, n, n);
  loop->is_in_middle = true;
  put_consecutive (
      loop, arena_format ("__upc_set%d.__at + __upc_m%d * __upc_set%d.__stride", n, n, n),
      arena_format ("__upc_m%d * %uul", n, loop->block), arena_format ("%u", loop->middle_count));
  gen_iteration (loop);
  put (" } } } } else ");
  loop->is_in_middle = false;
}
