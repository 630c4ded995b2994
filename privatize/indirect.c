/* Indirect functions (STT_GNU_IFUNC): a resolver says which code the function is. The
   dynamic linker asks it once and early, when statics of threads are not there yet, and
   what it stores in them would be known to no thread. Like a constructor it is each
   thread's: the runtime asks it, and the function becomes a jump to what the thread was
   told. Those that only ask what CPU there is, as compilers make them, stay as they are. */

#include "privatize/privatize.h"

#include <Zydis/Zydis.h>

/* One entry of upc_choices: the offset from the thread pointer of the place for the
   address that the resolver returns. */
struct choice
{
  int32_t where;
  uint64_t resolver __attribute__ ((aligned (8)));
};

/* The sections of what is added; 0 before there is something. */
struct places
{
  uint32_t table, answers, jumps;
};

/* endbr64; jmp *%fs:0 */
static const unsigned char jump[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x64, 0xff, 0x24, 0x25, 0, 0, 0, 0 };
enum { JUMP_FIELD = 8, JUMP_SPACE = 16 };

enum { CALL = 0xe8, LONG_JUMP = 0xe9, CONDITIONAL = 0x80, GROUP5 = 0xff };

/* Near and with a distance of 32 bits: a call or a jump. */
static bool
is_long_branch (const ZydisDecodedInstruction *instruction)
{
  unsigned opcode = instruction->opcode;

  return instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT
           ? opcode == CALL || opcode == LONG_JUMP
           : instruction->opcode_map == ZYDIS_OPCODE_MAP_0F && (opcode & 0xf0) == CONDITIONAL;
}

/* Whether the function may come to rewritten code by what INSTRUCTION at AT does; the
   function is from START to END of SECTION. Short jumps stay within it. */
static bool
leaves_function (const struct object *object, const struct section *section,
                 const ZydisDecodedInstruction *instruction, uint64_t at, uint64_t start, uint64_t end)
{
  size_t i = find_relocation (section, at);
  bool has_relocation = i < section->rela_count && section->rela[i].r_offset < at + instruction->length;
  uint64_t target = at + instruction->length + instruction->raw.imm[0].value.s;

  if (has_relocation && ELF64_R_TYPE (section->rela[i].r_info) == R_X86_64_TPOFF32)
    return true;
  if (instruction->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && instruction->opcode == GROUP5)
    return instruction->raw.modrm.reg >= 2 && instruction->raw.modrm.reg <= 5;
  if (!is_long_branch (instruction))
    return false;
  if (!has_relocation)
    return target < start || target >= end;
  return object->is_part || is_defined (&object->symbols[ELF64_R_SYM (section->rela[i].r_info)]);
}

/* Whether RESOLVER may have to do with private data. What it calls of other libraries
   has not. */
