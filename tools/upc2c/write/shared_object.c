/* Static shared objects. */

#include "tools/upc2c/write/internal.h"

/* Several files may have a tentative definition of one object (C11, J.5.11): common symbols are
   for private data only, so the linker takes the first of weak ones. */
bool
is_tentative (const struct decl *d)
{
  return d->storage == STORAGE_NONE && !d->init && d->scope_depth == 0 && !switches.no_common;
}

/* Behind an object, with #pragma upct red_zones. A unit of the shadow (include/upct/shadow.h) is one
   object's alone, and the last unit of the room is nobody's. */
enum
{
  UNIT = 16,
  RED_ZONE = 2 * UNIT - 1
};

static bool
has_known_elements (const struct decl *d)
{
  struct size element = type_size (ultimate_type (d->type));

  return element.is_known && element.value > 0
         && !(d->type->kind == TYPE_ARRAY && d->type->length_kind == LENGTH_UNKNOWN);
}

/* C has no arrays of what is aligned to more than its size: that is a scalar, by its typedef. */
static bool
has_red_zone (const struct decl *d)
{
  const struct type *element = ultimate_type (d->type);

  return switches.red_zones && has_known_elements (d)
         && type_size (element).value % type_align (element) == 0;
}

/* Elements of D in a partition, with those of its red zone. */
static uint64_t
elements_of_room (const struct decl *d)
{
  uint64_t bytes = type_size (ultimate_type (d->type)).value;
  uint64_t red_zone = has_red_zone (d) ? RED_ZONE : 0;

  return bytes ? type_local_size (d->type) / bytes + (red_zone + bytes - 1) / bytes : 0;
}

uint64_t
room_of (const struct decl *d)
{
  return elements_of_room (d) * type_size (ultimate_type (d->type)).value;
}

bool
is_written_as_array (const struct decl *d)
{
  return d->type->kind == TYPE_ARRAY || has_red_zone (d);
}

static const char *
lengths_of (const struct type *type)
{
  const char *text = "";

  for (; type->kind == TYPE_ARRAY; type = type->base)
    text = arena_format ("%s%s", text, length_text (type));
  return text;
}

/* The record of include/upct/objects.h. */
static void
put_record (struct decl *d, const char *name)
{
  struct size count = ultimate_count (d->type);
  const struct token *t = token_at (d->name_token);

  putf ("; static const struct __upc_object __upc_record%u "
        "__attribute__ ((__section__ (\"upc_objects\"), __used__)) = { ",
        d->name_token);
  putf ("%s%s, \"%s\\0%s\\0\" \"%s\\0%s\", ", is_written_as_array (d) ? "" : "&", name,
        quoted (declared_text (d->type, d->name->text)), quoted_file (t), quoted (d->name->text),
        lengths_of (d->type));
  putf ("%lu, %lu, %u, %lu, %u, %d }", (unsigned long) count.value,
        (unsigned long) type_size (ultimate_type (d->type)).value, block_of (d->type),
        (unsigned long) room_of (d), t->line, count.times_threads);
}

/* The declarator: NAME, or what it is an array of. */
static const char *
declarator_of (const struct decl *d, const char *name)
{
  const struct type *type = d->type;

  if (type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN)
    return arena_format ("%s[]", name);
  if (!is_written_as_array (d))
    return name;
  if (!has_known_elements (d))
    error_at (d->name_token, "size of elements of '%s' is unknown", name);
  else
    name = arena_format ("%s[%lu]", name, (unsigned long) elements_of_room (d));
  return name;
}

static void
put_alignment (const struct decl *d)
{
  uint32_t align = type_align (d->type);
  bool is_asked_for = d->align || ultimate_type (d->type)->align;

  if (d->align > align)
    align = d->align;
  if (switches.red_zones && align < UNIT)
    align = UNIT;
  else if (!is_asked_for)
    return;
  putf (" __attribute__ ((__aligned__ (%u)))", align);
}

/* A plugin has no shared objects of others: offsets of its own are counted from its own image. So the
   linker names those that it does not define. */
static void
put_visibility (const struct decl *d)
{
  if (switches.plugin && d->storage != STORAGE_STATIC && !(is_far (d) && d->scope_depth > 0))
    put (" __attribute__ ((__visibility__ (\"hidden\")))");
}

void
gen_shared_object (struct decl *d)
{
  bool is_definition = d->storage != STORAGE_EXTERN || d->init;
  const char *name = c_name (d);
  const struct type *type = without_shared (ultimate_type (d->type));

  put (declare (with_quals ((struct type *) type, 0, 0), declarator_of (d, name)));
  if (is_far (d) && d->scope_depth > 0)
    putf (" __asm__ (\"%s\")", far_label (d));
  if (d->init)
    initialise_later (d);
  put_label (d);
  put_visibility (d);
  if (!is_definition)
    return;
  if (is_far (d))
    define_far_object (d);
  else
    putf (" __attribute__ ((__section__ (\"upc_shared\")%s))",
          is_tentative (d) ? ", __weak__" : "");
  put_alignment (d);
  if (has_known_elements (d))
    put_record (d, name);
}
