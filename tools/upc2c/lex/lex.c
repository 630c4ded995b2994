/* From the text to tokens. Everything else of the text is white space to the parser. */

#include "tools/upc2c/lex/internal.h"

#include <ctype.h>
#include <string.h>

static const char *at; /* the next byte */
static const char *end;
static bool at_line_start;
static struct mode *outer_modes;
static uint32_t mode_count;
static size_t mode_capacity, token_capacity;

/* Moves to the next token, or to the end. */
static void
skip_space (void)
{
  while (at < end)
    if (*at == '\n')
      {
        at++;
        scanned.line++;
        at_line_start = true;
      }
    else if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f' || *at == '\v')
      at++;
    else if (*at == '#' && at_line_start)
      at = read_directive (at, end);
    else if (*at == '\\' && at + 1 < end && at[1] == '\n')
      {
        at += 2;
        scanned.line++;
      }
    else if (*at == '/' && at + 1 < end && at[1] == '/')
      while (at < end && *at != '\n')
        at++;
    else if (*at == '/' && at + 1 < end && at[1] == '*')
      {
        for (at += 2; at < end && !(at[-1] == '*' && *at == '/' && at[-2] != '/'); at++)
          if (*at == '\n')
            scanned.line++;
        at += at < end;
      }
    else
      return;
}

static inline bool
is_name_start (unsigned char c)
{
  return isalpha (c) || c == '_' || c == '$' || c >= 0x80;
}

static inline bool
is_name_part (unsigned char c)
{
  return isalnum (c) || c == '_' || c == '$' || c >= 0x80;
}

/* The end of the string or character constant whose opening quote is at C. An
   unended one ends with its line; the parser meets it as a stray token. */
static const char *
end_of_quoted (const char *c, struct token *token)
{
  char quote = *c++;

  for (; c < end && *c != '\n'; c++)
    if (*c == quote)
      return c + 1;
    else if (*c == '\\' && c + 1 < end)
      {
        c++;
        if (*c == '\n')
          scanned.line++;
      }
  token->kind = TOKEN_STRAY;
  return c;
}

/* R"x( … )x": C is at the quote. */
static const char *
end_of_raw_string (const char *c, struct token *token)
{
  const char *delimiter = c + 1, *open = delimiter;

  while (open < end && *open != '(' && *open != '\n' && open - delimiter <= 16)
    open++;
  for (const char *close = open; close < end; close++)
    if (*close == '\n')
      scanned.line++;
    else if (*close == ')' && end - close > open - delimiter + 1
             && memcmp (close + 1, delimiter, open - delimiter) == 0
             && close[open - delimiter + 1] == '"')
      return close + (open - delimiter) + 2;
  token->kind = TOKEN_STRAY;
  return end;
}

/* Whether the name from START to C is a prefix of the literal that C opens. */
static bool
is_literal_prefix (const char *start, const char *c)
{
  size_t length = c - start;

  if (length == 1)
    return *start == 'L' || *start == 'u' || *start == 'U' || (*start == 'R' && *c == '"');
  if (length == 2 && memcmp (start, "u8", 2) == 0)
    return true;
  if (length == 2 && *c == '"')
    return (start[1] == 'R' && (*start == 'L' || *start == 'u' || *start == 'U'));
  return length == 3 && *c == '"' && memcmp (start, "u8R", 3) == 0;
}

static void
lex_literal (struct token *token)
{
  token->kind = *at == '"' ? TOKEN_STRING : TOKEN_CHARACTER;
  at = at > token->text && at[-1] == 'R' ? end_of_raw_string (at, token)
                                         : end_of_quoted (at, token);
}

static void
lex_name (struct token *token)
{
  const char *start = at;
  bool is_universal = false;

  for (;;)
    if (at < end && is_name_part (*at))
      at++;
    else if (universal_length (at, end))
      {
        at += universal_length (at, end);
        is_universal = true;
      }
    else
      break;
  if (at < end && (*at == '"' || *at == '\'') && is_literal_prefix (start, at))
    {
      lex_literal (token);
      return;
    }
  token->name = is_universal ? intern_universal (start, at - start) : intern (start, at - start);
  token->kind = TOKEN_NAME;
  if (token->name->keyword && !(scanned.mode.is_c_code && is_upc_keyword (token->name->keyword)))
    token->kind = token->name->keyword;
}

/* pp-number: digits, letters, periods, a sign behind an exponent's letter, and C23's quotes
   between digits. */
static void
lex_number (struct token *token)
{
  token->kind = TOKEN_NUMBER;
  while (at < end)
    if (is_name_part (*at) || *at == '.')
      at++;
    else if (((*at == '+' || *at == '-') && strchr ("eEpP", at[-1]))
             || (*at == '\'' && at + 1 < end && isalnum ((unsigned char) at[1])))
      at++;
    else
      break;
}

