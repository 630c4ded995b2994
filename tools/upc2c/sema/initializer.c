/* What each value of an initialiser list initialises. */

#include "tools/upc2c/sema/sema.h"

/* A object in the object: an ultimate element of it, and a object in that. */
struct subobject
{
  struct type *type;
  struct decl *member; /* a bit-field */
  uint64_t element;
  uint64_t offset;
  bool in_element; /* OFFSET counts, ELEMENT is settled */
  uint64_t count, stride;
  bool stride_is_elements;
};

/* The cursor over a list; item is the next one. */
struct cursor
{
  struct init_item *item;
  struct init_leaf **tail; /* NULL: no leaves are wanted */
  bool is_elided;          /* within braces that are left out */
  bool is_shared;          /* the object; C compilers see no list for it */
};

static void fill_subobject (struct cursor *cursor, struct subobject object);
static uint64_t fill_aggregate (struct cursor *cursor, struct subobject object, bool is_braced,
                                struct designator *pending);
static uint64_t fill_braces (struct cursor *outer, struct subobject object,
                             struct initializer *init);

static bool
is_open_array (const struct type *type)
{
  return type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN;
}

static void
add_leaf (struct cursor *cursor, const struct subobject *object, struct initializer *init)
{
  struct init_leaf *leaf;

  init->type = is_open_array (object->type) ? array_of (object->type->base, init->expr->type->count)
                                            : object->type;
  if (object->type->kind != TYPE_ARRAY)
    init->expr = assigned (init->expr, object->type, init->expr->token, "initialization");
  init->translate = init->translate || init->expr->translate;
  init->is_elided = cursor->is_elided;
  if (!cursor->tail)
    return;
  leaf = NEW (struct init_leaf);
  leaf->type = init->type;
  leaf->member = object->member;
  leaf->element = object->element;
  leaf->offset = object->offset;
  leaf->count = object->count;
  leaf->stride = object->stride;
  leaf->stride_is_elements = object->stride_is_elements;
  leaf->expr = init->expr;
  *cursor->tail = leaf;
  cursor->tail = &leaf->next;
}

static bool
is_aggregate (const struct type *type)
{
  return type->kind == TYPE_ARRAY || type_is_record (type) || type->kind == TYPE_VECTOR;
}

/* Whether one value is right for an aggregate of TYPE as a whole. */
static bool
fits_whole (const struct type *type, struct expr *e)
{
  struct type *from = e->type;

  if (type->kind == TYPE_ARRAY)
    return strip_conversions (e)->kind == EXPR_STRING
           && type_size (type->base).value == type_size (from->base).value
           && type_is_integer (type->base);
  return from->kind == TYPE_UNKNOWN || (from->kind == type->kind && from->kind == TYPE_VECTOR)
         || (type_is_record (type) && types_match_unqualified (from, type));
}

static struct subobject
element_subobject (const struct subobject *array, uint64_t index)
{
  struct subobject object = *array;
  struct type *base = array->type->base;

  object.type = base;
  if (object.in_element || array->type->kind == TYPE_VECTOR)
    object.offset += index * type_size (base).value;
  else
    object.element += index * ultimate_count (base).value;
  return object;
}

static struct subobject
member_subobject (const struct subobject *record, struct decl *member)
{
  struct subobject object = *record;

  object.type = member->type;
  object.member = member->is_bit_field ? member : NULL;
  object.offset += member->offset;
  object.in_element = true;
  return object;
}

/* One value, or a brace pair, for OBJECT; its own designators are behind us. */
static void
fill_subobject (struct cursor *cursor, struct subobject object)
{
  struct initializer *init = cursor->item->value;

  if (init->expr && is_aggregate (object.type) && !fits_whole (object.type, init->expr))
    {
      fill_aggregate (cursor, object, false, NULL);
      return;
    }
  cursor->item = cursor->item->next;
  if (init->expr)
    add_leaf (cursor, &object, init);
  else
    fill_braces (cursor, object, init);
}

