/* Static shared objects. */

#include "tools/upc2c/write/internal.h"

/* Several files may have a tentative definition of one object (C11, J.5.11): common symbols are
   for private data only, so the linker takes the first of weak ones. */
bool
is_tentative (const struct decl *d)
{
  return d->storage == STORAGE_NONE && !d->init && d->scope_depth == 0 && !switches.no_common;
}

void
gen_shared_object (struct decl *d)
{
  const struct type *type = d->type;
  struct size element = type_size (ultimate_type (type));
  bool is_definition = d->storage != STORAGE_EXTERN || d->init;
  const char *name = c_name (d);

  if (type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN)
    name = arena_format ("%s[]", name);
  else if (type->kind == TYPE_ARRAY)
    {
      if (!element.is_known || element.value == 0)
        error_at (d->name_token, "size of elements of '%s' is unknown", name);
      else
        name = arena_format ("%s[%lu]", name,
                             (unsigned long) (type_local_size (type) / element.value));
    }
  type = without_shared (ultimate_type (type));
  put (declare (with_quals ((struct type *) type, 0, 0), name));
  if (is_far (d) && d->scope_depth > 0)
    putf (" __asm__ (\"%s\")", far_label (d));
  if (d->init)
    initialise_later (d);
  put_label (d);
  if (is_definition && is_far (d))
    define_far_object (d);
  else if (is_definition)
    putf (" __attribute__ ((__section__ (\"upc_shared\")%s))",
          is_tentative (d) ? ", __weak__" : "");
  if (is_definition && (d->align || ultimate_type (d->type)->align))
    putf (" __attribute__ ((__aligned__ (%u)))",
          d->align > type_align (d->type) ? d->align : type_align (d->type));
}
