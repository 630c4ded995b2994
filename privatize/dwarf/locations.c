/* What the DWARF of private variables needs beside new expressions in old places. Nothing in
   .debug_info may move, so entries get other abbreviations.

   A variable whose address is an index into .debug_addr, as clang writes DWARF 5, has no room
   for the location of a thread's copy. A partial unit at the end of .debug_info has an entry
   with it, which the variable names as its abstract origin. That takes one byte more than the
   index and its length: the number of the file or the line becomes an implicit constant. A
   variable that has an abstract origin or a specification already comes to it by the new one.

   Where a variable is only declared, gdb would take the linker's symbol for it, which is
   that of UPC thread 0. Without the declaration it finds the definition. */

#include "privatize/dwarf/abbreviations.h"
#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/look_ahead.h"
#include "privatize/dwarf/put.h"
#include "privatize/dwarf/locations.h"
#include "privatize/dwarf/strings.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LOWEST_ADDRESS = 4096, /* of a section that is loaded */
  LARGEST_BYTE = 0x7f,   /* of a ULEB128 of one byte */
  REFERENCE_BYTES = 4,   /* of DW_FORM_ref_addr */
  ADDRESS_BYTES = 8
};

const unsigned char private_location[PRIVATE_LOCATION_BYTES] = {
  DW_OP_const4u, 0, 0, 0, 0, DW_OP_lit0, DW_OP_GNU_push_tls_address, DW_OP_deref, DW_OP_plus
};

bool
fits_private_location (const Elf64_Rela *rela)
{
  return rela->r_addend >= -LOWEST_ADDRESS && rela->r_addend <= INT32_MAX;
}

/* The codes of the partial unit. */
enum
{
  CODE_UNIT = 1,
  CODE_VARIABLE,
  CODE_WITH_SPECIFICATION,
  CODE_WITH_ORIGIN
};

/* clang-format off */
static const unsigned char partial_abbreviations[] = {
  CODE_UNIT, DW_TAG_partial_unit, true, 0, 0,
  CODE_VARIABLE, DW_TAG_variable, false, DW_AT_location, DW_FORM_exprloc, 0, 0,
  CODE_WITH_SPECIFICATION, DW_TAG_variable, false, DW_AT_specification, DW_FORM_ref_addr,
  DW_AT_location, DW_FORM_exprloc, 0, 0,
  CODE_WITH_ORIGIN, DW_TAG_variable, false, DW_AT_abstract_origin, DW_FORM_ref_addr,
  DW_AT_location, DW_FORM_exprloc, 0, 0,
  0
};

/* Length, version, kind, bytes of an address, and the offset of its abbreviations. */
static const unsigned char partial_header[] = {
  0, 0, 0, 0, 5, 0, DW_UT_partial, ADDRESS_BYTES, 0, 0, 0, 0, CODE_UNIT
};
/* clang-format on */

/* A reference from or to the partial unit: FROM and TO are places of .debug_info. */
struct reference
{
  uint64_t from, to;
};

struct rewriting
{
  struct object *object;
  uint32_t info_index;
  struct section *info, *abbreviations;
  const struct section *addresses; /* .debug_addr, or NULL */
  struct hash_table *private;      /* the names of private symbols */
  const struct unit *unit;
  uint64_t address_base;        /* of the unit, or UINT64_MAX */
  struct strings strings;       /* of the unit */
  struct hash_table *specified; /* offsets of the unit's entries that others complete */
  struct hash_table *helpers;   /* and of variables that the translator has added */
  struct additions additions;
  struct section partial; /* only its bytes and relocations: what goes to the end of .debug_info */
  struct reference *references;
  size_t reference_count, reference_capacity;
};

/* Moves the bytes of SECTION from FROM to TO on by one, up or down, and their
   relocations. */
static void
shift (struct section *section, size_t from, size_t to, int by)
{
  memmove (section->data + from + by, section->data + from, to - from);
  for (size_t i = find_relocation (section, from);
       i < section->rela_count && section->rela[i].r_offset < to; i++)
    section->rela[i].r_offset += by;
}

/* Skips what stands before the address of one piece of a variable whose other pieces
   are constants. Returns the operation where CURSOR stops. */
static unsigned
skip_constants (struct cursor *cursor)
{
  for (;;)
    {
      unsigned operation = read_number (cursor, 1);
      if (operation >= DW_OP_const1u && operation < DW_OP_const1u + 8)
        read_bytes (cursor, 1u << (operation - DW_OP_const1u) / 2);
      else if (operation == DW_OP_piece || operation == DW_OP_constu || operation == DW_OP_consts)
        read_uleb (cursor);
      else if (cursor->is_bad
               || !((operation >= DW_OP_lit0 && operation <= DW_OP_lit31)
                    || operation == DW_OP_stack_value))
        return operation;
    }
}

