/* Line marks whose nesting is right.

   The preprocessor's marks say with a flag where a header begins, 1, and where the file
   that includes it goes on, 2. Those that stood in text that was written anew are gone;
   a 2 without its 1 is an error to compilers, so the flag goes too, and a mark of ours that
   goes on with such a file gets one. */

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
  size_t depth, room;
} including;

static void
push (struct file_name name)
{
  including.names = grow_array (including.names, including.depth + 1, &including.room, sizeof *including.names);
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

/* The name of the mark from START to END; size 0 where the line is none. */
static struct file_name
name_of_mark (const char *start, const char *end)
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
pair_line_marks (char *text, size_t size)
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
      name = name_of_mark (text, end);
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
