/* Relations between the objects of a program that the linker would no longer see: which
   undefined symbols are another object's private data, where tentative definitions go, which of
   libc's functions the program defines itself, and which names the runtime must not see. */

#include "privatize/data/data.h"
#include "privatize/program/program.h"

#include <stdlib.h>
#include <string.h>

/* A name that some object defines. */
struct name
{
  uint32_t object; /* of the definition, or of the first tentative one */
  uint32_t symbol;
  bool is_common;           /* no more than tentative definitions: */
  bool is_linked;           /* in an object that is certainly part of the program */
  uint64_t size, alignment; /* the largest */
};

struct names
{
  struct program *program;
  struct hash_table *table;
  struct name *list; /* by the number in the table */
  size_t capacity;
};

/* The entry of TEXT, or NULL. */
static struct name *
find_name (const struct names *names, const char *text)
{
  uint32_t number = hash_find (names->table, text, strlen (text));

  return number == HASH_NONE ? NULL : &names->list[number];
}

static void
add_name (struct names *names, uint32_t object, uint32_t symbol)
{
  struct object *o = &names->program->objects[object];
  const struct symbol *s = &o->symbols[symbol];
  const char *text = symbol_name (o, s);
  size_t known = hash_count (names->table);
  uint32_t number = hash_add (names->table, text, strlen (text));
  bool common = is_common (s);
  struct name *name;

  names->list = grow_array (names->list, number + 1, &names->capacity, sizeof *names->list);
  name = &names->list[number];
  if (number == known || (name->is_common && (!common || (!name->is_linked && !o->member))))
    {
      name->object = object;
      name->symbol = symbol;
      name->is_linked = !o->member;
      name->is_common = common;
    }
  if (!common)
    return;
  if (name->size < s->elf.st_size)
    name->size = s->elf.st_size;
  if (name->alignment < s->elf.st_value)
    name->alignment = s->elf.st_value;
}

static void
collect_names (struct names *names, struct program *program)
{
  names->program = program;
  names->table = hash_new ();
  for (size_t i = 0; i < program->object_count; i++)
    for (size_t j = 1; j < program->objects[i].symbol_count; j++)
      {
        const struct symbol *symbol = &program->objects[i].symbols[j];
        if (is_global (symbol) && !is_undefined (symbol))
          add_name (names, i, j);
      }
}

/* A tentative definition that another one replaces becomes a reference. Where all are
   in archives, nobody knows which will be linked: each stays, in a group. */
static void
settle_commons (const struct names *names, uint32_t object)
{
  struct object *o = &names->program->objects[object];

  for (size_t i = 1; i < o->symbol_count; i++)
    {
      struct symbol *symbol = &o->symbols[i];
      const struct name *name;
      if (!is_common (symbol) || !is_global (symbol))
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
      if (is_global (symbol) && is_undefined (symbol) && symbol->new_name)
        {
          const char *old = (const char *) object->sections[object->strtab]->data
                            + symbol->elf.st_name;
          if (find_name (names, old))
            symbol->new_name = NULL;
        }
    }
}

static bool
is_private_name (const struct names *names, const char *text)
{
  const struct name *name = find_name (names, text);

  return name && names->program->objects[name->object].symbols[name->symbol].is_private;
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
      if (name && !is_private_name (names, symbol_name (object, symbol)))
        {
          name->object = object - names->program->objects;
          name->symbol = i;
        }
    }
}

/* A name that is shared by all threads here and private there means two things. */
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
                    "'%s' is shared by all threads here but private in %s",
                    symbol_name (object, symbol), names->program->objects[name->object].path);
    }
}

static bool
is_private_section (const struct program *program, const char *name)
{
  for (size_t o = 0; o < program->object_count; o++)
    for (size_t s = 1; s < program->objects[o].section_count; s++)
      if (program->objects[o].sections[s]->kind == KIND_PRIVATE
          && strcmp (program->objects[o].sections[s]->name, name) == 0)
        return true;
  return false;
}

/* The bounds __start_NAME and __stop_NAME, which the linker defines, of private sections. */
static bool
import_bounds (const struct program *program, struct object *object)
{
  bool is_new = false;

  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      const char *name = symbol_name (object, symbol);
      const char *section = starts_with (name, "__start_")  ? name + strlen ("__start_")
                            : starts_with (name, "__stop_") ? name + strlen ("__stop_")
                                                            : NULL;
      if (!section || !is_undefined (symbol) || symbol->is_private
          || !is_private_section (program, section))
        continue;
      symbol->is_private = is_new = true;
    }
  return is_new;
}

static void
propagate_everywhere (const struct names *names)
{
  struct program *program = names->program;

  for (bool is_new = true; is_new;)
    {
      is_new = false;
      for (size_t i = 0; i < program->object_count; i++)
        {
          propagate_private (&program->objects[i]);
          export_private (names, &program->objects[i]);
        }
      for (size_t i = 0; i < program->object_count; i++)
        {
          is_new |= import_private (names, &program->objects[i]);
          is_new |= import_bounds (program, &program->objects[i]);
        }
    }
}

/* Where all objects must agree on a new name, the definition is to be linked for certain. */
static bool
can_rename (const struct names *names, const char *text)
{
  const struct name *name = find_name (names, text);
  const struct object *definer = name ? &names->program->objects[name->object] : NULL;

  return name && name->is_linked && !replaces_allocator (definer, &definer->symbols[name->symbol]);
}

static void
keep_names_apart (const struct names *names, struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      keep_apart (object, symbol,
                  object->is_separate && can_rename (names, symbol_name (object, symbol)));
    }
}

void
find_private (struct program *program)
{
  struct names names = { 0 };

  collect_names (&names, program);
  for (size_t i = 0; i < program->object_count; i++)
    {
      struct object *object = &program->objects[i];
      classify_sections (object);
      settle_commons (&names, i);
      rename_symbols (object);
      keep_own_names (&names, object);
      find_private_symbols (object);
    }
  /* The renamed ones are known by their new names; nobody refers to them by those. */
  propagate_everywhere (&names);
  for (size_t i = 0; i < program->object_count; i++)
    {
      check_names (&names, &program->objects[i]);
      keep_names_apart (&names, &program->objects[i]);
    }
  free (names.list);
  hash_free (names.table);
}