/* The relocation of the next address of a private variable in the expression at CURSOR, or NULL.
   AT is the operation. */
static const Elf64_Rela *
find_private_index (const struct rewriting *r, struct cursor *cursor, const unsigned char **at)
{
  while (skip_constants (cursor) == DW_OP_addrx && !cursor->is_bad)
    {
      const Elf64_Rela *rela;
      uint64_t offset;
      *at = cursor->at - 1;
      if (__builtin_mul_overflow (read_uleb (cursor), ADDRESS_BYTES, &offset)
          || __builtin_add_overflow (offset, r->address_base, &offset) || cursor->is_bad)
        return NULL;
      rela = relocation_at (r->addresses, offset);
      if (rela && wants_private_address (r->object, rela) && fits_private_location (rela))
        return rela;
    }
  return NULL;
}

static uint32_t
find_section (const struct object *object, const char *name)
{
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->kind == KIND_OTHER && object->sections[i]->data
        && strcmp (object->sections[i]->name, name) == 0)
      return i;
  return 0;
}

static void
refer (struct rewriting *r, uint64_t from, uint64_t to)
{
  r->references = grow_array (r->references, r->reference_count + 1, &r->reference_capacity,
                              sizeof *r->references);
  r->references[r->reference_count++] = (struct reference){ from, to };
}

/* Where the next byte of the partial unit will be in .debug_info. */
static uint64_t
partial_end (const struct rewriting *r)
{
  return r->info->header.sh_size + r->partial.header.sh_size;
}

/* Adds the relocation of the 32 bits at the end of the partial unit. */
static void
put_partial_rela (struct rewriting *r, uint64_t at, uint64_t symbol, int64_t addend)
{
  struct section *to = &r->partial;

  to->rela = grow_array (to->rela, to->rela_count + 1, &to->rela_capacity, sizeof *to->rela);
  to->rela[to->rela_count++] = (Elf64_Rela){
    .r_offset = at, .r_info = ELF64_R_INFO (symbol, TARGET_RELOC_ABSOLUTE32), .r_addend = addend
  };
}

/* Adds to the partial unit the expression of LOCATION, with private addresses instead of their
   indices. */
static void
put_expression (struct rewriting *r, const struct attribute *location)
{
  struct section *to = &r->partial;
  struct cursor cursor = { location->value, location->end, false };
  uint64_t length = append_bytes (to, NULL, 2);
  const unsigned char *from, *at;
  const Elf64_Rela *rela;

  read_uleb (&cursor);
  from = cursor.at;
  while ((rela = find_private_index (r, &cursor, &at)))
    {
      append_bytes (to, from, at - from);
      put_partial_rela (r, partial_end (r) + 1, ELF64_R_SYM (rela->r_info), rela->r_addend);
      append_bytes (to, private_location, sizeof private_location);
      from = cursor.at;
    }
  append_bytes (to, from, location->end - from);
  /* A ULEB128 of two bytes. */
  to->data[length] = (to->header.sh_size - length - 2) | 0x80;
  to->data[length + 1] = (to->header.sh_size - length - 2) >> 7;
}

/* Adds an entry to the partial unit. ORIGIN, of .debug_info, is where it refers to for CODEs that
   do. Returns where it begins. */
static uint64_t
put_partial_entry (struct rewriting *r, unsigned code, uint64_t origin,
                   const struct attribute *location)
{
  uint64_t start;

  if (!r->partial.header.sh_size)
    append_bytes (&r->partial, partial_header, sizeof partial_header);
  start = partial_end (r);
  put_byte (&r->partial, code);
  if (code != CODE_VARIABLE)
    {
      refer (r, partial_end (r), origin);
      put_number (&r->partial, 0);
    }
  put_expression (r, location);
  return start;
}

static void
end_partial_unit (struct rewriting *r)
{
  uint32_t length = r->partial.header.sh_size + 1 - sizeof length;
  uint64_t start = r->info->header.sh_size, symbol;

  memcpy (r->partial.data, &length, sizeof length);
  put_byte (&r->partial, 0);
  symbol = section_symbol (r->object, find_section (r->object, ".debug_abbrev"));
  put_partial_rela (
      r, start + 8, symbol,
      append_bytes (r->abbreviations, partial_abbreviations, sizeof partial_abbreviations));
  symbol = section_symbol (r->object, r->info_index);
  for (size_t i = 0; i < r->reference_count; i++)
    put_partial_rela (r, r->references[i].from, symbol, r->references[i].to);
  append_bytes (r->info, r->partial.data, r->partial.header.sh_size);
  for (size_t i = 0; i < r->partial.rela_count; i++)
    append_rela (r->object, r->info_index, r->partial.rela[i]);
}