/* clang-format off */
static const struct
{
  char text[5];
  uint16_t kind;
} punctuators[] = {
  { "%:%:", TOKEN_STRAY }, { "...", TOKEN_ELLIPSIS },        { "<<=", TOKEN_LEFT_ASSIGN },
  { ">>=", TOKEN_RIGHT_ASSIGN }, { "->", TOKEN_ARROW },      { "++", TOKEN_INCREMENT },
  { "--", TOKEN_DECREMENT }, { "<<", TOKEN_SHIFT_LEFT },     { ">>", TOKEN_SHIFT_RIGHT },
  { "<=", TOKEN_LESS_EQUAL }, { ">=", TOKEN_GREATER_EQUAL }, { "==", TOKEN_EQUAL },
  { "!=", TOKEN_NOT_EQUAL }, { "&&", TOKEN_AND_AND },        { "||", TOKEN_OR_OR },
  { "*=", TOKEN_MULTIPLY_ASSIGN }, { "/=", TOKEN_DIVIDE_ASSIGN }, { "%=", TOKEN_REMAINDER_ASSIGN },
  { "+=", TOKEN_ADD_ASSIGN }, { "-=", TOKEN_SUBTRACT_ASSIGN }, { "&=", TOKEN_AND_ASSIGN },
  { "^=", TOKEN_XOR_ASSIGN }, { "|=", TOKEN_OR_ASSIGN },     { "<:", '[' },
  { ":>", ']' },              { "<%", '{' },                 { "%>", '}' },
};
/* clang-format on */

static void
lex_punctuator (struct token *token)
{
  /* Most are of one character that begins no longer one. */
  if (!strchr ("(){}[];,?~", *at))
    for (size_t i = 0; i < sizeof punctuators / sizeof *punctuators; i++)
      {
        size_t length = strlen (punctuators[i].text);

        if ((size_t) (end - at) >= length && *at == punctuators[i].text[0]
            && memcmp (at, punctuators[i].text, length) == 0)
          {
            token->kind = punctuators[i].kind;
            at += length;
            return;
          }
      }
  token->kind = *at && strchr ("(){}[];,?~.&*+-!/%<>^|:=", *at) ? (unsigned char) *at : TOKEN_STRAY;
  at++;
}

/* Pragmas inside braces end with them. */
static void
follow_braces (int kind)
{
  if (kind == '{')
    {
      outer_modes = grow_array (outer_modes, mode_count + 1, &mode_capacity, sizeof *outer_modes);
      outer_modes[mode_count++] = scanned.mode;
    }
  else if (kind == '}' && mode_count > 0)
    scanned.mode = outer_modes[--mode_count];
}

static struct token *
add_token (void)
{
  struct token *token;

  if (unit.token_count == NO_TOKEN - 1)
    fail ("'%s' is too large", switches.input);
  unit.tokens = grow_array (unit.tokens, unit.token_count + 1, &token_capacity,
                            sizeof *unit.tokens);
  token = &unit.tokens[unit.token_count++];
  *token = (struct token){ .text = at, .line = scanned.line, .file = scanned.file };
  token->flags = (at_line_start ? TOKEN_STARTS_LINE : 0)
                 | (unit.files[scanned.file].is_system ? TOKEN_SYSTEM : 0)
                 | (scanned.mode.is_strict ? TOKEN_STRICT : 0)
                 | (scanned.mode.is_unwatched ? TOKEN_UNWATCHED : 0)
                 | (scanned.mode.is_extension ? TOKEN_EXTENSION : 0);
  at_line_start = false;
  return token;
}

/* The token that begins at the next byte. */
static void
scan (struct token *token)
{
  if (is_name_start (*at) || universal_length (at, end))
    lex_name (token);
  else if (isdigit ((unsigned char) *at)
           || (*at == '.' && at + 1 < end && isdigit ((unsigned char) at[1])))
    lex_number (token);
  else if (*at == '"' || *at == '\'')
    lex_literal (token);
  else
    lex_punctuator (token);
  token->length = at - token->text;
}

static void
lex_token (void)
{
  struct token *token = add_token ();

  scan (token);
  if (token->kind == '{' || token->kind == '}')
    follow_braces (token->kind);
}

bool
scan_text (const char **from, const char *stop, struct token *token)
{
  bool is_any;

  at = *from;
  end = stop;
  at_line_start = false;
  skip_space ();
  is_any = at < end;
  *token = (struct token){ .text = at };
  if (is_any)
    scan (token);
  *from = at;
  return is_any;
}

void
lex (void)
{
  enter_keywords ();
  at = unit.text;
  end = at + unit.size;
  scanned.line = 1;
  at_line_start = true;
  scanned.file = enter_file (switches.input, strlen (switches.input), false);
  for (skip_space (); at < end; skip_space ())
    {
      lex_token ();
      if (unit.tokens[unit.token_count - 1].kind >= FIRST_UPC_KEYWORD
          && unit.tokens[unit.token_count - 1].flags & TOKEN_SYSTEM)
        note_system_keyword (unit.token_count - 1);
    }
  add_token ();
  apply_pragmas_for_next ();
  settle_system_keywords ();
}
