/* What a file says of each object and each function that other files may name. A linker knows names only, so
   declarations that contradict each other would be linked without a word. upcc compares these records
   (tools/upcc/declarations.c). They are in a section that programs do not get (SHF_EXCLUDE); each has four
   strings: the name, FILE:LINE, the declaration, and its layout:

       shared;4 [16*][3] i8        blocks of 4 elements, 16 * THREADS arrays of 3, integers of 8 bytes
       shared;? - S8 2 - f4        no array; pointers-to-shared of 8 bytes to blocks of 2 floats
       private;p8                  not shared: a pointer
       function;?;S8 4 - i4;?      of the result and of each parameter

   A word with ? agrees with all others, and what is missing at the end does, too. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

/* One letter for each kind of elements that have nothing in common. */
static char
letter_of (const struct type *type)
{
  if (type_is_pts (type))
    return 'S';
  if (type_is_integer (type))
    return 'i';
  if (type_is_real_float (type))
    return 'f';
  if (type_is_record (type))
    return 'r';
  return type->kind == TYPE_COMPLEX ? 'c' : type->kind == TYPE_VECTOR ? 'v' : 'p';
}

static const char *
element_word (const struct type *element)
{
  struct size size = type_size (element);

  if (!size.is_known || element->kind == TYPE_FUNCTION)
    return "?";
  return arena_format ("%c%lu", letter_of (element), (unsigned long) size.value);
}

static const char *
length_word (const struct type *array)
{
  unsigned long count = array->count;

  switch (array->length_kind)
    {
    case LENGTH_FIXED:
      return arena_format ("[%lu]", count);
    case LENGTH_THREADS:
      return arena_format ("[%lu*]", count);
    default:
      return "[?]";
    }
}

static const char *
lengths_word (const struct type *type)
{
  const char *word = type->kind == TYPE_ARRAY ? "" : "-";

  for (; type->kind == TYPE_ARRAY; type = type->base)
    word = arena_format ("%s%s", word, length_word (type));
  return word;
}

static const char *value_words (const struct type *element);

/* Where TYPE, shared, has which elements. */
static const char *
layout_words (const struct type *type, bool has_block)
{
  return arena_format ("%s %s %s", has_block ? arena_format ("%u", block_of (type)) : "?",
                       lengths_word (type), value_words (ultimate_type (type)));
}

static const char *
value_words (const struct type *element)
{
  const char *word = element_word (element);

  if (!type_is_pts (element) || type_is_generic_pts (element))
    return word;
  return arena_format ("%s %s", word, layout_words (element->base, true));
}

/* Compilers of C know all about other types. */
static const char *
pointer_words (const struct type *type)
{
  type = ultimate_type (type);
  return type->kind == TYPE_POINTER ? value_words (type) : "?";
}

static const char *
function_words (const struct decl *d)
{
  const char *words = arena_format ("function;%s", pointer_words (d->type->base));

  for (struct decl *p = d->type->function.params; p; p = p->next)
    words = arena_format ("%s;%s", words, pointer_words (p->type));
  return words;
}

/* An object of one element has one block. */
static const char *
words_of (const struct decl *d)
{
  if (d->kind == DECL_FUNCTION)
    return function_words (d);
  if (type_is_shared (d->type))
    return arena_format ("shared;%s", layout_words (d->type, d->type->kind == TYPE_ARRAY));
  return arena_format ("private;%s", pointer_words (d->type));
}

/* asm in its declarator gives it another name. */
static bool
has_other_name (const struct decl *d)
{
  if (d->suffix_first != NO_TOKEN)
    for (token_index i = d->suffix_first; i <= d->last; i++)
      if (token_at (i)->kind == KEY_ASM)
        return true;
  return false;
}

static bool
is_used (const struct decl *function)
{
  for (const struct decl *d = function; d; d = d->previous)
    if (d->is_definition || d->times_named > 0)
      return true;
  return false;
}

static bool
is_recorded (const struct decl *d)
{
  if (d->is_repeated || d->is_implicit || has_other_name (d)
      || (d->declaration && d->declaration->gave_way))
    return false;
  if (d->kind == DECL_FUNCTION && !is_used (d))
    return false;
  return type_is_shared (d->type) || !(token_at (d->name_token)->flags & TOKEN_SYSTEM);
}

/* TEXT as a string of the assembler within one of C. */
static const char *
string_of (const char *text)
{
  return arena_format (".asciz \\\"%s\\\"; ", quoted (quoted (text)));
}

void
gen_declared (void)
{
  for (const struct decl *d = tree.globals; d; d = d->next_global)
    if (is_recorded (d))
      {
        const struct token *t = token_at (d->name_token);
        const char *file = unit.files[t->file].name;

        put_line (
            "__asm__ (\".pushsection upc_declared,\\\"e\\\",@progbits; %s%s%s%s.popsection\");",
            string_of (d->name->text), string_of (arena_format ("%s:%u", file, t->line)),
            string_of (declared_text (d->type, d->name->text)), string_of (words_of (d)));
      }
}