/* The attribute of CHANGED that ATTRIBUTE of DIE is. */
static struct attribute *
same_attribute (struct die *changed, const struct die *die, const struct attribute *attribute)
{
  return &changed->attributes[attribute - die->attributes];
}

/* Lets an entry that refers to another do so by way of a new one, which has the location.
   What was the location is a filler. */
static void
refer_through (struct rewriting *r, const struct die *die, const struct attribute *location,
               const struct attribute *origin)
{
  struct die changed = *die;
  struct cursor cursor = { origin->value, origin->end, false };
  uint64_t target = r->unit->start - r->info->data + read_number (&cursor, REFERENCE_BYTES);
  bool is_specification = origin->name == DW_AT_specification;

  same_attribute (&changed, die, origin)->form = DW_FORM_ref_addr;
  same_attribute (&changed, die, location)->name = DW_AT_hi_user;
  if (!change_abbreviation (&r->additions, r->info, die, &changed))
    return;
  refer (r, origin->value - r->info->data,
         put_partial_entry (r, is_specification ? CODE_WITH_SPECIFICATION : CODE_WITH_ORIGIN,
                            target, location));
  memset (r->info->data + (origin->value - r->info->data), 0, REFERENCE_BYTES);
}

/* Adds an attribute behind LAST for bytes that are left. */
static void
insert_filler (struct die *die, struct attribute *last)
{
  size_t behind = die->attributes + die->attribute_count - (last + 1);

  memmove (last + 2, last + 1, behind * sizeof *last);
  last[1] = (struct attribute){ .name = DW_AT_hi_user, .form = DW_FORM_block1 };
  die->attribute_count++;
}

/* Takes the byte of an attribute that can be a constant, SPARED, for the reference that LOCATION
   becomes. Returns where it begins. */
static uint64_t
take_byte (struct section *info, const struct attribute *location, const struct attribute *spared)
{
  uint64_t at = location->value - info->data, end = location->end - info->data;

  if (spared->value < location->value)
    shift (info, spared->value + 1 - info->data, at--, -1);
  else
    shift (info, end, spared->value - info->data, 1);
  return at;
}

/* Makes the location of an entry a reference to a new one, which has it. */
static void
refer_to_location (struct rewriting *r, const struct die *die, const struct attribute *location)
{
  struct die changed = *die;
  struct attribute *reference = same_attribute (&changed, die, location);
  size_t length = location->end - location->value;
  const struct attribute *spared = NULL;
  uint64_t at = location->value - r->info->data, entry;

  reference->name = DW_AT_abstract_origin;
  reference->form = DW_FORM_ref_addr;
  if (length < REFERENCE_BYTES)
    {
      spared = find_attribute (die, DW_AT_decl_file, DW_FORM_data1);
      if (!spared)
        spared = find_attribute (die, DW_AT_decl_line, DW_FORM_data1);
      if (!spared || length + 1 < REFERENCE_BYTES)
        return;
      same_attribute (&changed, die, spared)->form = DW_FORM_implicit_const;
      same_attribute (&changed, die, spared)->implicit = *spared->value;
    }
  else if (length > REFERENCE_BYTES)
    insert_filler (&changed, reference);
  if (!change_abbreviation (&r->additions, r->info, die, &changed))
    return;
  entry = put_partial_entry (r, CODE_VARIABLE, 0, location);
  if (spared)
    at = take_byte (r->info, location, spared);
  else if (length > REFERENCE_BYTES)
    r->info->data[at + REFERENCE_BYTES] = length - REFERENCE_BYTES - 1;
  memset (r->info->data + at, 0, REFERENCE_BYTES);
  refer (r, at, entry);
}

static void
rewrite_definition (struct rewriting *r, const struct die *die, const struct attribute *location)
{
  struct cursor cursor = { location->value, location->end, false };
  const struct attribute *origin = find_attribute (die, DW_AT_specification, DW_FORM_ref4);
  const unsigned char *at;

  if (!origin)
    origin = find_attribute (die, DW_AT_abstract_origin, DW_FORM_ref4);
  if (read_uleb (&cursor) > LARGEST_BYTE || !find_private_index (r, &cursor, &at))
    return;
  if (origin)
    refer_through (r, die, location, origin);
  else
    refer_to_location (r, die, location);
}

static void
hide (struct rewriting *r, const struct die *die)
{
  struct die changed = *die;

  changed.tag = DW_TAG_hi_user;
  change_abbreviation (&r->additions, r->info, die, &changed);
}