static void
fill_designated (struct cursor *cursor, struct subobject object, struct designator *rest)
{
  if (rest && is_aggregate (object.type))
    fill_aggregate (cursor, object, false, rest);
  else
    fill_subobject (cursor, object);
}

/* An item that initialises nothing. */
static void
skip_item (struct cursor *cursor, const struct designator *designators, const struct type *type)
{
  struct init_item *item = cursor->item;

  if (cursor->is_shared && designators && designators->name && type_is_record (type))
    error_at (item->first, "%s has no member named '%s'", type_text (type),
              designators->name->text);
  else if (cursor->is_shared && designators)
    error_at (item->first, "invalid designator in initializer of %s", type_text (type));
  else if (cursor->is_shared)
    warning_at (item->first, "excess elements in initializer of %s", type_text (type));
  cursor->item = item->next;
}

/* The member of RECORD that is called NAME, or the anonymous one that has it. */
static struct decl *
member_for (struct record *record, struct name *name)
{
  struct decl *own;
  uint64_t offset;

  return find_own_member (record, name, &own, &offset) ? own : NULL;
}

static struct decl *
next_initialised (struct decl *member)
{
  while (member && !member->name && (member->is_bit_field || !type_is_record (member->type)))
    member = member->next_member;
  return member;
}

static void
fill_record (struct cursor *cursor, const struct subobject *object, bool is_braced,
             struct designator *pending)
{
  struct record *record = object->type->record;
  struct decl *member = next_initialised (record->members);

  while (cursor->item)
    {
      struct designator *designators = pending ? pending : cursor->item->designators;

      if (designators)
        {
          if (!pending && !is_braced)
            return;
          member = designators->name ? member_for (record, designators->name) : NULL;
          if (member)
            fill_designated (cursor, member_subobject (object, member),
                             member->name ? designators->next : designators);
        }
      else if (member)
        fill_subobject (cursor, member_subobject (object, member));
      if (!member)
        {
          if (!is_braced && !pending)
            return;
          skip_item (cursor, designators, object->type);
        }
      pending = NULL;
      if (member)
        member = record->is_union ? NULL : next_initialised (member->next_member);
      if (!member && !is_braced)
        return;
    }
}

/* The index that DESIGNATOR begins at; the range it covers goes to *OBJECT. */
static bool
read_index (const struct cursor *cursor, const struct designator *designator,
            struct subobject *object, uint64_t *index, uint64_t *last)
{
  if (!designator->index || !designator->index->is_constant || designator->index->value < 0)
    return false;
  *index = *last = designator->index->value;
  if (!designator->end || !designator->end->is_constant
      || designator->end->value <= designator->index->value)
    return true;
  *last = designator->end->value;
  if (object->count != 1 && cursor->tail)
    error_at (designator->end->first, "nested ranges in initializer of shared object or "
                                      "pointer-to-shared are not supported");
  object->count = *last - *index + 1;
  object->stride_is_elements = !object->in_element;
  object->stride = object->in_element ? type_size (object->type->base).value
                                      : ultimate_count (object->type->base).value;
  return true;
}

static uint64_t
array_limit (const struct type *type)
{
  return type->kind == TYPE_VECTOR || type->length_kind == LENGTH_FIXED ? type->count : UINT64_MAX;
}

static bool
in_bounds (const struct cursor *cursor, const struct subobject *array, uint64_t index)
{
  if (!cursor->is_shared || index < array_limit (array->type))
    return true;
  error_at (cursor->item->first, "array index %llu exceeds bounds of %s",
            (unsigned long long) index, type_text (array->type));
  return false;
}

/* Returns how many elements the array must have for what was found. */
static uint64_t
fill_array (struct cursor *cursor, const struct subobject *object, bool is_braced,
            struct designator *pending)
{
  uint64_t index = 0, limit = array_limit (object->type), needed = 0;

