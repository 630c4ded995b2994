/* What each value of an initialiser list initialises. */

#include "tools/upc2c/sema/sema.h"

/* A place in the object: an ultimate element of it, and a place in that. */
struct place
{
  struct type *type;
  struct decl *member; /* a bit-field */
  uint64_t element;
  uint64_t offset;
  bool in_element; /* OFFSET counts, ELEMENT is settled */
  uint64_t count, stride;
  bool stride_is_elements;
};

/* The walk over a list; item is the next one. */
struct walk
{
  struct init_item *item;
  struct init_leaf **tail; /* NULL: no leaves are wanted */
  bool is_elided;          /* within braces that are left out */
  bool is_shared;          /* the object; C compilers see no list for it */
};

static void fill_place (struct walk *walk, struct place place);
static uint64_t fill_aggregate (struct walk *walk, struct place place, bool is_braced,
                                struct designator *pending);
static uint64_t fill_braces (struct walk *outer, struct place place, struct initializer *init);

static bool
is_open_array (const struct type *type)
{
  return type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN;
}

static void
add_leaf (struct walk *walk, const struct place *place, struct initializer *init)
{
  struct init_leaf *leaf;

  init->type = is_open_array (place->type)
                 ? array_of (place->type->base, init->expr->type->count)
                 : place->type;
  if (place->type->kind != TYPE_ARRAY)
    init->expr = assigned (init->expr, place->type, init->expr->token, "initialisation");
  init->translate = init->translate || init->expr->translate;
  init->is_elided = walk->is_elided;
  if (!walk->tail)
    return;
  leaf = NEW (struct init_leaf);
  leaf->type = init->type;
  leaf->member = place->member;
  leaf->element = place->element;
  leaf->offset = place->offset;
  leaf->count = place->count;
  leaf->stride = place->stride;
  leaf->stride_is_elements = place->stride_is_elements;
  leaf->expr = init->expr;
  *walk->tail = leaf;
  walk->tail = &leaf->next;
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
    return strip_parens (e)->kind == EXPR_STRING
           && type_size (type->base).value == type_size (from->base).value
           && type_is_integer (type->base);
  return from->kind == TYPE_UNKNOWN || (from->kind == type->kind && from->kind == TYPE_VECTOR)
         || (type_is_record (type) && types_match_unqualified (from, type));
}

static struct place
element_place (const struct place *array, uint64_t index)
{
  struct place place = *array;
  struct type *base = array->type->base;

  place.type = base;
  if (place.in_element || array->type->kind == TYPE_VECTOR)
    place.offset += index * type_size (base).value;
  else
    place.element += index * ultimate_count (base).value;
  return place;
}

static struct place
member_place (const struct place *record, struct decl *member)
{
  struct place place = *record;

  place.type = member->type;
  place.member = member->is_bit_field ? member : NULL;
  place.offset += member->offset;
  place.in_element = true;
  return place;
}

/* One value, or a brace pair, for PLACE; its own designators are behind us. */
static void
fill_place (struct walk *walk, struct place place)
{
  struct initializer *init = walk->item->value;

  if (init->expr && is_aggregate (place.type) && !fits_whole (place.type, init->expr))
    {
      fill_aggregate (walk, place, false, NULL);
      return;
    }
  walk->item = walk->item->next;
  if (init->expr)
    add_leaf (walk, &place, init);
  else
    fill_braces (walk, place, init);
}

static void
fill_designated (struct walk *walk, struct place place, struct designator *rest)
{
  if (rest && is_aggregate (place.type))
    fill_aggregate (walk, place, false, rest);
  else
    fill_place (walk, place);
}

