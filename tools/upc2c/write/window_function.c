/* What is done with windows, by functions of each layout (layout_function.c):

       static … void __upc_window_get4_8 (char *copy, const volatile void *root, long n, unsigned long count)
         { __upc_window_copy (copy, __upc_window_at_element (root, n, 4, 8), count, 4, 8, 0); } */

#include "tools/upc2c/write/internal.h"

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

void
put_window_copy (struct loop *loop, const struct window_copy *copy)
{
  struct reference *r = copy->reference;
  const char *place = text_of_place (loop, r, copy->shift);
  const struct layout_function f = {
    .name = copy->is_back ? "window_put" : "window_get",
    .type = "void",
    .first = "char *__restrict __copy",
    .last = "unsigned long __count",
    .body = call_of_copy (r, copy->is_back, "__copy", "__root, __n", "__count"),
  };

  putf ("%s; ", call_by_layout (loop, r, &f,
                                call_of_copy (r, copy->is_back, copy->copy, place, copy->count),
                                arena_format ("%s, %s, %s", copy->copy, place, copy->count)));
}

void
put_window_reach (struct loop *loop, struct reference *r, const char *shift, const char *count)
{
  const char *place = text_of_place (loop, r, shift);
  const struct layout_function f = {
    .name = "window_reach",
    .type = "__upc_window_range",
    .last = "unsigned long __count",
    .body = arena_format ("return %s", call_of_reach (r, "__root, __n", "__count")),
  };

  put (call_by_layout (loop, r, &f, call_of_reach (r, place, count),
                       arena_format ("%s, %s", place, count)));
}