  while (cursor->item)
    {
      struct designator *designators = pending ? pending : cursor->item->designators;
      struct init_item *before = cursor->item;
      struct subobject base = *object;
      uint64_t last;

      if (designators)
        {
          if (!pending && !is_braced)
            break;
          if (!read_index (cursor, designators, &base, &index, &last))
            last = index;
          else if (in_bounds (cursor, &base, last))
            fill_designated (cursor, element_subobject (&base, index), designators->next);
          else
            cursor->item = cursor->item->next;
          index = last;
        }
      else if (index < limit)
        fill_subobject (cursor, element_subobject (&base, index));
      else if (!is_braced)
        break;
      pending = NULL;
      /* Neither an excess value nor one for elements without members fits anywhere. */
      if (cursor->item == before)
        skip_item (cursor, designators, object->type);
      if (index < limit && index + 1 > needed)
        needed = index + 1;
      index++;
      if (index >= limit && !is_braced)
        break;
    }
  return needed;
}

static uint64_t
fill_aggregate (struct cursor *cursor, struct subobject object, bool is_braced,
                struct designator *pending)
{
  bool was_elided = cursor->is_elided;
  uint64_t needed = 0;

  cursor->is_elided = was_elided || !is_braced;
  if (type_is_record (object.type))
    fill_record (cursor, &object, is_braced, pending);
  else
    needed = fill_array (cursor, &object, is_braced, pending);
  cursor->is_elided = was_elided;
  return needed;
}

/* The brace pair INIT for OBJECT. Leaves go on where OUTER's ended. */
static uint64_t
fill_braces (struct cursor *outer, struct subobject object, struct initializer *init)
{
  struct cursor cursor
      = { .item = init->items, .tail = outer->tail, .is_shared = outer->is_shared };
  uint64_t count = 0;

  init->type = object.type;
  if (!cursor.item)
    return 0;
  init->translate = init->translate || type_holds_pts (object.type);
  if (!is_aggregate (object.type)
      || (cursor.item->value->expr && !cursor.item->next && !cursor.item->designators
          && fits_whole (object.type, cursor.item->value->expr) && object.type->kind == TYPE_ARRAY))
    {
      count = cursor.item->value->expr ? cursor.item->value->expr->type->count : 0;
      if (cursor.is_shared && cursor.item->designators)
        skip_item (&cursor, cursor.item->designators, object.type);
      else
        fill_subobject (&cursor, object);
      while (cursor.item)
        skip_item (&cursor, cursor.item->designators, object.type);
    }
  else
    count = fill_aggregate (&cursor, object, true, NULL);
  outer->tail = cursor.tail;
  return count;
}

/* Finds what INIT initialises in an object of *TYPE, whose length it may settle. */
static void
resolve (struct initializer *init, struct type **type)
{
  bool wants_leaves = type_is_shared (*type) || type_holds_pts (*type);
  struct cursor cursor = { .tail = wants_leaves ? &init->leaves : NULL,
                           .is_shared = type_is_shared (*type) };
  struct subobject object = { .type = *type, .count = 1 };
  uint64_t count = 0;

  init->type = *type;
  if (init->expr)
    {
      if (!is_aggregate (*type) || fits_whole (*type, init->expr))
        {
          count = init->expr->type->count;
          add_leaf (&cursor, &object, init);
        }
      else if (wants_leaves && (*type)->kind == TYPE_ARRAY)
        error_at (init->first, "invalid initializer: array needs a brace-enclosed list");
      else if (wants_leaves)
        {
          if (type_is_shared (*type))
            error_at (init->first, "initialization: cannot convert %s to %s",
                      type_text (init->expr->type), type_text (*type));
          init->expr = assigned (init->expr, *type, init->first, "initialization");
        }
    }
  else if (wants_leaves || is_open_array (*type) || !is_aggregate (*type))
    count = fill_braces (&cursor, object, init);
  if (is_open_array (*type))
    *type = array_of ((*type)->base, count);
  init->type = *type;
}

void
resolve_initializer (struct initializer *init, struct type **type)
{
  if (ultimate_type (*type)->kind != TYPE_UNKNOWN)
    resolve (init, type);
  init->translate = init->translate || type_is_shared (*type) || (*type)->has_shared
                    || type_holds_pts (*type);
}