/* An item that initialises nothing. */
static void
skip_item (struct walk *walk, const struct designator *designators, const struct type *type)
{
  struct init_item *item = walk->item;

  if (walk->is_shared && designators && designators->name && type_is_record (type))
    error_at (item->first, "%s has no member '%s'", type_text (type), designators->name->text);
  else if (walk->is_shared && designators)
    error_at (item->first, "no such designator in %s", type_text (type));
  else if (walk->is_shared)
    warning_at (item->first, "excess values in the initialiser of %s", type_text (type));
  walk->item = item->next;
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
fill_record (struct walk *walk, const struct place *place, bool is_braced, struct designator *pending)
{
  struct record *record = place->type->record;
  struct decl *member = next_initialised (record->members);

  while (walk->item)
    {
      struct designator *designators = pending ? pending : walk->item->designators;

      if (designators)
        {
          if (!pending && !is_braced)
            return;
          member = designators->name ? member_for (record, designators->name) : NULL;
          if (member)
            fill_designated (walk, member_place (place, member),
                             member->name ? designators->next : designators);
        }
      else if (member)
        fill_place (walk, member_place (place, member));
      if (!member)
        {
          if (!is_braced && !pending)
            return;
          skip_item (walk, designators, place->type);
        }
      pending = NULL;
      if (member)
        member = record->is_union ? NULL : next_initialised (member->next_member);
      if (!member && !is_braced)
        return;
    }
}

/* The index that DESIGNATOR begins at; the range it covers goes to *PLACE. */
static bool
read_index (const struct walk *walk, const struct designator *designator, struct place *place,
            uint64_t *index, uint64_t *last)
{
  if (!designator->index || !designator->index->is_constant || designator->index->value < 0)
    return false;
  *index = *last = designator->index->value;
  if (!designator->end || !designator->end->is_constant
      || designator->end->value <= designator->index->value)
    return true;
  *last = designator->end->value;
  if (place->count != 1 && walk->tail)
    error_at (designator->end->first, "a range inside a range initialises pointers-to-shared or a shared object");
  place->count = *last - *index + 1;
  place->stride_is_elements = !place->in_element;
  place->stride = place->in_element ? type_size (place->type->base).value
                                    : ultimate_count (place->type->base).value;
  return true;
}

static uint64_t
array_limit (const struct type *type)
{
  return type->kind == TYPE_VECTOR || type->length_kind == LENGTH_FIXED ? type->count : UINT64_MAX;
}

static bool
in_bounds (const struct walk *walk, const struct place *array, uint64_t index)
{
  if (!walk->is_shared || index < array_limit (array->type))
    return true;
  error_at (walk->item->first, "index %llu is outside of %s", (unsigned long long) index,
            type_text (array->type));
  return false;
}

/* Returns how many elements the array must have for what was found. */
static uint64_t
fill_array (struct walk *walk, const struct place *place, bool is_braced, struct designator *pending)
{
  uint64_t index = 0, limit = array_limit (place->type), needed = 0;

  while (walk->item)
    {
      struct designator *designators = pending ? pending : walk->item->designators;
      struct init_item *before = walk->item;
      struct place base = *place;
      uint64_t last;

      if (designators)
        {
          if (!pending && !is_braced)
            break;
          if (!read_index (walk, designators, &base, &index, &last))
            last = index;
          else if (in_bounds (walk, &base, last))
            fill_designated (walk, element_place (&base, index), designators->next);
          else
            walk->item = walk->item->next;
          index = last;
        }
      else if (index < limit)
        fill_place (walk, element_place (&base, index));
      else if (!is_braced)
        break;
      pending = NULL;
      /* Neither an excess value nor one for elements without members fits anywhere. */
      if (walk->item == before)
        skip_item (walk, designators, place->type);
      if (index < limit && index + 1 > needed)
        needed = index + 1;
      index++;
      if (index >= limit && !is_braced)
        break;
    }
  return needed;
}

static uint64_t
fill_aggregate (struct walk *walk, struct place place, bool is_braced, struct designator *pending)
{
  bool was_elided = walk->is_elided;
  uint64_t needed = 0;

  walk->is_elided = was_elided || !is_braced;
  if (type_is_record (place.type))
    fill_record (walk, &place, is_braced, pending);
  else
    needed = fill_array (walk, &place, is_braced, pending);
  walk->is_elided = was_elided;
  return needed;
}

/* The brace pair INIT for PLACE. Leaves go on where OUTER's ended. */
static uint64_t
fill_braces (struct walk *outer, struct place place, struct initializer *init)
{
  struct walk walk = { .item = init->items, .tail = outer->tail, .is_shared = outer->is_shared };
  uint64_t count = 0;

  init->type = place.type;
  if (!walk.item)
    return 0;
  init->translate = init->translate || type_holds_pts (place.type);
  if (!is_aggregate (place.type)
      || (walk.item->value->expr && !walk.item->next && !walk.item->designators
          && fits_whole (place.type, walk.item->value->expr) && place.type->kind == TYPE_ARRAY))
    {
      count = walk.item->value->expr ? walk.item->value->expr->type->count : 0;
      if (walk.is_shared && walk.item->designators)
        skip_item (&walk, walk.item->designators, place.type);
      else
        fill_place (&walk, place);
      while (walk.item)
        skip_item (&walk, walk.item->designators, place.type);
    }
  else
    count = fill_aggregate (&walk, place, true, NULL);
  outer->tail = walk.tail;
  return count;
}

/* Finds what INIT initialises in an object of *TYPE, whose length it may settle. */
static void
resolve (struct initializer *init, struct type **type)
{
  bool wants_leaves = type_is_shared (*type) || type_holds_pts (*type);
  struct walk walk = { .tail = wants_leaves ? &init->leaves : NULL,
                       .is_shared = type_is_shared (*type) };
  struct place place = { .type = *type, .count = 1 };
  uint64_t count = 0;

  init->type = *type;
  if (init->expr)
    {
      if (!is_aggregate (*type) || fits_whole (*type, init->expr))
        {
          count = init->expr->type->count;
          add_leaf (&walk, &place, init);
        }
      else if (wants_leaves && (*type)->kind == TYPE_ARRAY)
        error_at (init->first, "an array is initialised by a list in braces");
      else if (wants_leaves)
        {
          if (type_is_shared (*type))
            error_at (init->first, "initialisation: %s where %s is wanted",
                      type_text (init->expr->type), type_text (*type));
          init->expr = assigned (init->expr, *type, init->first, "initialisation");
        }
    }
  else if (wants_leaves || is_open_array (*type) || !is_aggregate (*type))
    count = fill_braces (&walk, place, init);
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
