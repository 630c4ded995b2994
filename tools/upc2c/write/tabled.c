/* Tables of blocks, and recent blocks (plan/tabled.c, plan/recent.c; include/upct/tabled.h, include/upct/recent.h). */

#include "tools/upc2c/write/internal.h"

/* How many blocks ARRAY has. */
static void
put_blocks (const struct type *array, unsigned long block)
{
  struct size count = ultimate_count (array);

  putf ("(%luul%s + %lu) / %lu", (unsigned long) count.value,
        count.times_threads ? " * (unsigned long) __upc_threads" : "", block - 1, block);
}

const char *
name_of_table (const struct tabled *t)
{
  return arena_format ("__upc_table%d_%d", t->loop->number, t->number);
}

const char *
name_of_recent (const struct recent *r)
{
  return arena_format ("__upc_recent%d_%d", r->loop->number, r->number);
}

void
put_tables (struct loop *loop)
{
  for (struct tabled *t = loop->tabled; t; t = t->next)
    {
      unsigned long block = block_of (t->l->type);

      /* Unused where all accesses raise events, which find the elements themselves. */
      putf ("const unsigned long *%s __attribute__ ((__unused__)) = __upc_block_table (%lu, ",
            name_of_table (t),
            block * (unsigned long) type_size (ultimate_type (t->l->type)).value);
      if (t->array)
        put_blocks (t->array->type, block);
      else
        put ("__UPC_FEW_TABLED");
      put ("); ");
    }
}

/* Whether the distance of L from the start of its array is an int of the program. */
static bool
has_short_index (struct expr *l)
{
  struct expr *p = pointer_of (l);

  return type_size (index_of (l)->type).value <= 4 && p->kind == EXPR_DECAY
         && strip_parens (p->a)->kind == EXPR_NAME && ultimate_count (l->type).value == 1;
}

/* What finds the block of an element of a root is an argument of all these functions. */
static void
put_place_and_layout (struct expr *l, struct element root)
{
  if (root.object)
    put_object (root.object);
  else
    gen_argument (root.pointer);
  put (", ");
  put_distance (l, INDEX_OF_ACCESS);
  put_layout (l->type);
}

/* No element is in the block that they begin with. */
void
put_recents (struct loop *loop)
{
  for (struct recent *r = loop->recents; r; r = r->next)
    putf ("__upc_recent_block %s __attribute__ ((__unused__)) = { ~0ul >> 1, 0 }; ",
          name_of_recent (r));
}

/* Whether L's index is within the bounds of its array wherever it is in a block of that. */
static bool
is_checked_by_block (struct expr *l, struct element root)
{
  return root.object && is_index_compared (l)
         && array_of_element (l)->type->count % block_of (l->type) == 0;
}

bool
put_recent_address (struct expr *l, struct element root)
{
  struct recent *r = l->plan ? l->plan->recent : NULL;

  if (!r)
    return false;
  if (is_checked_by_block (l, root))
    {
      putf ("__upc_recent_checked (&%s, ", name_of_recent (r));
      put_object (root.object);
      put (", (long) ");
      gen_operand (index_of (l));
      putf (", %u, %lu, ", block_of (l->type), (unsigned long) type_size (l->type).value);
      put_array_and_place (l);
      return true;
    }
  putf ("__upc_recent_%saddress (&%s, ", root.object ? "" : "index_", name_of_recent (r));
  put_place_and_layout (l, root);
  return true;
}

bool
put_tabled_address (struct expr *l, struct element root)
{
  struct tabled *t = l->plan ? l->plan->tabled : NULL;
  const char *start = start_of (l);

  if (!t)
    return false;
  if (is_unlikely (l))
    {
      put ("__upc_element_address_called (");
      put_place_and_layout (l, root);
      return true;
    }
  putf ("__upc_tabled_%s%s (%s, ",
        !t->array             ? "index_address"
        : has_short_index (l) ? "address_32"
                              : "address",
        start         ? "_from"
        : is_sure (l) ? "_sure"
        : t->is_small ? "_small"
                      : "",
        name_of_table (t));
  if (start)
    putf ("%s, ", start);
  put_place_and_layout (l, root);
  return true;
}
