/* Large static shared objects. Code reaches a shared object by the distance of its symbol from
   the start of section upc_shared, and code for small programs has 32 bits for a symbol's
   address. So large objects come after all others, in section upc_shared_far, and code has all
   64 bits of their addresses (object_address.c). This leaves 2 GiB for objects smaller than
   FAR_BYTES.

   They are defined in assembly: compilers give a section of this name contents, and gigabytes of
   zeros have no place in an object file. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

enum
{
  FAR_BYTES = 1 << 16,
  FAR_ALIGN = 64
};

struct far
{
  const char *label;
  uint64_t bytes;
  uint32_t align;
  bool is_local;
  bool is_weak;
  struct far *next;
};

static struct far *first_far;

bool
is_far (const struct decl *d)
{
  const struct type *type = d->type;

  if (d->kind != DECL_VARIABLE || !type_is_shared (type))
    return false;
  return (type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN)
         || type_local_size (type) >= FAR_BYTES;
}

/* The object's name for the assembler. */
const char *
far_label (const struct decl *d)
{
  if (d->scope_depth == 0 || d->storage == STORAGE_EXTERN)
    return d->name->text;
  return arena_format ("%s.upcfar%u", d->name->text, d->name_token);
}

void
define_far_object (const struct decl *d)
{
  const char *label = far_label (d);
  struct far *f = first_far;

  while (f && strcmp (f->label, label) != 0)
    f = f->next;
  if (f)
    return;
  f = NEW (struct far);
  *f = (struct far){ .label = label, .bytes = room_of (d), .next = first_far };
  f->align = d->align > FAR_ALIGN ? d->align : FAR_ALIGN;
  f->is_local = d->storage == STORAGE_STATIC;
  f->is_weak = is_tentative (d);
  first_far = f;
}

void
gen_far_objects (void)
{
  for (struct far *f = first_far; f; f = f->next)
    put_line ("__asm__ (\".pushsection upc_shared_far,\\\"aw\\\",@nobits; %s%s%s.balign %u; "
              ".type %s, @object; .size %s, %lu; %s: .zero %lu; .popsection\");",
              f->is_local  ? ""
              : f->is_weak ? ".weak "
                           : ".globl ",
              f->is_local ? "" : f->label, f->is_local ? "" : "; ", f->align, f->label, f->label,
              (unsigned long) f->bytes, f->label, (unsigned long) f->bytes);
}
