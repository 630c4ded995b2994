/* Types of pointers-to-shared for debuggers. To the C compiler all of them are __upc_pts. So
   that debug information distinguishes them, each has its own typedef, such as
   __upc_pts_shared_4_int, and the file has

       static const union { int (*__upc_pts_shared_4_int)[4]; … } __upc_pointer_types[0];

   which takes no memory. Its members say what each typedef points to: an array of as many
   elements as a block has, or 0 if the layout is indefinite. The type of an incomplete object
   stands alone. The debugger scripts read it (tools/gdb, tools/lldb). */

#include "tools/upc2c/write/internal.h"

#include <ctype.h>
#include <string.h>

static struct pointer_type
{
  const struct type *type;
  const char *text, *name;
  struct pointer_type *next;
} * first_type, **end_of_types = &first_type;

/* TEXT as part of a name: letters and digits, and `_` for any others between them. */
static const char *
word_of (const char *text)
{
  char *word = arena_alloc (strlen (text) + 1), *to = word;

  for (; *text; text++)
    if (isalnum ((unsigned char) *text) || *text == '_')
      *to++ = *text;
    else if (*text == '[' && text[1] == ']')
      *to++ = '0';
    else if (to > word && to[-1] != '_')
      *to++ = '_';
  while (to > word && to[-1] == '_')
    to--;
  *to = 0;
  return word;
}

static struct pointer_type *
find_pointer_type (const struct type *plain)
{
  struct pointer_type *p = first_type;
  const char *text;

  while (p && p->type != plain)
    p = p->next;
  if (p)
    return p;
  text = type_text (plain);
  for (p = first_type; p; p = p->next)
    if (strcmp (p->text, text) == 0 && types_match (p->type, plain))
      return p;
  return NULL;
}

static bool
is_taken (const char *name)
{
  for (struct pointer_type *p = first_type; p; p = p->next)
    if (strcmp (p->name, name) == 0)
      return true;
  return false;
}

const char *
pointer_type_name (const struct type *type)
{
  struct type *plain = pointer_to (type->base);
  struct pointer_type *p = find_pointer_type (plain);
  const char *text, *name;

  if (p)
    return p->name;
  text = type_text (plain);
  name = arena_format ("__upc_pts_%s", word_of (text));
  for (int n = 2; is_taken (name); n++)
    name = arena_format ("__upc_pts_%s_%d", word_of (text), n);
  p = NEW (struct pointer_type);
  *p = (struct pointer_type){ .type = plain, .text = text, .name = name };
  *end_of_types = p;
  end_of_types = &p->next;
  return name;
}

const char *
pointer_typedefs (void)
{
  const char *list = "";

  for (struct pointer_type *p = first_type; p; p = p->next)
    list = arena_format ("%s typedef __upc_pts %s;", list, p->name);
  return list;
}

static bool
is_global (const struct decl *namer)
{
  return namer && namer->scope_depth == 0 && !namer->is_hidden;
}

/* Whether TYPE can be written behind the last declaration of the file. */
static bool
has_name (const struct type *type)
{
  switch (type->kind)
    {
    case TYPE_POINTER:
      return type_is_pts (type) || has_name (type->base);
    case TYPE_ARRAY:
      return type->length_kind == LENGTH_FIXED && has_name (type->base);
    case TYPE_STRUCT:
    case TYPE_UNION:
      return type->record->tag ? !type->record->is_local && !type->record->is_hidden
                               : is_global (type->record->typedef_decl);
    case TYPE_FUNCTION:
    case TYPE_UNKNOWN:
      return false;
    case TYPE_ENUM:
      return !type->enumeration->tag || !type->enumeration->is_hidden;
    default:
      return !type->typedef_decl || is_global (type->typedef_decl);
    }
}

void
gen_pointer_types (void)
{
  const char *members = "";

  for (struct pointer_type *p = first_type; p; p = p->next)
    {
      struct type *target = p->type->base, *element = without_shared (target);
      const char *name = arena_format ("(*%s)", p->name);

      if (!has_name (target))
        continue;
      if (type_is_complete (target))
        name = arena_format ("%s[%lu]", name, (unsigned long) block_of (target));
      members = arena_format ("%s%s; ", members, declare (element, name));
    }
  if (*members)
    put_line ("__extension__ static const union { %s} __upc_pointer_types[0] "
              "__attribute__ ((__used__));",
              members);
}
