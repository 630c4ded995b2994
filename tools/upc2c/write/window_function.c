/* What is seldom done with windows: functions of each size of blocks and elements, before the first function of the program
   that calls them:

       static … void __upc_window_get4_8 (char *copy, const volatile void *root, long n, unsigned long count)
         { __upc_window_copy (copy, __upc_window_at_element (root, n, 4, 8), count, 4, 8, 0); }

   A copy is more code than the loop, and a stencil has several: in line only those are worth while that are done with each
   row. */

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

static const char *
layout_of (const struct reference *r)
{
  return arena_format (", %u, %lu", block_of (r->type), (unsigned long) element_bytes (r));
}

/* Where ROOT[N] begins a window. */
static const char *
place_at (const struct reference *r, const char *root_and_index)
{
  return arena_format ("__upc_window_at_%s (%s%s)", is_pointer (r) ? "index" : "element",
                       root_and_index, layout_of (r));
}

static const char *
call_of_copy (const struct reference *r, bool is_back, const char *copy, const char *root_and_index,
              const char *count)
{
  return arena_format ("__upc_window_copy (%s, %s, %s%s, %d)", copy, place_at (r, root_and_index),
                       count, layout_of (r), is_back);
}

static const char *
call_of_reach (const struct reference *r, const char *root_and_index, const char *count)
{
  return arena_format ("__upc_window_reach (%s, %s%s)", place_at (r, root_and_index), count,
                       layout_of (r));
}

/* The name of the function that does what KIND says by BODY, and returns TYPE. COPY is its first parameter, or nothing. It is
   inserted before the code at WHERE if it is new. */
static const char *
function_for (const char *kind, const struct reference *r, const char *type, const char *copy,
              const char *body, token_index where)
{
  const char *name = arena_format ("__upc_window_%s%s%u_%lu", kind, is_pointer (r) ? "_at" : "",
                                   block_of (r->type), (unsigned long) element_bytes (r));
  struct function *f = functions;

  while (f && strcmp (f->name, name) != 0)
    f = f->next;
  if (f)
    return name;
  f = NEW (struct function);
  *f = (struct function){ name, functions };
  functions = f;
  insert_before (
      declaration_around (where)->first,
      arena_format (
          "static __attribute__ ((__noinline__, __unused__)) %s %s (%s%s__root, long __n, "
          "unsigned long __count) { %s; } ",
          type, name, copy, is_pointer (r) ? "__upc_pts " : "const volatile void *", body));
  return name;
}

/* The root and the index of R, to which SHIFT is added. */
static const char *
text_of_place (struct loop *loop, struct reference *r, const char *shift)
{
  struct buffering *c = begin_buffering ();

  put_root_and_index (loop, r);
  put (shift);
  return end_buffering (c);
}

void
put_window_copy (struct loop *loop, const struct window_copy *copy)
{
  struct reference *r = copy->reference;
  const char *place = text_of_place (loop, r, copy->shift);
  token_index where = loop->stmt->first;

  if (!copy->is_seldom || is_in_extern_inline (where))
    putf ("%s; ", call_of_copy (r, copy->is_back, copy->copy, place, copy->count));
  else
    putf ("%s (%s, %s, %s); ",
          function_for ("get", r, "void", "char *__restrict __copy, ",
                        call_of_copy (r, false, "__copy", "__root, __n", "__count"), where),
          copy->copy, place, copy->count);
}

void
put_window_reach (struct loop *loop, struct reference *r, const char *shift, const char *count)
{
  const char *place = text_of_place (loop, r, shift);
  token_index where = loop->stmt->first;
  const char *body = arena_format ("return %s", call_of_reach (r, "__root, __n", "__count"));

  if (is_in_extern_inline (where))
    put (call_of_reach (r, place, count));
  else
    putf ("%s (%s, %s)", function_for ("reach", r, "__upc_window_range", "", body, where), place,
          count);
}
