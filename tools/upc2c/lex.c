/* From the text to tokens. Everything else of the text is white space to the parser,
   line markers and pragmas too; those that mean something are noted. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What pragmas of UPC set; saved at each { and restored at its }. */
struct mode
{
  bool is_strict;
  bool is_c_code;
  bool is_unwatched;
};

static const char *at; /* the next byte */
static const char *end;
static uint32_t line;
static uint32_t file;
static bool at_line_start;
static struct mode mode;
static struct mode *outer_modes;
static uint32_t mode_count, mode_room;
static uint32_t token_room, pragma_room, file_room;
static uint32_t *pack_stack;
static uint32_t pack_count, pack_room, pack_now;

/* ITEMS with room for one more than COUNT. */
static void *
make_room (void *items, uint32_t count, uint32_t *room, size_t size)
{
  if (count < *room)
    return items;
  *room = *room ? 2 * *room : 64;
  items = realloc (items, (size_t) *room * size);
  if (!items)
    fail ("out of memory");
  return items;
}

static uint32_t
enter_file (const char *name, size_t length, bool is_system)
{
  for (uint32_t i = unit.file_count; i-- > 0;)
    if (unit.files[i].is_system == is_system && strlen (unit.files[i].name) == length
        && memcmp (unit.files[i].name, name, length) == 0)
      return i;
  unit.files = make_room (unit.files, unit.file_count, &file_room, sizeof *unit.files);
  unit.files[unit.file_count].name = intern (name, length)->text;
  unit.files[unit.file_count].is_system = is_system;
  return unit.file_count++;
}

static const char *
skip_blanks (const char *c, const char *stop)
{
  while (c < stop && (*c == ' ' || *c == '\t'))
    c++;
  return c;
}

static bool
starts_word (const char *c, const char *stop, const char *word)
{
  size_t length = strlen (word);

  return (size_t) (stop - c) >= length && memcmp (c, word, length) == 0
         && (c + length == stop || !(isalnum ((unsigned char) c[length]) || c[length] == '_'));
}

/* The name of a file from START to STOP, within the quotes of a line marker: compilers
   write what is not printable as three octal digits, and a backslash before quotes. */
