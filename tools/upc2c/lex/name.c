/* Names: each spelling once, and the keywords among them. */

#include "tools/upc2c/lex/internal.h"

#include <string.h>

enum role
{
  SPECIFIER,
  OTHER
};

enum standards
{
  ALWAYS,
  NOT_ISO,
  NOT_C90,
  ONLY_C23
};

static const struct
{
  const char *spelling;
  uint16_t kind;
  enum role role;
  enum standards standards;
} keywords[] = {
#define KEYWORD(kind, spelling, role, standards) { spelling, KEY_##kind, role, standards },
#define SPELLING KEYWORD
#define UPC_KEYWORD KEYWORD
#include "tools/upc2c/lex/keywords.def"
};

static bool is_specifier[END_OF_KEYWORDS];

static struct hash_table *spellings;
static struct name **names; /* by their numbers there */
static size_t name_capacity;

struct name *
intern (const char *text, size_t length)
{
  uint32_t number;

  if (!spellings)
    spellings = hash_new ();
  number = hash_add (spellings, text, length);
  names = grow_array (names, number + 1, &name_capacity, sizeof *names);
  if (!names[number])
    {
      names[number] = NEW (struct name);
      names[number]->text = hash_key (spellings, number);
      names[number]->length = length;
    }
  return names[number];
}

bool
token_is (const struct token *token, const char *text)
{
  size_t length = strlen (text);

  return token->length == length && memcmp (token->text, text, length) == 0;
}

static bool
is_name_here (enum standards standards)
{
  return (standards == NOT_ISO && switches.iso_c) || (standards == NOT_C90 && switches.iso_c90)
         || (standards == ONLY_C23 && !switches.c23);
}

void
enter_keywords (void)
{
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    {
      const char *spelling = keywords[i].spelling;

      is_specifier[keywords[i].kind] = keywords[i].role == SPECIFIER;
      if (!is_name_here (keywords[i].standards))
        intern (spelling, strlen (spelling))->keyword = keywords[i].kind;
    }
}

bool
is_specifier_keyword (int kind)
{
  return kind < END_OF_KEYWORDS && is_specifier[kind];
}
