/* Words that are keywords in some places only.

   C headers use `shared`, `strict` and `relaxed` as names of parameters and members;
   UPC's own headers, which are found in system folders too, mean the qualifiers. What
   stands around the word tells which it is.

   UPC 1.0 had names without `upc_`, from its upc.h, and Berkeley UPC some more. They begin statements that would
   be errors if they were names, so no correct program changes its meaning. */

#include "tools/upc2c/lex/internal.h"

static token_index *noted;
static uint32_t noted_count;
static size_t noted_capacity;

void
note_system_keyword (token_index index)
{
  int kind = token_at (index)->kind;

  if (kind != KEY_SHARED && kind != KEY_STRICT && kind != KEY_RELAXED)
    return;
  noted = grow_array (noted, noted_count + 1, &noted_capacity, sizeof *noted);
  noted[noted_count++] = index;
}

static bool
ends_type (int kind)
{
  return kind == TOKEN_NAME || kind == '*' || kind == '}'
         || (kind >= FIRST_KEYWORD && kind != KEY_RETURN && kind != KEY_CASE && kind != KEY_SIZEOF
             && kind != KEY_ELSE && kind != KEY_DO && kind != KEY_GOTO && kind != KEY_EXTENSION);
}

/* `int shared[4];`, not `shared [4] int x;`: what follows the bracket ends a
   declarator. */
static bool
is_array_name (token_index bracket)
{
  int depth = 0;

  for (token_index i = bracket; token_at (i)->kind != TOKEN_END; i++)
    {
      int kind = token_at (i)->kind;

      depth += (kind == '[') - (kind == ']');
      if (depth == 0 && kind != ']')
        return kind == ';' || kind == ',' || kind == '=' || kind == ')';
      if (kind == ';' || kind == '{')
        return false;
    }
  return false;
}

static bool
is_plain_name (token_index index)
{
  int before = index ? token_at (index - 1)->kind : ';';
  int behind = token_at (index + 1)->kind;

  if (before == '.' || before == TOKEN_ARROW || before == KEY_STRUCT || before == KEY_UNION
      || before == KEY_ENUM || before == KEY_GOTO)
    return true;
  if (behind == KEY_ATTRIBUTE)
    return ends_type (before);
  if (behind == '[')
    return ends_type (before) && before != '}' && is_array_name (index + 1);
  if (behind == '*')
    return !ends_type (before) && before != ';' && before != '{' && before != '(' && before != ',';
  if (behind == '(')
    return token_at (index + 2)->kind != '*';
  return behind < FIRST_KEYWORD && behind != TOKEN_NAME;
}

void
settle_system_keywords (void)
{
  for (uint32_t i = 0; i < noted_count; i++)
    if (is_plain_name (noted[i]))
      token_at (noted[i])->kind = TOKEN_NAME;
}

static const struct
{
  const char *text;
  uint16_t kind;
} old_keywords[] = {
  { "barrier", KEY_UPC_BARRIER },   { "fence", KEY_UPC_FENCE },
  { "forall", KEY_UPC_FORALL },     { "notify", KEY_UPC_NOTIFY },
  { "wait", KEY_UPC_WAIT },         { "barrier_notify", KEY_UPC_NOTIFY },
  { "barrier_wait", KEY_UPC_WAIT },
};

/* "(" … ";": the head of a loop, not the arguments of a call. */
static bool
is_loop_head (token_index open)
{
  int depth = 0;

  for (token_index i = open; token_at (i)->kind != TOKEN_END; i++)
    {
      int kind = token_at (i)->kind;

      depth += (kind == '(' || kind == '{') - (kind == ')' || kind == '}');
      if (depth <= 0 || (depth == 1 && kind == ';'))
        return depth == 1;
    }
  return false;
}

static bool
begins_old_statement (int kind, token_index behind)
{
  int next = token_at (behind)->kind;

  if (kind == KEY_UPC_FORALL)
    return is_loop_head (behind);
  if (next == ';' || kind == KEY_UPC_FENCE)
    return next == ';';
  return next == TOKEN_NAME || next == TOKEN_NUMBER || next == TOKEN_CHARACTER
         || next == KEY_MYTHREAD || next == KEY_THREADS;
}

/* At the beginning of a statement. */
void
settle_old_keyword (token_index index)
{
  struct token *token = token_at (index);

  if (token->kind != TOKEN_NAME || token->name->decl)
    return;
  for (size_t i = 0; i < sizeof old_keywords / sizeof *old_keywords; i++)
    if (token_is (token, old_keywords[i].text)
        && begins_old_statement (old_keywords[i].kind, index + 1))
      token->kind = old_keywords[i].kind;
}
