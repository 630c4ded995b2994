/* The tree of a nest in private copies (nest.c): their names take the places of those of the arrays. */

#include "tools/upc2c/plan/internal.h"

/* TYPE, of shared data, in one block. */
static struct type *
in_one_block (struct type *type)
{
  if (type->kind == TYPE_POINTER)
    return pointer_to (in_one_block (type->base));
  return with_quals (type, quals_of (type) | QUAL_LAYOUT, 0);
}

static void
declare_copy (struct nest_array *a, struct nest *nest, const struct stmt *s)
{
  const char *name = arena_format ("__upc_copy_of%d_%d", nest->number, a->number);
  struct type *type = a->root->type;

  a->copy = generate_variable (
      name, in_one_block (type->kind == TYPE_ARRAY ? pointer_to (type->base) : unqualified (type)),
      s);
  a->copy->is_apart = true;
}

/* E, the root of L or the pointer to it, becomes the name of the copy. */
static void
name_copy (struct expr *e, struct nest_array *a)
{
  e->kind = EXPR_NAME;
  e->translate = true;
  e->is_lvalue = false;
  e->a = e->b = e->c = NULL;
  e->type = a->copy->type;
  e->decl = a->copy;
  e->plan = NULL;
}

/* L becomes the element of the copy. */
static void
access_copy (struct nest_access *access)
{
  struct expr *e = access->l;

  while (e->kind != EXPR_NAME && !(e->kind == EXPR_DECAY && strip_parens (e->a)->kind == EXPR_NAME))
    {
      e->type = in_one_block (e->type);
      e = e->kind == EXPR_INDEX && e->index_swapped ? e->b : e->a;
    }
  name_copy (e, access->array);
}

void
name_copies (struct nest *nest, struct stmt *s)
{
  for (struct nest_array *a = nest->arrays; a; a = a->next)
    declare_copy (a, nest, s);
  for (struct nest_access *access = nest->accesses; access; access = access->next)
    access_copy (access);
}