/* The declaration of a private variable becomes one of nothing, unless the unit defines it, too:
   then it tells the namespace. */
static void
rewrite_declaration (struct rewriting *r, const struct die *die)
{
  const char *name = linkage_name (&r->strings, die);
  uint64_t offset = die->at - r->unit->start;

  if (name && hash_find (r->specified, &offset, sizeof offset) == HASH_NONE
      && hash_find (r->private, name, strlen (name)) != HASH_NONE)
    hide (r, die);
}

/* Where the unit's part of the section that attribute NAME of its first entry refers to begins. */
static uint64_t
base_of (const struct rewriting *r, const struct die *first, uint64_t name)
{
  const struct attribute *base = find_attribute (first, name, DW_FORM_sec_offset);
  const Elf64_Rela *rela = base ? relocation_at (r->info, base->value - r->info->data) : NULL;

  return rela ? r->object->symbols[ELF64_R_SYM (rela->r_info)].elf.st_value + rela->r_addend
              : UINT64_MAX;
}

static bool
is_class (const struct die *die)
{
  return die->tag == DW_TAG_class_type || die->tag == DW_TAG_structure_type
         || die->tag == DW_TAG_union_type;
}

static void
rewrite_variable (struct rewriting *r, const struct die *die)
{
  const struct attribute *location = find_attribute (die, DW_AT_location, DW_FORM_exprloc);

  if (is_helper (r->helpers, r->unit, die))
    {
      hide (r, die);
      return;
    }
  if (location && r->addresses && r->address_base != UINT64_MAX)
    rewrite_definition (r, die, location);
  else if (find_attribute_named (die, DW_AT_declaration))
    rewrite_declaration (r, die);
}

static void
rewrite_unit (struct rewriting *r, struct unit *unit)
{
  struct die die;
  struct unit first = *unit;
  size_t depth = 0, class_depth = 0; /* of the outermost class that is open */

  r->additions = (struct additions){ .first_code = unit->abbreviations.largest + 1 };
  r->unit = unit;
  if (!read_die (&first, &die))
    return;
  r->address_base = base_of (r, &die, DW_AT_addr_base);
  r->strings.base = base_of (r, &die, DW_AT_str_offsets_base);
  r->specified = collect_specified (*unit);
  r->helpers = collect_helpers (*unit, &r->strings);
  while (read_die (unit, &die))
    {
      if (!die.abbreviation)
        {
          class_depth = depth == class_depth ? 0 : class_depth;
          depth--;
          continue;
        }
      if (die.tag == DW_TAG_variable && !class_depth)
        rewrite_variable (r, &die);
      depth += die.abbreviation->has_children;
      if (is_class (&die) && die.abbreviation->has_children && !class_depth)
        class_depth = depth;
    }
  replace_table (r->abbreviations, unit, &r->additions);
  free_additions (&r->additions);
  hash_free (r->specified);
  hash_free (r->helpers);
}

static struct hash_table *
collect_private_names (const struct object *object)
{
  struct hash_table *names = hash_new ();

  for (size_t i = 1; i < object->symbol_count; i++)
    if (object->symbols[i].is_private)
      {
        const char *name = symbol_name (object, &object->symbols[i]);
        hash_add (names, name, strlen (name));
      }
  return names;
}

static struct section *
sorted_section (struct object *object, const char *name)
{
  uint32_t index = find_section (object, name);

  if (!index)
    return NULL;
  sort_relas (object->sections[index]);
  return object->sections[index];
}

void
rewrite_private_variables (struct object *object)
{
  struct rewriting r = {
    .object = object,
    .info_index = find_section (object, ".debug_info"),
    .info = sorted_section (object, ".debug_info"),
    .abbreviations = sorted_section (object, ".debug_abbrev"),
    .addresses = sorted_section (object, ".debug_addr"),
  };
  struct cursor cursor;

  if (!r.info || !r.abbreviations)
    return;
  r.strings = (struct strings){ .object = object,
                                .info = r.info,
                                .offsets = sorted_section (object, ".debug_str_offsets") };
  r.private = collect_private_names (object);
  cursor = (struct cursor){ r.info->data, r.info->data + r.info->header.sh_size, false };
  while (cursor.at < cursor.end && !cursor.is_bad)
    {
      struct unit unit;
      if (read_unit (object, r.info, r.abbreviations, &cursor, &unit)
          && unit.offset_bytes == REFERENCE_BYTES)
        rewrite_unit (&r, &unit);
      free_unit (&unit);
    }
  if (r.partial.header.sh_size)
    {
      end_partial_unit (&r);
      sort_relas (r.info);
    }
  hash_free (r.private);
  free (r.references);
  free (r.partial.data);
  free (r.partial.rela);
}
