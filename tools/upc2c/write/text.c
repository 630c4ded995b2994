/* The text of the output. */

#include "tools/upc2c/write/text.h"
#include "tools/upc2c/write/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct buffer
{
  char *text;
  size_t size, capacity;
};

static struct buffer out;
static size_t place_of_typedefs;

void
append (const char *text, size_t size)
{
  if (size == 0)
    return;
  if (out.size + size > out.capacity)
    {
      out.capacity = (out.size + size) * 2 + 4096;
      out.text = realloc (out.text, out.capacity);
      if (!out.text)
        fail ("out of memory");
    }
  memcpy (out.text + out.size, text, size);
  out.size += size;
}

char
last_written (void)
{
  return out.size ? out.text[out.size - 1] : '\n';
}

static bool
is_word (char c)
{
  return c == '_' || c == '$' || (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z')
         || (unsigned char) c >= 128;
}

void
append_apart (const char *text, size_t size)
{
  static const char joining[] = "+-&|<>=*/%^!#.:";
  char last = last_written ();

  if (size == 0)
    return;
  if ((is_word (last) && (is_word (*text) || *text == '"' || *text == '\''))
      || (last && *text && strchr (joining, last) && strchr (joining, *text)))
    append (" ", 1);
  append (text, size);
}

void
end_line (void)
{
  if (last_written () != '\n')
    append ("\n", 1);
}

size_t
bytes_on_line (const char *start, const char *end)
{
  const char *feed = end > start ? memrchr (start, '\n', end - start) : NULL;

  return end - (feed ? feed + 1 : start);
}

size_t
bytes_on_last_line (void)
{
  return bytes_on_line (out.text, out.text + out.size);
}

void
clear_output (void)
{
  out.size = 0;
}

void
mark_place_of_typedefs (void)
{
  place_of_typedefs = out.size;
}

struct buffer *
begin_text (void)
{
  struct buffer *outer = NEW (struct buffer);

  *outer = out;
  out = (struct buffer){ NULL, 0, 0 };
  return outer;
}

const char *
end_text (struct buffer *outer)
{
  char *text = arena_alloc (out.size + 1);

  if (out.size)
    memcpy (text, out.text, out.size);
  free (out.text);
  out = *outer;
  return text;
}

static void
write_piece (const char *text, size_t size, FILE *file)
{
  if (size && fwrite (text, 1, size, file) != size)
    fail ("cannot write: %s", strerror (errno));
}

void
write_output (FILE *file)
{
  const char *typedefs = pointer_typedefs ();

  end_line ();
  nest_line_markers (out.text, out.size);
  write_piece (out.text, place_of_typedefs, file);
  write_piece (typedefs, strlen (typedefs), file);
  write_piece (out.text + place_of_typedefs, out.size - place_of_typedefs, file);
}