static bool
may_need_thread (const struct object *object, const struct symbol *resolver)
{
  const struct section *section = object->sections[resolver->section];
  uint64_t start = resolver->elf.st_value, end = start + resolver->elf.st_size;
  ZydisDecodedInstruction instruction;
  ZydisDecoder decoder;

  if (!resolver->elf.st_size || !section->data || end < start || end > section->header.sh_size)
    return true;
  ZydisDecoderInit (&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
  ZydisDecoderEnableMode (&decoder, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
  for (uint64_t at = start; at < end; at += instruction.length)
    if (!ZYAN_SUCCESS (ZydisDecoderDecodeInstruction (&decoder, NULL, section->data + at, end - at,
                                                      &instruction))
        || leaves_function (object, section, &instruction, at, start, end))
      return true;
  return false;
}

static uint32_t
add_part (struct object *object, const char *name, Elf64_Word type, Elf64_Xword flags,
          enum kind kind, uint32_t owner)
{
  bool leaves = leaves_with_group (object, object->sections[owner]);
  uint32_t part = add_section (object, name, type, SHF_ALLOC | flags | (leaves ? SHF_GROUP : 0), JUMP_SPACE);

  object->sections[part]->kind = kind;
  object->sections[part]->owner = leaves ? owner : 0;
  return part;
}

static void
add_places (struct object *object, struct places *places, uint32_t owner)
{
  places->table = add_table (object, "upc_choices", SHF_ALLOC | SHF_WRITE, sizeof (uint64_t), owner);
  places->answers = add_part (object, ".bss.upc_choices", SHT_NOBITS, SHF_WRITE, KIND_PRIVATE, owner);
  places->jumps = add_part (object, ".text.upc_choices", SHT_PROGBITS, SHF_EXECINSTR, KIND_TEXT, owner);
}

/* Names the code of what is symbol FUNCTION so far, and will be the jump. */
static uint32_t
add_resolver (struct object *object, uint32_t function)
{
  const struct symbol *symbol = &object->symbols[function];
  char *name = join_text (symbol_name (object, symbol), ".resolver");
  Elf64_Sym elf = symbol->elf;
  uint32_t resolver;

  elf.st_info = ELF64_ST_INFO (STB_LOCAL, STT_FUNC);
  elf.st_other = STV_DEFAULT;
  resolver = add_symbol (object, elf, symbol->section);
  object->symbols[resolver].new_name = name;
  return resolver;
}

static void
add_choice (struct object *object, const struct places *places, uint64_t answer, uint32_t resolver)
{
  uint64_t at = append_bytes (object->sections[places->table], NULL, sizeof (struct choice));

  append_rela (object, places->table, (Elf64_Rela) {
    .r_offset = at + offsetof (struct choice, where),
    .r_info = ELF64_R_INFO (section_symbol (object, places->answers), R_X86_64_TPOFF32),
    .r_addend = answer
  });
  append_rela (object, places->table, (Elf64_Rela) {
    .r_offset = at + offsetof (struct choice, resolver),
    .r_info = ELF64_R_INFO (resolver, R_X86_64_64)
  });
}

static void
make_jump (struct object *object, const struct places *places, uint64_t answer, uint32_t function)
{
  struct section *jumps = object->sections[places->jumps];
  uint64_t at = append_bytes (jumps, jump, sizeof jump);
  struct symbol *symbol;

  append_bytes (jumps, NULL, JUMP_SPACE - sizeof jump);
  append_rela (object, places->jumps, (Elf64_Rela) {
    .r_offset = at + JUMP_FIELD,
    .r_info = ELF64_R_INFO (section_symbol (object, places->answers), R_X86_64_TPOFF32),
    .r_addend = answer
  });
  symbol = &object->symbols[function];
  symbol->section = places->jumps;
  symbol->elf.st_value = at;
  symbol->elf.st_size = sizeof jump;
  symbol->elf.st_info = ELF64_ST_INFO (ELF64_ST_BIND (symbol->elf.st_info), STT_FUNC);
}

static void
choose_in_threads (struct object *object, uint32_t function, struct places *shared)
{
  uint32_t owner = object->symbols[function].section;
  struct places own = { 0 }, *places = leaves_with_group (object, object->sections[owner]) ? &own : shared;
  Elf64_Xword *size;
  uint64_t answer;

  if (!places->table)
    add_places (object, places, owner);
  size = &object->sections[places->answers]->header.sh_size;
  answer = *size;
  *size += sizeof (uint64_t);
  add_choice (object, places, answer, add_resolver (object, function));
  make_jump (object, places, answer, function);
}

void
rewrite_indirect_functions (struct object *object)
{
  struct places shared = { 0 };

  for (size_t i = 1, n = object->symbol_count; i < n; i++)
    {
      const struct symbol *symbol = &object->symbols[i];
      if (ELF64_ST_TYPE (symbol->elf.st_info) == STT_GNU_IFUNC && is_defined (symbol)
          && object->sections[symbol->section]->kind == KIND_TEXT)
        {
          sort_relas (object->sections[symbol->section]);
          if (may_need_thread (object, symbol))
            choose_in_threads (object, i, &shared);
        }
    }
}
