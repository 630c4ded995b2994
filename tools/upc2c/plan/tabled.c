/* Tables of blocks. If a loop has scattered accesses to an array, as in x[column[k]], a table of the
   array's blocks gives the place of each element, provided that blocks have several elements and there are
   not too many (include/upct/tabled.h). The outermost loop looks for the table. */

#include "tools/upc2c/plan/internal.h"

#include <upct/block_table.h>

enum
{
  LIKELY_THREADS = 64
};

/* The static array that L is in, whose blocks can be counted; NULL: it is found by a pointer. False: they
   cannot. */
static bool
find_array (struct expr *l, struct expr **array)
{
  struct element root = root_of (l);

  *array = root.object;
  if (!root.object)
    return root.pointer;
  return root.object->kind == EXPR_NAME && has_known_extent (root.object)
         && ultimate_count (root.object->type).is_known;
}

struct loop *
outermost_loop (struct loop *loop)
{
  while (loop->around && !loop->around->is_kept)
    loop = loop->around;
  return loop;
}

static bool
are_in_one_table (const struct tabled *t, struct expr *l, struct expr *array)
{
  return block_of (t->l->type) == block_of (l->type)
         && type_size (ultimate_type (t->l->type)).value
                == type_size (ultimate_type (l->type)).value
         && (t->array ? array && t->array->decl == array->decl : !array);
}

bool
has_small_table (struct expr *l)
{
  uint64_t block = block_of (l->type);
  struct expr *array;
  struct size count;

  if (block < 2 || switches.threads == 1 || !find_array (l, &array) || !array)
    return false;
  count = ultimate_count (array->type);
  return (count.value + block - 1) / block
         <= __UPC_MOST_TABLED / (count.times_threads ? LIKELY_THREADS : 1);
}

struct tabled *
find_tabled (struct expr *l, struct loop *around)
{
  struct loop *loop;
  struct tabled *t;
  struct expr *array;

  if (around->is_kept || block_of (l->type) < 2 || switches.threads == 1 || !find_array (l, &array))
    return NULL;
  loop = outermost_loop (around);
  for (t = loop->tabled; t; t = t->next)
    if (are_in_one_table (t, l, array))
      return t;
  t = NEW (struct tabled);
  *t = (struct tabled){ l, array, loop, ++loop->tabled_count, has_small_table (l), loop->tabled };
  loop->tabled = t;
  return t;
}
