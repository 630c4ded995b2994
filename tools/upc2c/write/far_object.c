/* Large static shared objects. Code reaches a shared object by the distance of its symbol from
   the start of section upc_shared, and code for small programs has 32 bits for a symbol's
   address. So large objects come after all others, in section upc_shared_far. Code reads their
   addresses, all 64 bits, from constants beside it. This leaves 2 GiB for objects smaller than
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

/* A constant with the address of the object LABEL. */
struct address
{
  const char *label;
  unsigned number;
  struct address *next;
};

static struct address *first_address;

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

static unsigned
address_number (const char *label)
{
  struct address *a = first_address;

  while (a && strcmp (a->label, label) != 0)
    a = a->next;
  if (!a)
    {
      a = NEW (struct address);
      *a = (struct address){ .label = label, .next = first_address };
      a->number = first_address ? first_address->number + 1 : 1;
      first_address = a;
    }
  return a->number;
}

/* Whether the code that is being written is there even if nobody calls it. What compilers
   drop, such as inline functions of headers, must not ask the linker for objects. */
static bool
is_surely_compiled (void)
{
  const struct decl *f = function_being_written;

  return !f || (f->storage != STORAGE_STATIC && !f->is_inline);
}

/* The address by instructions alone, as GCC drops them with the code that they are in. */
static const char *
far_address (const char *label)
{
  if (switches.arm)
    return arena_format ("__extension__ ({ char *__upc_at, *__upc_distance; "
                         "__asm__ (\"adr %%0, 1f; ldr %%1, [%%0]; add %%0, %%0, %%1; b 2f; "
                         ".balign 8; 1: .xword %s - .; 2:\" "
                         ": \"=&r\" (__upc_at), \"=r\" (__upc_distance)); __upc_at; })",
                         label);
  return arena_format (
      "__extension__ ({ unsigned long __upc_at, __upc_start; "
      "__asm__ (\"movabsq $%s@GOTOFF, %%0; movabsq $__upc_shared_start@GOTOFF, %%1; "
      "subq %%1, %%0\" : \"=&r\" (__upc_at), \"=r\" (__upc_start)); "
      "__upc_shared_start + __upc_at; })",
      label);
}

/* Both forms have the address as 64 bits. A constant is better to optimise. */
const char *
far_object (const struct decl *d)
{
  const char *label = far_label (d);
  unsigned n;

  if (!is_surely_compiled () && !d->is_definition)
    return far_address (label);
  n = address_number (label);
  return arena_format ("__extension__ ({ extern __attribute__ ((__visibility__ (\"hidden\"))) "
                       "char *const __upc_far%u __asm__ (\"upc_far.%u\"); __upc_far%u; })",
                       n, n, n);
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
  for (struct address *a = first_address; a; a = a->next)
    put_line ("__asm__ (\"%s.pushsection .data.rel.ro.upc_far,\\\"aw\\\",@progbits; .balign 8; "
              "upc_far.%u: .quad %s; .popsection\");",
              switches.plugin ? arena_format (".hidden %s; ", a->label) : "", a->number, a->label);
}
