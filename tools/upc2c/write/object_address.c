/* The addresses of static shared objects. An element's is computed with integers, from the address of
   its object and that of the image. In such a sum gcc may compute the address of an element of one
   array from that of another one. Its passes on instructions then see the symbol of the other array,
   and believe that two addresses of an element are of two objects: they move a load past a store to
   the same element. So gcc does not see these symbols: it reads addresses from constants that are
   defined in assembly, where it can.

   Large objects (far_object.c) need all 64 bits of their addresses, from any compiler. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

/* A constant with the address of the object LABEL. It is declared outside of functions, or where it is read. */
struct address
{
  const char *label;
  unsigned number;
  bool is_declared, is_read;
  struct address *next;
};

static struct address *first_address;

static struct address *
address_of_object (const char *label)
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
  return a;
}

/* Whether the code that is being written is there even if nobody calls it. What compilers
   drop, such as inline functions of headers, must not ask the linker for objects. */
static bool
is_surely_compiled (void)
{
  const struct decl *f = function_being_written;

  return !f || (f->storage != STORAGE_STATIC && !f->is_inline);
}

static const char *
declaration (const struct address *a)
{
  return arena_format ("extern __attribute__ ((__visibility__ (\"hidden\"))) "
                       "char *const __upc_far%u __asm__ (\"upc_far.%u\")",
                       a->number, a->number);
}

static const char *
constant (struct address *a)
{
  a->is_read = true;
  if (a->is_declared)
    return arena_format ("__upc_far%u", a->number);
  return arena_format ("__extension__ ({ %s; __upc_far%u; })", declaration (a), a->number);
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

/* The address with its symbol hidden. A constant is better to optimise: gcc moves no asm out of loops. */
static const char *
hidden_address (const char *name)
{
  return arena_format ("__extension__ ({ char *__upc_at = (char *) &%s; "
                       "__asm__ (\"\" : \"+r\" (__upc_at)); __upc_at; })",
                       name);
}

const char *
object_address (struct decl *d)
{
  const char *label = labelled_object (d);
  bool is_sure = is_surely_compiled () || d->is_definition;
  struct address *a;

  if (is_far (d) && !is_sure)
    return far_address (far_label (d));
  if (label)
    return label;
  if (!is_far (d) && !has_hidden_address (d))
    return arena_format ("&%s", c_name (d));
  /* The compiler names static objects of functions. */
  if (!is_far (d) && (!is_sure || (d->scope_depth > 0 && d->storage != STORAGE_EXTERN)))
    return hidden_address (c_name (d));
  a = address_of_object (far_label (d));
  return is_far (d) || a->is_declared ? constant (a) : hidden_address (c_name (d));
}

void
declare_constant (struct decl *d)
{
  struct address *a;

  if (!has_hidden_address (d) || d->scope_depth > 0)
    return;
  a = address_of_object (far_label (d));
  if (!a->is_declared)
    putf ("; %s", declaration (a));
  a->is_declared = true;
}

bool
has_hidden_address (const struct decl *d)
{
  return !switches.clang && type_is_shared (d->type);
}

void
gen_object_addresses (void)
{
  for (struct address *a = first_address; a; a = a->next)
    {
      if (a->is_read)
        put_line ("__asm__ (\"%s.pushsection .data.rel.ro.upc_far,\\\"aw\\\",@progbits; .balign 8; "
                  "upc_far.%u: .quad %s; .popsection\");",
                  switches.plugin ? arena_format (".hidden %s; ", a->label) : "", a->number,
                  a->label);
      a->is_declared = a->is_read = false;
    }
}
