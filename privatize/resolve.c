/* What the objects of a program are to each other, as far as the linker would not see
   it any more: which undefined symbols are another object's private data, where
   tentative definitions go, which of libc's functions are the program's own. */

#include "privatize/privatize.h"
#include "privatize/set.h"

#include <stdlib.h>
#include <string.h>

/* A name that some object defines. */
struct name
{
  const char *text;
  uint32_t object;        /* of the definition, or of the first tentative one */
  uint32_t symbol;
  bool is_common;         /* no more than tentative definitions: */
  bool is_linked;         /* in an object that is certainly part of the program */
  uint64_t size, alignment; /* the largest */
};

struct names
{
  struct set *set;
  struct name *list;      /* by hash; TEXT is NULL where nothing is */
  size_t room;            /* a power of two */
};

static size_t
hash (const char *text)
{
  size_t h = 5381;

  while (*text)
    h = h * 33 + (unsigned char) *text++;
  return h;
}

/* The place of TEXT, or the free one where it would be. */
static struct name *
find_name (const struct names *names, const char *text)
{
  size_t i = hash (text) & (names->room - 1);

  while (names->list[i].text && strcmp (names->list[i].text, text) != 0)
    i = (i + 1) & (names->room - 1);
  return &names->list[i];
}

static bool
is_global (const struct symbol *symbol)
{
  return ELF64_ST_BIND (symbol->elf.st_info) != STB_LOCAL;
}

static bool
is_undefined (const struct symbol *symbol)
{
  return !symbol->is_special && symbol->section == SHN_UNDEF && is_global (symbol);
}

static void
add_name (struct names *names, uint32_t object, uint32_t symbol)
{
  struct object *o = &names->set->objects[object];
  const struct symbol *s = &o->symbols[symbol];
  struct name *name = find_name (names, symbol_name (o, s));
  bool common = is_common (s);

  if (!name->text || (name->is_common && (!common || (!name->is_linked && !o->member))))
    {
      name->object = object;
      name->symbol = symbol;
      name->is_linked = !o->member;
      name->is_common = common;
    }
  name->text = symbol_name (o, s);
  if (!common)
    return;
  if (name->size < s->elf.st_size)
    name->size = s->elf.st_size;
  if (name->alignment < s->elf.st_value)
    name->alignment = s->elf.st_value;
}

static void
collect_names (struct names *names, struct set *set)
{
  size_t count = 0;

  names->set = set;
  for (size_t i = 0; i < set->object_count; i++)
    count += set->objects[i].symbol_count;
  for (names->room = 64; names->room < 2 * count;)
    names->room *= 2;
  names->list = allocate (names->room, sizeof *names->list);
  for (size_t i = 0; i < set->object_count; i++)
    for (size_t j = 1; j < set->objects[i].symbol_count; j++)
      {
        const struct symbol *symbol = &set->objects[i].symbols[j];
        if (is_global (symbol) && !is_undefined (symbol))
          add_name (names, i, j);
      }
}

/* A tentative definition that another one replaces becomes a reference. Where all are
   in archives, nobody knows which will be linked: each stays, in a group. */
static void
settle_commons (const struct names *names, uint32_t object)
{
  struct object *o = &names->set->objects[object];

  for (size_t i = 1; i < o->symbol_count; i++)
    {
      struct symbol *symbol = &o->symbols[i];
      const struct name *name;
      if (!is_common (symbol))
        continue;
      name = find_name (names, symbol_name (o, symbol));
      if (!name->is_common || (name->is_linked && name->object != object))
        {
          symbol->is_special = false;
          symbol->section = SHN_UNDEF;
          symbol->elf.st_value = symbol->elf.st_size = 0;
          continue;
        }
      symbol->elf.st_size = name->size;
      symbol->elf.st_value = name->alignment;
    }
}

