/* Functions of each size of blocks and elements, before the first function of the program that calls them:

       static … TYPE __upc_NAME4_8 (FIRST, const volatile void *root, long n, LAST) { BODY; }

   They do before or behind a strip what is more code than the loop, which may do it several times: in line it would take
   compilers longer than all else. Where loops of theirs begin in a cache line can make a third of their time, so that each
   function begins one. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

static struct function
{
  const char *name;
  struct function *next;
} * functions;

/* An inline function that another file may have, too, may name nothing of this file alone (C99, 6.7.4). */
static bool
is_in_extern_inline (token_index where)
{
  const struct decl *function = declaration_around (where)->decls;

  return function->is_inline && function->storage != STORAGE_STATIC;
}

static void
write_function (const char *name, const struct layout_function *f, const struct reference *r,
                token_index where)
{
  insert_before (
      declaration_around (where)->first,
      arena_format ("static __attribute__ ((__noinline__, __unused__, __aligned__ (64))) %s %s "
                    "(%s%s%s__root, long __n, %s) { %s; } ",
                    f->type, name, f->first ? f->first : "", f->first ? ", " : "",
                    is_pointer (r) ? "__upc_pts " : "const volatile void *", f->last, f->body));
}

/* The name of F for R's layout. It is inserted before the code at WHERE if it is new. */
static const char *
name_of_function (const struct layout_function *f, const struct reference *r, token_index where)
{
  const char *name = arena_format ("__upc_%s%s%u_%lu", f->name, is_pointer (r) ? "_at" : "",
                                   block_of (r->type), (unsigned long) element_bytes (r));
  struct function *known = functions;

  while (known && strcmp (known->name, name) != 0)
    known = known->next;
  if (known)
    return name;
  known = NEW (struct function);
  *known = (struct function){ name, functions };
  functions = known;
  write_function (name, f, r, where);
  return name;
}

const char *
call_by_layout (struct loop *loop, const struct reference *r, const struct layout_function *f,
                const char *in_line, const char *arguments)
{
  token_index where = loop->stmt->first;

  return is_in_extern_inline (where)
             ? in_line
             : arena_format ("%s (%s)", name_of_function (f, r, where), arguments);
}

const char *
text_of_place (struct loop *loop, struct reference *r, const char *shift)
{
  struct buffering *c = begin_buffering ();

  put_root_and_index (loop, r);
  put (shift);
  return end_buffering (c);
}
