/* Loops by residues that test at run time whether their iterations are independent: pointers may lead to
   the same elements (upct/residue.h). */

#include "tools/upc2c/write/internal.h"

/* What R may access in all iterations. */
static void
put_reach (struct loop *loop, struct reference *r)
{
  putf (is_pointer (r) ? "__upc_reach_of_index (" : "__upc_reach_of_element (");
  put_root_and_index (loop, r);
  putf (", %ld * (long) (__upc_end%d - 1)",
        (long) r->stride / (loop->is_by_pieces ? 1 : (long) loop->residues), loop->number);
  put_layout (r->type);
}

static void
put_residue_meetings (struct loop *loop)
{
  for (struct meeting *m = loop->meetings; m; m = m->next)
    {
      put (" || __upc_may_meet (");
      put_reach (loop, m->a);
      put (", ");
      put_reach (loop, m->b);
      put (")");
    }
}

void
put_meetings (struct loop *loop)
{
  if (!loop->meetings)
    return;
  open_asked (loop, " || ");
  if (loop->is_windowed)
    put_window_meetings (loop);
  else
    put_residue_meetings (loop);
  close_asked (loop);
}
