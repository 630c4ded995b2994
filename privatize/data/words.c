/* Private words. Each holds an address of private data that the text needs. They are private data
   like any other, and are fixed up in each thread as all its pointers are. On processors without a
   second base they are thread-local, if code reaches them with one instruction. */

#include "privatize/data/data.h"

#include <stdlib.h>
#include <string.h>

#define WORD_BYTES sizeof (uint64_t)

/* In place of a section: the key of the runtime's variable. */
#define DELTA UINT32_MAX
/* In place of a word's offset. */
#define NO_ROOM UINT64_MAX

/* What a word is known by. The words of a section that another object's group may replace
   leave with it, so they are its own. */
struct key
{
  uint32_t owner; /* that section, or 0 */
  uint32_t type;  /* of the relocation; without one the key is that of a section of words */
  uint64_t symbol;
  int64_t addend;
};

/* The number of KEY in the object's table, and whether it is new there. */
static uint32_t
number_of (struct object *object, const struct key *key, bool *is_new)
{
  uint32_t count, number;

  if (!object->words.table)
    object->words.table = hash_new ();
  count = hash_count (object->words.table);
  number = hash_add (object->words.table, key, sizeof *key);
  object->words.list = grow_array (object->words.list, number + 1, &object->words.capacity,
                                   sizeof *object->words.list);
  *is_new = number == count;
  return number;
}

/* The section for the words of OWNER. */
static uint32_t
word_section (struct object *object, uint32_t owner)
{
  const Elf64_Xword flags = SHF_ALLOC | SHF_WRITE | (owner ? SHF_GROUP : 0);
  struct key key = { .owner = owner, .type = TARGET_RELOC_NONE };
  bool is_new;
  uint32_t number = number_of (object, &key, &is_new), section;

  if (!is_new)
    return object->words.list[number];
  if (TARGET_WORDS_ARE_TLS)
    section = add_section (object, ".tdata.upc_words", SHT_PROGBITS, flags | SHF_TLS, WORD_BYTES);
  else
    section = add_section (object, ".data.upc_words", SHT_PROGBITS, flags, WORD_BYTES);
  object->sections[section]->kind = TARGET_WORDS_ARE_TLS ? KIND_TLS : KIND_PRIVATE;
  object->sections[section]->owner = owner;
  object->words.list[number] = section;
  return section;
}

/* The distance of the thread's copies from the program's own data: a variable of the runtime. */
static Elf64_Rela
delta_word (struct object *object)
{
  struct key key = { .owner = DELTA, .type = TARGET_RELOC_NONE };
  bool is_new;
  uint32_t number = number_of (object, &key, &is_new);

  if (is_new)
    {
      Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_GLOBAL, TARGET_DELTA_TYPE) };
      uint32_t symbol = add_symbol (object, elf, SHN_UNDEF);

      object->symbols[symbol].new_name = TARGET_DELTA_NAME;
      object->symbols[symbol].is_private = TARGET_DELTA_TYPE != STT_TLS;
      object->words.list[number] = symbol;
    }
  return (Elf64_Rela){ .r_info = ELF64_R_INFO (object->words.list[number], 0) };
}

/* Words that the object may have where code reaches them: it is the whole program, whose thread-local data
   comes before that of libraries. With --gc-sections a word would keep what it points to. */
static size_t
room_for_tls (const struct object *object)
{
  uint64_t used = 0;

  if (object->is_shared || object->is_runtime || object->is_separate || object->is_collected)
    return 0;
  for (uint32_t i = 1; i < object->section_count; i++)
    {
      const Elf64_Shdr *header = &object->sections[i]->header;

      if (header->sh_flags & SHF_TLS && header->sh_type == SHT_PROGBITS)
        used += header->sh_size + header->sh_addralign;
    }
  return used > TARGET_TLS_REACH ? 0 : (TARGET_TLS_REACH - used) / WORD_BYTES;
}

/* An entry of the GOT in a large model: its offset is wanted, and a private word takes its
   place. */
static Elf64_Rela
offset_of_word (struct object *object, uint32_t text, Elf64_Rela wanted)
{
  wanted.r_info = ELF64_R_INFO (ELF64_R_SYM (wanted.r_info), TARGET_RELOC_POINTER);
  wanted = find_word (object, text, &wanted);
  wanted.r_info = ELF64_R_INFO (ELF64_R_SYM (wanted.r_info), TARGET_RELOC_GOTOFF64);
  return wanted;
}

/* For one word more. */
static bool
takes_room (struct object *object)
{
  if (!object->words.is_room_known)
    object->words.room = room_for_tls (object);
  object->words.is_room_known = true;
  return object->words.room && object->words.room--;
}

/* The symbol of the section, by which code reaches the words. */
static uint32_t
symbol_of_words (struct object *object, uint32_t section)
{
  return TARGET_WORDS_ARE_TLS ? tls_symbol (object, section) : section_symbol (object, section);
}

bool
is_delta_word (const struct object *object, const Elf64_Rela *word)
{
  const struct symbol *symbol = &object->symbols[ELF64_R_SYM (word->r_info)];

  return symbol->new_name && strcmp (symbol->new_name, TARGET_DELTA_NAME) == 0;
}

Elf64_Rela
find_word (struct object *object, uint32_t text, const Elf64_Rela *wanted)
{
  bool leaves = leaves_with_group (object->sections[text]), is_new;
  Elf64_Rela value = *wanted;
  struct key key = { .owner = leaves ? text : 0 };
  uint32_t number, section;

  if (type_of (wanted)->kind == RELOC_NONE)
    return delta_word (object);
  if (TARGET_WORDS_ARE_TLS && leaves)
    return delta_word (object);
  if (type_of (wanted)->kind == RELOC_GOT_ENTRY_OFFSET)
    value = offset_of_word (object, text, value);
  key.type = ELF64_R_TYPE (value.r_info);
  key.symbol = ELF64_R_SYM (value.r_info);
  key.addend = value.r_addend;
  number = number_of (object, &key, &is_new);
  if (is_new && TARGET_WORDS_ARE_TLS && !takes_room (object))
    object->words.list[number] = NO_ROOM;
  if (object->words.list[number] == NO_ROOM)
    return delta_word (object);
  section = word_section (object, key.owner);
  if (is_new)
    {
      value.r_offset = append_bytes (object->sections[section], NULL, WORD_BYTES);
      append_rela (object, section, value);
      object->words.list[number] = value.r_offset;
    }
  return (Elf64_Rela){ .r_info = ELF64_R_INFO ((uint64_t) symbol_of_words (object, section), 0),
                       .r_addend = object->words.list[number] };
}
