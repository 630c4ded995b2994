/* Loops by residues that test at run time whether their iterations are independent: pointers may lead to
   the same elements (upct/residue.h). */

#include "tools/upc2c/write/internal.h"

static const char *
call_of_reach (const struct reference *r, const char *root_and_index, const char *distance)
{
  return arena_format ("__upc_reach_of_%s (%s, %s, %u, %lu)", is_pointer (r) ? "index" : "element",
                       root_and_index, distance, block_of (r->type),
                       (unsigned long) element_bytes (r));
}

/* What R may access in all iterations. */
static void
put_reach (struct loop *loop, struct reference *r)
{
  const char *place = text_of_place (loop, r, "");
  const char *distance = arena_format (
      "%ld * (long) (__upc_end%d - 1)",
      (long) r->stride / (loop->is_by_pieces ? 1 : (long) loop->residues), loop->number);
  const struct layout_function f = {
    .name = "reach",
    .type = "__upc_reach",
    .last = "long __distance",
    .body = arena_format ("return %s", call_of_reach (r, "__root, __n", "__distance")),
  };

  put (call_by_layout (loop, r, &f, call_of_reach (r, place, distance),
                       arena_format ("%s, %s", place, distance)));
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
