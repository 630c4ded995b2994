/* Members of records by name. */

#include "tools/upc2c/ast/ast.h"

/* A record with this many members gets a table. */
enum
{
  FEW_MEMBERS = 16
};

/* A member, or one of an anonymous record that is one. */
struct member_entry
{
  struct name *name;
  struct decl *member;
  struct decl *own; /* the record's own member that is or has it */
  uint64_t offset;
  struct member_entry *next; /* in the chain */
};

struct member_table
{
  struct member_entry **chains;
  uint64_t mask;
};

static bool
is_anonymous (const struct decl *member)
{
  return !member->name && !member->is_bit_field && type_is_record (member->type);
}

static struct member_entry **
chain_of (struct member_table *table, const struct name *name)
{
  return &table->chains[((uintptr_t) name >> 5) & table->mask];
}

static uint64_t
count_members (const struct record *record)
{
  uint64_t count = 0;

  for (struct decl *m = record->members; m; m = m->next_member)
    count += is_anonymous (m) ? count_members (m->type->record) : 1;
  return count;
}

/* OWN: the member of the outermost record, OFFSET: of RECORD in that. Of two members
   with one name the first is found, so chains grow at their ends. */
static void
add_members (struct member_table *table, const struct record *record, struct decl *own,
             uint64_t offset)
{
  for (struct decl *m = record->members; m; m = m->next_member)
    if (is_anonymous (m))
      add_members (table, m->type->record, own ? own : m, offset + m->offset);
    else if (m->name)
      {
        struct member_entry **link = chain_of (table, m->name);

        while (*link)
          link = &(*link)->next;
        *link = NEW (struct member_entry);
        **link = (struct member_entry){ m->name, m, own ? own : m, offset + m->offset, NULL };
      }
}

static struct member_table *
table_of (struct record *record)
{
  struct member_table *table = record->table;
  uint64_t count;

  if (table || !record->is_complete)
    return table;
  count = count_members (record);
  if (count < FEW_MEMBERS)
    return NULL;
  table = record->table = NEW (struct member_table);
  for (table->mask = 1; table->mask < count; table->mask *= 2)
    ;
  table->chains = arena_alloc (table->mask * sizeof *table->chains);
  table->mask--;
  add_members (table, record, NULL, 0);
  return table;
}

static struct member_entry *
look_up (struct member_table *table, const struct name *name)
{
  struct member_entry *entry = *chain_of (table, name);

  while (entry && entry->name != name)
    entry = entry->next;
  return entry;
}

static struct decl *
search (struct record *record, struct name *name, struct decl **own, uint64_t *offset)
{
  for (struct decl *m = record->members; m; m = m->next_member)
    {
      struct decl *found = m->name == name ? m : NULL, *inner;

      *offset = 0;
      if (!found && is_anonymous (m))
        found = search (m->type->record, name, &inner, offset);
      if (found)
        {
          *own = m;
          *offset += m->offset;
          return found;
        }
    }
  return NULL;
}

struct decl *
find_own_member (struct record *record, struct name *name, struct decl **own, uint64_t *offset)
{
  struct member_table *table = table_of (record);
  struct member_entry *entry;

  if (!name)
    return NULL;
  if (!table)
    return search (record, name, own, offset);
  entry = look_up (table, name);
  if (!entry)
    return NULL;
  *own = entry->own;
  *offset = entry->offset;
  return entry->member;
}

struct decl *
find_member (struct record *record, struct name *name, uint64_t *offset)
{
  struct decl *own;

  return find_own_member (record, name, &own, offset);
}