static uint32_t
enter_quoted_file (const char *start, const char *stop, bool is_system)
{
  char *name = arena (stop - start + 1);
  size_t length = 0;

  for (const char *c = start; c < stop; c++)
    if (*c != '\\' || c + 1 == stop)
      name[length++] = *c;
    else if (stop - c > 3 && strspn (c + 1, "01234567") >= 3)
      {
        name[length++] = (c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0');
        c += 3;
      }
    else
      name[length++] = *++c;
  return enter_file (name, length, is_system);
}

/* The rest of `# 12 "file" 1 3`: C is at the number. */
static void
read_line_marker (const char *c, const char *stop)
{
  bool is_system = unit.files[file].is_system;
  const char *name;
  unsigned long number = 0;

  for (; c < stop && isdigit ((unsigned char) *c); c++)
    if (number < UINT32_MAX / 10)
      number = number * 10 + (*c - '0');
  /* Its line feed is still to come and counts. */
  line = number - 1;
  c = skip_blanks (c, stop);
  if (c == stop || *c != '"')
    return;
  for (name = ++c; c < stop && *c != '"'; c++)
    if (*c == '\\' && c + 1 < stop)
      c++;
  is_system = false;
  for (const char *flag = c; flag < stop; flag++)
    if (*flag == '3')
      is_system = true;
  file = enter_quoted_file (name, c, is_system);
}

static void
note_pragma (enum pragma_kind kind, uint32_t value, const char *start, const char *stop)
{
  unit.pragmas = make_room (unit.pragmas, unit.pragma_count, &pragma_room, sizeof *unit.pragmas);
  unit.pragmas[unit.pragma_count++] = (struct pragma) {
    .kind = kind, .value = value, .before = unit.token_count, .line = line, .file = file,
    .text = start, .end = stop
  };
}

/* #pragma upc …: C is behind `upc`. */
static void
read_upc_pragma (const char *c, const char *start, const char *stop)
{
  enum pragma_kind kind = PRAGMA_UPC_OTHER;

  c = skip_blanks (c, stop);
  if (starts_word (c, stop, "strict"))
    {
      kind = PRAGMA_STRICT;
      mode.is_strict = true;
    }
  else if (starts_word (c, stop, "relaxed"))
    {
      kind = PRAGMA_RELAXED;
      mode.is_strict = false;
    }
  else if (starts_word (c, stop, "c_code"))
    {
      kind = PRAGMA_C_CODE;
      mode.is_c_code = true;
    }
  else if (starts_word (c, stop, "upc_code"))
    {
      kind = PRAGMA_UPC_CODE;
      mode.is_c_code = false;
    }
  note_pragma (kind, 0, start, stop);
}

/* #pragma pupc on, off: C is behind `pupc`. */
static void
read_pupc_pragma (const char *c, const char *start, const char *stop)
{
  const char *word = skip_blanks (c, stop);
  bool is_on = starts_word (word, stop, "on"), is_off = starts_word (word, stop, "off");

  c = skip_blanks (word + (is_on ? strlen ("on") : is_off ? strlen ("off") : 0), stop);
  if (c < stop && *c == '\r')
    c++;
  if ((!is_on && !is_off) || c != stop)
    {
      note_pragma (PRAGMA_PUPC_OTHER, 0, start, stop);
      return;
    }
  mode.is_unwatched = is_off;
  note_pragma (PRAGMA_PUPC, 0, start, stop);
}

static void
push_pack (void)
{
  pack_stack = make_room (pack_stack, pack_count, &pack_room, sizeof *pack_stack);
  pack_stack[pack_count++] = pack_now;
}

/* #pragma pack (push, 4), (pop), (4), (): C is behind `pack`. */
static void
read_pack_pragma (const char *c, const char *start, const char *stop)
{
  bool resets = true;

  for (; c < stop; c++)
    if (starts_word (c, stop, "push"))
      {
        push_pack ();
        resets = false;
        c += 3;
      }
    else if (starts_word (c, stop, "pop"))
      {
        pack_now = pack_count ? pack_stack[--pack_count] : 0;
        resets = false;
        c += 2;
      }
    else if (isdigit ((unsigned char) *c))
      {
        pack_now = strtoul (c, NULL, 0);
        resets = false;
        while (c + 1 < stop && isalnum ((unsigned char) c[1]))
          c++;
      }
  if (resets)
    pack_now = 0;
  if (pack_now > 16 || (pack_now & (pack_now - 1)))
    pack_now = 0;
  note_pragma (PRAGMA_PACK, pack_now, start, stop);
}

/* A line that begins with #, up to its line feed. */
static void
read_directive (void)
{
  const char *start = at, *stop = memchr (at, '\n', end - at), *c;

  stop = stop ? stop : end;
  at = stop;
  c = skip_blanks (start + 1, stop);
  if (starts_word (c, stop, "line"))
    c = skip_blanks (c + 4, stop);
  if (c < stop && isdigit ((unsigned char) *c))
    read_line_marker (c, stop);
  else if (starts_word (c, stop, "pragma"))
    {
      c = skip_blanks (c + 6, stop);
      if (starts_word (c, stop, "upc"))
        read_upc_pragma (c + 3, start, stop);
      else if (starts_word (c, stop, "pupc"))
        read_pupc_pragma (c + 4, start, stop);
      else if (starts_word (c, stop, "pack"))
        read_pack_pragma (c + 4, start, stop);
    }
}

/* Moves to the next token, or to the end. */
static void
skip_space (void)
{
  while (at < end)
    if (*at == '\n')
      {
        at++;
        line++;
        at_line_start = true;
      }
    else if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f' || *at == '\v')
      at++;
    else if (*at == '#' && at_line_start)
      read_directive ();
    else if (*at == '\\' && at + 1 < end && at[1] == '\n')
      {
        at += 2;
        line++;
      }
    else if (*at == '/' && at + 1 < end && at[1] == '/')
      while (at < end && *at != '\n')
        at++;
    else if (*at == '/' && at + 1 < end && at[1] == '*')
      {
        for (at += 2; at < end && !(at[-1] == '*' && *at == '/' && at[-2] != '/'); at++)
          if (*at == '\n')
            line++;
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
          line++;
      }
  token->kind = TOKEN_STRAY;
  return c;
}

/* R"x( … )x": C is at the quote. */
static const char *
end_of_raw_string (const char *c, struct token *token)
{
  const char *mark = c + 1, *open = mark;

  while (open < end && *open != '(' && *open != '\n' && open - mark <= 16)
    open++;
  for (const char *close = open; close < end; close++)
    if (*close == '\n')
      line++;
    else if (*close == ')' && end - close > open - mark + 1
             && memcmp (close + 1, mark, open - mark) == 0 && close[open - mark + 1] == '"')
      return close + (open - mark) + 2;
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
  at = at > token->text && at[-1] == 'R' ? end_of_raw_string (at, token) : end_of_quoted (at, token);
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
  if (token->name->keyword && !(mode.is_c_code && is_upc_keyword (token->name->keyword)))
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
      outer_modes = make_room (outer_modes, mode_count, &mode_room, sizeof *outer_modes);
      outer_modes[mode_count++] = mode;
    }
  else if (kind == '}' && mode_count > 0)
    mode = outer_modes[--mode_count];
}

static struct token *
add_token (void)
{
  struct token *token;

  if (unit.token_count == NO_TOKEN - 1)
    fail ("'%s' is too large", switches.input);
  unit.tokens = make_room (unit.tokens, unit.token_count, &token_room, sizeof *unit.tokens);
  token = &unit.tokens[unit.token_count++];
  *token = (struct token) { .text = at, .line = line, .file = file };
  token->flags = (at_line_start ? TOKEN_STARTS_LINE : 0)
                 | (unit.files[file].is_system ? TOKEN_SYSTEM : 0)
                 | (mode.is_strict ? TOKEN_STRICT : 0) | (mode.is_unwatched ? TOKEN_UNWATCHED : 0);
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
  *token = (struct token) { .text = at };
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
  line = 1;
  at_line_start = true;
  file = enter_file (switches.input, strlen (switches.input), false);
  for (skip_space (); at < end; skip_space ())
    {
      lex_token ();
      if (unit.tokens[unit.token_count - 1].kind >= FIRST_UPC_KEYWORD
          && unit.tokens[unit.token_count - 1].flags & TOKEN_SYSTEM)
        note_system_keyword (unit.token_count - 1);
    }
  add_token ();
  settle_system_keywords ();
}
