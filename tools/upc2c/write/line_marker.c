/* Properly nested line markers.

   The preprocessor's markers have a flag, 1, where a header begins, and a flag, 2, where the
   including file continues. Markers in rewritten text are lost. Compilers reject a 2 without its
   1, so that flag is then removed, too. A generated marker that continues such a file gets a 2. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

/* A name within its quotes. */
struct file_name
{
  const char *text;
  size_t size;
};

static struct
{
  struct file_name *names;
  size_t depth, capacity;
} including;

static void
push (struct file_name name)
{
  including.names = grow_array (including.names, including.depth + 1, &including.capacity,
                                sizeof *including.names);
  including.names[including.depth++] = name;
}

static bool
is_same (struct file_name a, struct file_name b)
{
  return a.size == b.size && memcmp (a.text, b.text, a.size) == 0;
}

static bool
pop (struct file_name name)
{
  if (including.depth == 0 || !is_same (including.names[including.depth - 1], name))
    return false;
  including.depth--;
  return true;
}

/* The name in the line marker from START to END; size 0 if the line is none. */
static struct file_name
name_of_marker (const char *start, const char *end)
{
  const char *c = start + 2, *close;

  if (end - start < 2 || start[0] != '#' || start[1] != ' ')
    return (struct file_name){ start, 0 };
  while (c < end && *c >= '0' && *c <= '9')
    c++;
  if (c == start + 2 || end - c < 3 || c[0] != ' ' || c[1] != '"')
    return (struct file_name){ start, 0 };
  close = memrchr (c + 2, '"', end - c - 2);
  return (struct file_name){ c + 1, close ? (size_t) (close + 1 - (c + 1)) : 0 };
}

void
nest_line_markers (char *text, size_t size)
{
  static struct file_name current;
  char *end, *stop = text + size;

  for (; text < stop; text = end + 1)
    {
      struct file_name name;
      char *flag;

      end = memchr (text, '\n', stop - text);
      if (!end)
        end = stop;
      name = name_of_marker (text, end);
      if (name.size == 0)
        continue;
      flag = text + (name.text - text) + name.size;
      if (end - flag >= 2 && flag[1] == '1')
        push (current);
      else if (end - flag >= 2 && flag[1] == '2' && !pop (name))
        flag[1] = ' ';
      else if (end - flag >= 2 && flag[1] == ' ' && !is_same (name, current) && pop (name))
        flag[1] = '2';
      current = name;
    }
}
