/* The shape of shared lvalues. */

#include "tools/upc2c/plan/internal.h"

struct expr *
strip_parens (struct expr *e)
{
  while (e->kind == EXPR_PAREN || (e->kind == EXPR_UNARY && e->op == KEY_EXTENSION)
         || e->kind == EXPR_CHOOSE || e->kind == EXPR_GENERIC)
    e = e->kind == EXPR_GENERIC ? e->b : e->a;
  return e;
}

bool
is_name_of (struct expr *e, void *decl)
{
  return e->kind == EXPR_NAME && e->decl == decl;
}

bool
is_variable (const struct decl *d)
{
  return d && (d->kind == DECL_VARIABLE || d->kind == DECL_PARAMETER);
}

struct expr *
pointer_of (struct expr *index)
{
  return strip_parens (index->index_swapped ? index->b : index->a);
}

struct expr *
index_of (struct expr *index)
{
  return index->index_swapped ? index->a : index->b;
}

bool
is_inside (struct expr *l)
{
  switch (l->kind)
    {
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_UNARY:
      return true;
    case EXPR_INDEX:
      {
        struct expr *p = pointer_of (l);

        if (p->type->kind == TYPE_VECTOR)
          return true;
        return p->kind == EXPR_DECAY && is_inside (strip_parens (p->a));
      }
    default:
      return false;
    }
}

struct element
root_of (struct expr *l)
{
  while (l->kind == EXPR_INDEX)
    {
      struct expr *p = pointer_of (l);

      if (p->kind != EXPR_DECAY)
        return (struct element){ NULL, p };
      l = strip_parens (p->a);
    }
  if (l->kind == EXPR_NAME)
    return (struct element){ l, NULL };
  if (l->kind == EXPR_DEREF)
    return (struct element){ NULL, l->a };
  return (struct element){ NULL, NULL };
}

struct expr *
enclosing_row (struct expr *l)
{
  uint32_t block = block_of (l->type);

  while (block > 1 && l->kind == EXPR_INDEX && pointer_of (l)->kind == EXPR_DECAY)
    {
      struct size size;

      l = strip_parens (pointer_of (l)->a);
      if (l->kind != EXPR_INDEX)
        return NULL;
      size = ultimate_count (l->type);
      if (size.is_known && !size.times_threads && size.value > 1 && block % size.value == 0)
        return l;
    }
  return NULL;
}

struct expr *
array_of_element (struct expr *l)
{
  struct expr *p = pointer_of (l);

  return p->kind == EXPR_DECAY ? strip_parens (p->a) : NULL;
}

/* Members that stand last in their record are often longer than they are declared, but not in
   declared objects. */
static bool
may_be_longer (struct expr *array)
{
  struct expr *l = array;

  if ((l->kind != EXPR_DOT && l->kind != EXPR_ARROW)
      || (l->member && l->member->next_member && !l->member->parent->is_union))
    return false;
  if (array->type->count <= 1)
    return true;
  while (l->kind == EXPR_DOT || (l->kind == EXPR_INDEX && array_of_element (l)))
    l = strip_parens (l->kind == EXPR_DOT ? l->a : array_of_element (l));
  return l->kind != EXPR_NAME;
}

bool
has_known_extent (struct expr *array)
{
  const struct type *type = array->type;

  return type->kind == TYPE_ARRAY
         && (type->length_kind == LENGTH_FIXED || type->length_kind == LENGTH_THREADS)
         && !may_be_longer (array);
}

struct expr *
element_of (struct expr *l)
{
  for (l = strip_parens (l); l->kind == EXPR_DOT; l = strip_parens (l->a))
    continue;
  return l;
}

bool
is_store (const struct expr *e)
{
  return e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP;
}

bool
is_operator (const struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_INTEGER:
    case EXPR_FLOAT:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_BINARY:
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
    case EXPR_COMMA:
    case EXPR_DECAY:
      return true;
    default:
      return false;
    }
}

bool
is_private_name (struct expr *l)
{
  l = strip_parens (l);
  while (l->kind == EXPR_DOT || l->kind == EXPR_INDEX)
    {
      bool is_element = l->kind == EXPR_INDEX;

      l = is_element ? pointer_of (l) : strip_parens (l->a);
      if (is_element && l->type->kind != TYPE_ARRAY)
        return false;
    }
  return l->kind == EXPR_NAME && !type_is_shared (l->type);
}

static struct expr *
pointer_name (struct expr *e)
{
  e = strip_parens (e);
  return e->kind == EXPR_NAME && type_is_pts (e->type) ? e : NULL;
}

/* The shared element that is accessed as L, of which it may be a part, or the pointer to it; or
   NULL. */
static struct expr *
element_under (struct expr *l)
{
  for (l = strip_parens (l); is_inside (l); l = strip_parens (l))
    switch (l->kind)
      {
      case EXPR_DOT:
      case EXPR_UNARY:
        l = l->a;
        break;
      case EXPR_INDEX:
        l = pointer_of (l)->kind == EXPR_DECAY ? pointer_of (l)->a : pointer_of (l);
        break;
      default:
        return pointer_name (l->a);
      }
  if (l->kind == EXPR_DEREF)
    return pointer_name (l->a);
  if (l->kind != EXPR_INDEX || !type_is_shared (l->type) || l->type->kind == TYPE_ARRAY
      || !type_size (l->type).is_known)
    return NULL;
  return l;
}

struct expr *
accessed_element (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_LOAD:
      return element_under (e->a);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return type_is_shared (e->a->type) ? element_under (e->a) : NULL;
    default:
      return NULL;
    }
}

bool
is_in_run (struct expr *l)
{
  struct expr *element = element_of (l);

  return element->kind == EXPR_INDEX && element->plan && element->plan->address == ADDRESS_IN_RUN;
}