/* Functions of libc that the program has itself are not libc's. */
static void
keep_own_names (const struct names *names, struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      if (is_undefined (symbol) && symbol->new_name)
        {
          const char *old = (const char *) object->sections[object->strtab]->data + symbol->elf.st_name;
          if (find_name (names, old)->text)
            {
              free (symbol->new_name);
              symbol->new_name = NULL;
            }
        }
    }
}

static bool
is_private_name (const struct names *names, const char *text)
{
  const struct name *name = find_name (names, text);

  return name->text && names->set->objects[name->object].symbols[name->symbol].is_private;
}

/* Takes over what other objects know to be private. A constant that several objects
   define is private in all of them. Returns whether something is new. */
static bool
import_private (const struct names *names, struct object *object)
{
  bool is_new = false;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      struct section *section;
      if (!is_global (symbol) || symbol->is_private || symbol->is_special
          || !is_private_name (names, symbol_name (object, symbol)))
        continue;
      section = object->sections[symbol->section];
      if (is_undefined (symbol))
        symbol->is_private = true;
      else if (section->kind == KIND_READONLY)
        section->kind = KIND_PRIVATE;
      else
        continue;
      is_new = true;
    }
  if (is_new)
    mark_private_symbols (object);
  return is_new;
}

/* What a definition makes known to others must be known of the one in the table. */
static void
export_private (const struct names *names, const struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      struct name *name;
      if (!is_global (symbol) || !is_defined (symbol) || !symbol->is_private)
        continue;
      name = find_name (names, symbol_name (object, symbol));
      if (!is_private_name (names, symbol_name (object, symbol)))
        {
          name->object = object - names->set->objects;
          name->symbol = i;
        }
    }
}

/* A name that is one for the process here and private there means two things. */
static void
check_names (const struct names *names, struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      const struct name *name;
      if (!is_global (symbol) || !is_defined (symbol) || symbol->is_private
          || !is_private_name (names, symbol_name (object, symbol)))
        continue;
      name = find_name (names, symbol_name (object, symbol));
      report_error (object, object->sections[symbol->section], symbol->elf.st_value,
                    "'%s' is one for the process here, and private in %s",
                    symbol_name (object, symbol), names->set->objects[name->object].path);
    }
}

/* The bounds of a private section that is in several objects: only their merger has
   them. */
static void
refuse_bounds (const struct set *set, struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      const char *name = symbol_name (object, symbol);
      const char *wanted = starts_with (name, "__start_")  ? name + strlen ("__start_")
                           : starts_with (name, "__stop_") ? name + strlen ("__stop_")
                                                           : NULL;
      if (!wanted || !is_undefined (symbol))
        continue;
      for (size_t o = 0; o < set->object_count; o++)
        for (size_t s = 1; s < set->objects[o].section_count; s++)
          if (set->objects[o].sections[s]->kind == KIND_PRIVATE
              && strcmp (set->objects[o].sections[s]->name, wanted) == 0)
            fail (object->path, "the bounds of section '%s' are used, which becomes private; "
                  "merge objects with 'ld -r' first", wanted);
    }
}

static void
spread_everywhere (const struct names *names)
{
  struct set *set = names->set;

  for (bool is_new = true; is_new;)
    {
      is_new = false;
      for (size_t i = 0; i < set->object_count; i++)
        {
          spread_private (&set->objects[i]);
          export_private (names, &set->objects[i]);
        }
      for (size_t i = 0; i < set->object_count; i++)
        is_new |= import_private (names, &set->objects[i]);
    }
}

void
resolve_set (struct set *set)
{
  struct names names = { 0 };

  collect_names (&names, set);
  for (size_t i = 0; i < set->object_count; i++)
    {
      struct object *object = &set->objects[i];
      classify_sections (object);
      settle_commons (&names, i);
      rename_symbols (object);
      keep_own_names (&names, object);
      if (object->is_part)
        refuse_bounds (set, object);
      find_private_symbols (object);
    }
  /* The renamed ones are known by their new names; nobody refers to them by those. */
  spread_everywhere (&names);
  for (size_t i = 0; i < set->object_count; i++)
    check_names (&names, &set->objects[i]);
  free (names.list);
}
