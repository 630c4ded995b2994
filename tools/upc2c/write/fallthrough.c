/* Comments that say that a case falls into the next one. Compilers read them
   (-Wimplicit-fallthrough), but the preprocessor removes them. So they are read from the file,
   and written before the label again. */

#include "tools/upc2c/write/internal.h"

#include <string.h>
#include <strings.h>

struct comment
{
  const char *start, *end;
};

static const char *
end_of_comment (const char *c, const char *stop)
{
  const char *end;

  if (c[1] == '*')
    {
      end = memmem (c + 2, stop - (c + 2), "*/", 2);
      return end ? end + 2 : stop;
    }
  end = memchr (c, '\n', stop - c);
  return end ? end : stop;
}

static const char *
end_of_literal (const char *c, const char *stop)
{
  char quote = *c++;

  while (c < stop && *c != quote && *c != '\n')
    c += *c == '\\' && c + 1 < stop ? 2 : 1;
  return c < stop ? c + 1 : stop;
}

static bool
speaks_of_falling (struct comment comment)
{
  for (const char *c = comment.start; c + 4 <= comment.end; c++)
    if (strncasecmp (c, "fall", 4) == 0)
      return true;
  return false;
}

/* The last such comment that only blanks, directives and other comments part from STOP. */
static struct comment
last_comment (const char *c, const char *stop)
{
  struct comment last = { NULL, NULL };

  while (c < stop)
    if (*c == '/' && c + 1 < stop && (c[1] == '/' || c[1] == '*'))
      {
        struct comment comment = { c, end_of_comment (c, stop) };

        if (speaks_of_falling (comment))
          last = comment;
        c = comment.end;
      }
    else if (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r')
      c++;
    else if (*c == '#')
      c = end_of_comment (c, stop);
    else
      {
        last = (struct comment){ NULL, NULL };
        c = *c == '"' || *c == '\'' ? end_of_literal (c, stop) : c + 1;
      }
  return last;
}

/* On one line; NULL where the line would end it early. */
static const char *
on_a_line (struct comment comment)
{
  size_t length = comment.end - comment.start - (comment.start[1] == '*' ? 4 : 2);
  char *text = arena_alloc (length + 7);

  memcpy (text + 2, comment.start + 2, length);
  for (size_t i = 2; i < 2 + length; i++)
    if (text[i] == '\n' || text[i] == '\r')
      text[i] = ' ';
  if (memmem (text + 2, length, "*/", 2))
    return NULL;
  memcpy (text, "/*", 2);
  strcpy (text + 2 + length, "*/ ");
  return text;
}

void
keep_fallthrough_comments (void)
{
  for (token_index i = 1; i < unit.token_count; i++)
    {
      const struct token *t = token_at (i);
      struct comment comment = { NULL, NULL };
      const char *start, *text;
      size_t length;

      if ((t->kind != KEY_CASE && t->kind != KEY_DEFAULT) || t->flags & TOKEN_SYSTEM)
        continue;
      start = source_before (t, &length);
      if (start)
        comment = last_comment (start, start + length);
      text = comment.start ? on_a_line (comment) : NULL;
      if (text)
        insert_before (i, text);
    }
}
