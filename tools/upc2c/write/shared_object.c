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
  RED_ZONE = 2 * UNIT - 1,
  MOST_MORE = 16 * UNIT
};

static bool
has_known_type (const struct decl *d)
{
  struct size element = type_size (ultimate_type (d->type));

  return element.is_known && element.value > 0;
}

static bool
has_known_elements (const struct decl *d)
{
  return has_known_type (d)
         && !(d->type->kind == TYPE_ARRAY && d->type->length_kind == LENGTH_UNKNOWN);
}

/* C has no arrays of what is aligned to more than its size: that is a scalar, by its typedef. */
static bool
may_have_red_zone (const struct decl *d)
{
  const struct type *element = ultimate_type (d->type);

  return switches.red_zones && has_known_type (d)
         && type_size (element).value % type_align (element) == 0;
}

static bool
has_red_zone (const struct decl *d)
{
  return may_have_red_zone (d) && has_known_elements (d);
}

/* Bytes of D in a partition. */
static uint64_t
bytes_of (const struct decl *d)
{
  return has_known_elements (d) ? type_local_size (d->type) : 0;
}

/* Those of its red zone: elements that are nobody's. Some more, if the room ends with a unit then: of what lies behind
   it in a unit nobody knows that it is nobody's, too, and it may be what is before the next object. */
static uint64_t
red_zone_of (const struct decl *d)
{
  uint64_t element = type_size (ultimate_type (d->type)).value;
  uint64_t bytes = (RED_ZONE + element - 1) / element * element;

  if (!has_red_zone (d))
    return 0;
  for (uint64_t more = 0; more <= MOST_MORE; more += element)
    if ((bytes_of (d) + bytes + more) % UNIT == 0)
      return bytes + more;
  return bytes;
}

uint64_t
room_of (const struct decl *d)
{
  return bytes_of (d) + red_zone_of (d);
}

/* Are the elements of D dealt to threads, so that what C knows of is a piece of it? */
static bool
is_dealt (const struct decl *d)
{
  return d->type->kind == TYPE_ARRAY && block_of (d->type) > 0 && switches.threads != 1;
}

static const char *
lengths_of (const struct type *type)
{
  const char *text = "";

  for (; type->kind == TYPE_ARRAY; type = type->base)
    text = arena_format ("%s%s", text, length_text (type));
  return text;
}

/* The record of include/upct/objects.h. Its strings are literals of their own: the digit that a file's name may
   begin with would be a part of the escape before it. */
static void
put_record (struct decl *d, const char *name)
{
  struct size count = ultimate_count (d->type);
  const struct token *t = token_at (d->name_token);

  putf ("; static const struct __upc_object __upc_record%u "
        "__attribute__ ((__section__ (\"upc_objects\"), __used__)) = { ",
        d->name_token);
  putf ("&%s, \"%s\\0\" \"%s\\0\" \"%s\\0%s\", ", name,
        quoted (declared_text (d->type, d->name->text)), quoted_file (t), quoted (d->name->text),
        lengths_of (d->type));
  putf ("%lu, %lu, %u, %lu, %u, %d }", (unsigned long) count.value,
        (unsigned long) type_size (ultimate_type (d->type)).value, block_of (d->type),
        (unsigned long) room_of (d), t->line, count.times_threads);
}

/* ---- What C, and so a debugger, knows of an object ---- */

/* Compilers may warn of a member of such a type that others follow. */
static bool
is_flexible (const struct type *type)
{
  const struct decl *last = type->kind == TYPE_STRUCT ? type->record->members : NULL;

  while (last && last->next_member)
    last = last->next_member;
  return last && last->type->kind == TYPE_ARRAY && last->type->length_kind == LENGTH_UNKNOWN;
}

/* Whether D is a structure in C. That of an extern object is declared outside of functions, so one that
   is declared in a function first is none. */
static bool
is_structure (const struct decl *d)
{
  if (!d->previous && d->is_global && d->scope_depth > 0)
    d->name->is_plain = true;
  return (is_dealt (d) || (may_have_red_zone (d) && !is_flexible (ultimate_type (d->type))))
         && !(d->is_global && d->name->is_plain);
}

/* NAME, which may be followed by lengths, with the ultimate type of D. */
static const char *
declared_elements (const struct decl *d, const char *name)
{
  return declare (with_quals (without_shared (ultimate_type (d->type)), 0, 0), name);
}

/* So many BYTES of elements of D, as NAME. */
static const char *
flat_elements (const struct decl *d, const char *name, uint64_t bytes)
{
  uint64_t element = type_size (ultimate_type (d->type)).value;

  return declared_elements (d, arena_format ("%s[%lu]", name, (unsigned long) (bytes / element)));
}

/* D, which one thread has, as NAME. */
static const char *
whole_object (const struct decl *d, const char *name)
{
  for (const struct type *type = d->type; type->kind == TYPE_ARRAY; type = type->base)
    name = type->length_kind == LENGTH_UNKNOWN
               ? arena_format ("%s[]", name)
               : arena_format ("%s[%lu]", name, (unsigned long) type->count);
  return declared_elements (d, name);
}

/* `struct __upc_shared_a { int of_thread_0[4]; } a`: no index of the program's, which is one of all
   threads' elements, leads into it, as it would into `int a[4]`. */
static void
put_structure (struct decl *d, const char *name)
{
  uint64_t red_zone = red_zone_of (d);

  putf ("struct __upc_shared_%s ", name);
  d->is_told = d->previous && d->previous->is_told;
  if (has_known_elements (d) && (d->scope_depth == 0 || !d->is_global) && !d->is_told)
    {
      d->is_told = true;
      putf ("{ %s; ", is_dealt (d) ? flat_elements (d, "of_thread_0", bytes_of (d))
                                   : whole_object (d, "value"));
      if (red_zone)
        putf ("char red_zone[%lu]; ", (unsigned long) red_zone);
      put ("} ");
    }
  put (name);
}

/* What one thread has, as it is. */
static void
put_plain (struct decl *d, const char *name)
{
  bool is_open = d->type->kind == TYPE_ARRAY && d->type->length_kind == LENGTH_UNKNOWN;

  if (d->type->kind == TYPE_ARRAY && !is_open && !has_known_elements (d))
    error_at (d->name_token, "size of elements of '%s' is unknown", name);
  else if (!is_open && (is_dealt (d) || has_red_zone (d)))
    put (flat_elements (d, name, room_of (d)));
  else
    put (whole_object (d, name));
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

static void
gen_object (struct decl *d)
{
  bool is_definition = d->storage != STORAGE_EXTERN || d->init;
  const char *name = c_name (d);

  if (is_structure (d))
    put_structure (d, name);
  else
    put_plain (d, name);
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
    /* Of what assembly refers to, compilers know nothing. */
    putf (
        " __attribute__ ((__section__ (\"upc_shared\")%s%s))", is_tentative (d) ? ", __weak__" : "",
        has_hidden_address (d) && d->storage == STORAGE_STATIC && d->scope_depth == 0 ? ", __used__"
                                                                                      : "");
  put_alignment (d);
  if (has_known_elements (d))
    put_record (d, name);
}

void
gen_shared_object (struct decl *d)
{
  gen_object (d);
  declare_constant (d);
}
