/* Looks at the shadow. If a function accesses several members of a structure through one pointer,
   each check begins with the same look: at the shadow of all these members. The C compiler keeps
   only one of these looks. If it fails, as a block may end within the structure, a check looks at
   its own access alone.

   A look loads a number of units of the shadow. That number must not depend on the address of the
   structure, so it follows from the structure's alignment. */

#include "tools/upc2c/write/internal.h"

#include <upct/shadow.h>

enum
{
  UNIT = __UPC_SHADOW_UNIT,
  MOST_UNITS = __upc_shadow_most - __upc_shadow_whole
};

/* How many units the bytes from FIRST to END of an object with such an ALIGNment are in; 0: too many,
   or that depends on where the object is. */
static unsigned
units_between (uint64_t first, uint64_t end, uint64_t align)
{
  uint64_t step = align == 0 ? 1 : align < UNIT ? align : UNIT;
  uint64_t low = first % step, bytes = end - first;
  uint64_t fewest = (low + bytes + UNIT - 1) / UNIT;
  uint64_t most = (low + UNIT - step + bytes + UNIT - 1) / UNIT;

  return fewest == most && most <= MOST_UNITS ? (unsigned) most : 0;
}

/* The variable P if L is `p->m` or `*p`, or NULL. */
static struct decl *
pointer_variable (struct expr *l)
{
  struct expr *p = l->kind == EXPR_ARROW || l->kind == EXPR_DEREF ? strip_parens (l->a) : NULL;

  return p && p->kind == EXPR_NAME && type_is_pts (p->type) ? p->decl : NULL;
}

static bool
note_member (struct expr *e, void *unused)
{
  struct decl *p = e->kind == EXPR_ARROW ? pointer_variable (e) : NULL;
  struct size size = type_size (e->type);
  uint64_t end = e->member_offset + size.value;

  (void) unused;
  if (!p || !size.is_known)
    return false;
  if (p->look_first == p->look_end || p->look_first > e->member_offset)
    p->look_first = e->member_offset;
  if (p->look_end < end)
    p->look_end = end;
  return false;
}

void
find_looks (struct stmt *body)
{
  if (switches.check)
    any_in_stmt (body, note_member, NULL);
}

const struct type *
object_type (struct expr *l)
{
  return l->kind == EXPR_ARROW ? l->a->type->base : l->type;
}

struct look
look_around (const struct piece *piece, struct expr *l)
{
  uint64_t align = type_align (object_type (l)), end = piece->offset + piece->bytes.value;
  struct decl *p = pointer_variable (l);
  struct look look = { 0 };

  if (piece->index || piece->bytes.times_threads)
    return look;
  if (l == piece->l && l->kind == EXPR_INDEX && l->plan)
    look = look_beside (l);
  if (p && p->look_first <= piece->offset && end <= p->look_end)
    look = (struct look){ p->look_first, units_between (p->look_first, p->look_end, align) };
  /* What lies in one unit, as words do, a check looks at in no other way. */
  if (look.units == 0
      && (piece->bytes.value > UNIT || (piece->bytes.value & (piece->bytes.value - 1)) != 0))
    look = (struct look){ piece->offset, units_between (piece->offset, end, align) };
  return look;
}
