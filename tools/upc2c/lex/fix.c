/* Changes that messages propose, as gcc's fix-it hints. */

#include "tools/upc2c/lex/internal.h"

#include <stdio.h>
#include <string.h>

static struct source_fix next_fix;
static bool has_fix;

/* Where TOKEN is in its line, from 1. False: a macro made it, or its file cannot be read. */
static bool
find_written_token (const struct token *token, unsigned *column)
{
  struct source_line line = source_line_of (token);

  if (!line.text || line.column + token->length > line.length
      || memcmp (line.text + line.column, token->text, token->length) != 0)
    return false;
  *column = line.column + 1;
  return true;
}

void
propose (token_index first, token_index last, const char *text)
{
  const struct token *a = token_at (first), *b = token_at (last);
  unsigned start, end;

  has_fix = a->line == b->line && a->file == b->file && find_written_token (a, &start)
            && find_written_token (b, &end) && start <= end;
  if (has_fix)
    next_fix = (struct source_fix){ a->line, start, end + b->length, text };
}

void
propose_behind (token_index where, const char *text)
{
  const struct token *token = token_at (where);
  unsigned start;

  has_fix = find_written_token (token, &start);
  if (has_fix)
    next_fix = (struct source_fix){ token->line, start + token->length, start + token->length,
                                    text };
}

void
propose_include (token_index where, const char *header)
{
  uint32_t line = line_behind_includes (token_at (where));

  has_fix = line > 0;
  if (has_fix)
    next_fix = (struct source_fix){ line, 1, 1, arena_format ("#include <%s>\n", header) };
}

/* TEXT as a string of C. */
static void
print_quoted (const char *text)
{
  fputc ('"', stderr);
  for (; *text; text++)
    if (*text == '\n')
      fputs ("\\n", stderr);
    else
      fprintf (stderr, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
  fputc ('"', stderr);
}

bool
take_fix (struct source_fix *fix)
{
  bool had = has_fix;

  *fix = next_fix;
  has_fix = false;
  return had;
}

void
print_fix (const char *file, const struct source_fix *fix)
{
  fputs ("fix-it:", stderr);
  print_quoted (file);
  fprintf (stderr, ":{%u:%u-%u:%u}:", fix->line, fix->column, fix->line, fix->next_column);
  print_quoted (fix->text);
  fputc ('\n', stderr);
}
