/* Which token of a line became which token of the preprocessor's output.

   The two sequences are matched by their heaviest common subsequence: first what is outside of
   macro calls, then the arguments of each call with what remains between its neighbours. A token
   that matches nothing comes from a macro, and gets the place of the macro.

   Tokens within the same number of parentheses weigh more. Macros put parentheses around their
   expansion, which keeps operators in it apart from those outside. */

#include "tools/upc2c/lex/source.h"

#include <stdlib.h>
#include <string.h>

enum
{
  OTHER_DEPTH = 1,
  SAME_DEPTH = 3
};

static bool
same_spelling (const struct token *a, const struct token *b)
{
  return a->length == b->length && memcmp (a->text, b->text, a->length) == 0;
}

static bool
is_made (const struct line *l, const struct token *written)
{
  for (uint32_t j = 0; j < l->made_count; j++)
    if (same_spelling (written, &l->made[j]))
      return true;
  return false;
}

/* The end of the macro call that begins with the NUMBERth token written, one behind its
   name or its parenthesis. Names that nothing was made of are those of macros. */
static uint32_t
end_of_call (const struct line *l, uint32_t number)
{
  uint32_t depth = 0, i = number + 1;

  if (l->written[number].kind != TOKEN_NAME || is_made (l, &l->written[number]))
    return i;
  for (; i < l->written_count; i++)
    {
      depth += l->written[i].kind == '(';
      if (depth == 0)
        return i;
      depth -= l->written[i].kind == ')';
    }
  return i;
}

static void
find_arguments (struct line *l)
{
  uint32_t next;

  for (uint32_t i = 0; i < l->written_count; i = next)
    {
      next = end_of_call (l, i);
      l->is_argument[i] = false;
      for (uint32_t k = i + 1; k < next; k++)
        l->is_argument[k] = true;
    }
}

/* What is to be matched: tokens written, by their numbers, and a range of those made. */
struct task
{
  uint32_t written[MAX_WRITTEN];
  uint32_t written_count;
  uint32_t first, end;
};

/* What it is worth to match the Ith written with the Jth made. */
static uint16_t
weight (const struct line *l, const struct task *t, uint32_t i, uint32_t j)
{
  if (!same_spelling (&l->written[t->written[i]], &l->made[j]))
    return 0;
  return l->written_depth[t->written[i]] == l->made_depth[j] ? SAME_DEPTH : OTHER_DEPTH;
}

/* The most that matches of those written from I on and those made from J on are worth. */
static uint16_t *
worth (const struct task *t, uint16_t *table, uint32_t i, uint32_t j)
{
  return &table[(size_t) i * (t->end - t->first + 1) + j - t->first];
}

static void
fill_table (const struct line *l, const struct task *t, uint16_t *table)
{
  for (uint32_t i = t->written_count; i-- > 0;)
    for (uint32_t j = t->end; j-- > t->first;)
      {
        uint16_t here = weight (l, t, i, j);
        uint16_t most = here ? *worth (t, table, i + 1, j + 1) + here : 0;

        most = most > *worth (t, table, i + 1, j) ? most : *worth (t, table, i + 1, j);
        *worth (t, table, i, j) = most > *worth (t, table, i, j + 1) ? most
                                                                     : *worth (t, table, i, j + 1);
      }
}

static void
match_tokens (struct line *l, const struct task *t)
{
  uint16_t *table = calloc ((t->written_count + 1) * (t->end - t->first + 1), sizeof *table);
  uint32_t i = 0, j = t->first;

  if (!table)
    fail ("out of memory");
  fill_table (l, t, table);
  while (i < t->written_count && j < t->end)
    if (*worth (t, table, i, j) == *worth (t, table, i + 1, j))
      i++;
    else if (*worth (t, table, i, j) == *worth (t, table, i, j + 1))
      j++;
    else
      l->match[j++] = t->written[i++];
  free (table);
}

static void
find_depths (const struct token *tokens, uint32_t count, uint16_t *depths)
{
  uint16_t depth = 0;

  for (uint32_t i = 0; i < count; i++)
    {
      depth -= tokens[i].kind == ')';
      depths[i] = depth;
      depth += tokens[i].kind == '(';
    }
}

static bool
is_outer_match (const struct line *l, uint32_t made)
{
  return l->match[made] != NO_TOKEN && !l->is_argument[l->match[made]];
}

/* The range made between the neighbours of the written tokens from FIRST to END. */
static void
find_range (const struct line *l, uint32_t first, uint32_t end, struct task *t)
{
  t->first = 0;
  t->end = l->made_count;
  for (uint32_t j = 0; j < l->made_count; j++)
    if (is_outer_match (l, j) && l->match[j] < first)
      t->first = j + 1;
    else if (is_outer_match (l, j) && l->match[j] >= end)
      {
        t->end = j;
        return;
      }
}

static void
match_outside_of_calls (struct line *l, struct task *t)
{
  t->written_count = t->first = 0;
  t->end = l->made_count;
  for (uint32_t i = 0; i < l->written_count; i++)
    if (!l->is_argument[i])
      t->written[t->written_count++] = i;
  match_tokens (l, t);
}

/* Without parentheses: macros have their own around arguments. */
static void
match_arguments (struct line *l, uint32_t first, uint32_t end, struct task *t)
{
  find_range (l, first, end, t);
  t->written_count = 0;
  for (uint32_t i = first; i < end; i++)
    if (l->is_argument[i] && l->written[i].kind != '(' && l->written[i].kind != ')')
      t->written[t->written_count++] = i;
  match_tokens (l, t);
}

/* Without macros, as most lines are. */
static bool
is_unchanged (const struct line *l)
{
  if (l->written_count != l->made_count)
    return false;
  for (uint32_t j = 0; j < l->made_count; j++)
    if (!same_spelling (&l->written[j], &l->made[j]))
      return false;
  return true;
}

static void
match_changed (struct line *l)
{
  static struct task task;
  uint32_t next;

  for (uint32_t j = 0; j < l->made_count; j++)
    l->match[j] = NO_TOKEN;
  find_arguments (l);
  find_depths (l->written, l->written_count, l->written_depth);
  find_depths (l->made, l->made_count, l->made_depth);
  match_outside_of_calls (l, &task);
  for (uint32_t i = 0; i < l->written_count; i = next)
    {
      for (next = i + 1; next < l->written_count && l->is_argument[next];)
        next++;
      if (next > i + 1)
        match_arguments (l, i, next, &task);
    }
}

void
match_line (struct line *l)
{
  if (!is_unchanged (l))
    {
      match_changed (l);
      return;
    }
  for (uint32_t j = 0; j < l->made_count; j++)
    l->match[j] = j;
}

/* If none matches, the first that is left over between the neighbours that do, a macro's
   name; else the one before. */
const struct token *
origin_of (const struct line *l, uint32_t number)
{
  uint32_t before = number, behind = number, next;

  if (l->match[number] != NO_TOKEN)
    return &l->written[l->match[number]];
  while (before-- > 0 && !is_outer_match (l, before))
    ;
  while (++behind < l->made_count && !is_outer_match (l, behind))
    ;
  next = before == UINT32_MAX ? 0 : l->match[before] + 1;
  if (next < (behind < l->made_count ? l->match[behind] : l->written_count))
    return &l->written[next];
  return &l->written[next ? next - 1 : 0];
}
