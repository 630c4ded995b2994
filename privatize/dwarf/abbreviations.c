#include "privatize/dwarf/abbreviations.h"

#include "privatize/dwarf/constants.h"
#include "privatize/dwarf/put.h"

#include <stdlib.h>
#include <string.h>

enum
{
  LARGEST_BYTE = 0x7f /* of a ULEB128 of one byte */
};

static size_t
uleb_bytes (uint64_t number)
{
  size_t bytes = 1;

  while (number >>= 7)
    bytes++;
  return bytes;
}

/* The abbreviation of DIE without its code. */
static void
put_abbreviation (struct section *to, const struct die *die)
{
  put_uleb (to, die->tag);
  put_byte (to, die->abbreviation->has_children);
  for (size_t i = 0; i < die->attribute_count; i++)
    {
      put_uleb (to, die->attributes[i].name);
      put_uleb (to, die->attributes[i].form);
      if (die->attributes[i].form == DW_FORM_implicit_const)
        put_sleb (to, die->attributes[i].implicit);
    }
  append_bytes (to, "\0", 2);
}

/* The code of an abbreviation, which is added where it is new. */
static uint64_t
find_code (struct additions *additions, const struct die *die)
{
  struct section bytes = { 0 };
  uint32_t count, number;

  if (!additions->table)
    additions->table = hash_new ();
  put_abbreviation (&bytes, die);
  count = hash_count (additions->table);
  number = hash_add (additions->table, bytes.data, bytes.header.sh_size);
  if (number == count)
    {
      put_uleb (&additions->text, additions->first_code + number);
      append_bytes (&additions->text, bytes.data, bytes.header.sh_size);
    }
  free (bytes.data);
  return additions->first_code + number;
}

bool
change_abbreviation (struct additions *additions, struct section *info, const struct die *die,
                     const struct die *changed)
{
  uint64_t code = find_code (additions, changed);

  if (uleb_bytes (code) != uleb_bytes (die->abbreviation->code))
    return false;
  for (size_t at = die->at - info->data; code; at++, code >>= 7)
    info->data[at] = (code & LARGEST_BYTE) | (code > LARGEST_BYTE ? 0x80 : 0);
  return true;
}

void
replace_table (struct section *abbreviations, const struct unit *unit,
               const struct additions *additions)
{
  const struct abbreviations *old = &unit->abbreviations;
  size_t length = old->end - old->start;
  unsigned char *copy;
  Elf64_Rela *rela = (Elf64_Rela *) unit->table;

  if (!additions->table)
    return;
  copy = xcalloc (length, 1);
  memcpy (copy, old->start, length);
  rela->r_addend += abbreviations->header.sh_size - (old->start - abbreviations->data);
  append_bytes (abbreviations, copy, length);
  append_bytes (abbreviations, additions->text.data, additions->text.header.sh_size);
  append_bytes (abbreviations, "\0", 1);
  free (copy);
}

void
free_additions (struct additions *additions)
{
  if (additions->table)
    hash_free (additions->table);
  free (additions->text.data);
}
