/* Indirect functions (STT_GNU_IFUNC): a resolver chooses the implementation. The dynamic linker
   calls it once and early, when the statics of threads do not exist yet, so no thread would see
   what it stores in them. Therefore a resolver belongs to each thread, like a constructor: the
   runtime calls it, and the function becomes a jump to the address that the thread got.
   Resolvers that only ask for the kind of CPU, as compilers make them, stay as they are. */

#include "privatize/text/text.h"

#include "privatize/arch/arch.h"
#include "privatize/data/data.h"

/* One entry of upc_choices: WHERE is the offset from itself of the pointer, which is private,
   to what the resolver returns. */
enum
{
  STUB_ALIGNMENT = 16
};

struct choice
{
  int32_t where;
  uint64_t resolver __attribute__ ((aligned (8)));
};

/* The sections of what is added; 0 before there is something. */
struct choice_sections
{
  uint32_t table, answers, stubs;
};

/* Whether the function may come to rewritten code by what INSN at AT does; the function is
   from START to END of SECTION. */
static bool
leaves_function (const struct object *object, const struct section *section,
                 const struct insn *insn, uint64_t at, uint64_t start, uint64_t end)
{
  size_t i = find_relocation (section, at);
  bool has_relocation = i < section->rela_count
                        && section->rela[i].r_offset < at + insn->outline.length;
  uint64_t target = at + (uint64_t) insn->target;

  if (has_relocation && wants_private_address (object, &section->rela[i]))
    return true;
  if (insn->flow == FLOW_INDIRECT)
    return true;
  if (insn->flow != FLOW_JUMP && insn->flow != FLOW_CONDITIONAL && insn->flow != FLOW_CALL)
    return false;
  if (!has_relocation)
    return target < start || target >= end;
  return object->is_separate
         || is_defined (&object->symbols[ELF64_R_SYM (section->rela[i].r_info)]);
}

/* Whether RESOLVER may have to do with private data. What it calls of other libraries
   has not. */
static bool
may_need_thread (const struct object *object, const struct symbol *resolver)
{
  const struct section *section = object->sections[resolver->section];
  uint64_t start = resolver->elf.st_value, end = start + resolver->elf.st_size;
  struct insn insn;

  if (!resolver->elf.st_size || !section->data || end < start || end > section->header.sh_size)
    return true;
  for (uint64_t at = start; at < end; at += insn.outline.length)
    if (!decode_insn (section->data + at, end - at, &insn)
        || leaves_function (object, section, &insn, at, start, end))
      return true;
  return false;
}

static uint32_t
add_choice_section (struct object *object, const char *name, Elf64_Word type, Elf64_Xword flags,
                    enum kind kind, uint32_t owner)
{
  bool leaves = leaves_with_group (object->sections[owner]);
  uint32_t section = add_section (object, name, type, SHF_ALLOC | flags | (leaves ? SHF_GROUP : 0),
                                  STUB_ALIGNMENT);

  object->sections[section]->kind = kind;
  object->sections[section]->owner = leaves ? owner : 0;
  return section;
}

static void
add_choice_sections (struct object *object, struct choice_sections *sections, uint32_t owner)
{
  sections->table = add_table (object, "upc_choices", SHF_ALLOC | SHF_WRITE, sizeof (uint64_t),
                               owner);
  sections->answers = add_choice_section (object, ".bss.upc_choices", SHT_NOBITS, SHF_WRITE,
                                          KIND_PRIVATE, owner);
  sections->stubs = add_choice_section (object, ".text.upc_choices", SHT_PROGBITS, SHF_EXECINSTR,
                                        KIND_TEXT, owner);
  mark_code (object, sections->stubs);
}

/* Names the code of what is symbol FUNCTION so far, and will be the jump. */
static uint32_t
add_resolver (struct object *object, uint32_t function)
{
  const struct symbol *symbol = &object->symbols[function];
  const char *name = arena_format ("%s.resolver", symbol_name (object, symbol));
  Elf64_Sym elf = symbol->elf;
  uint32_t resolver;

  elf.st_info = ELF64_ST_INFO (STB_LOCAL, STT_FUNC);
  elf.st_other = STV_DEFAULT;
  resolver = add_symbol (object, elf, symbol->section);
  object->symbols[resolver].new_name = name;
  return resolver;
}

static void
add_choice (struct object *object, const struct choice_sections *sections, uint64_t answer,
            uint32_t resolver)
{
  uint64_t at = append_bytes (object->sections[sections->table], NULL, sizeof (struct choice));

  append_rela (object, sections->table,
               (Elf64_Rela){ .r_offset = at + offsetof (struct choice, where),
                             .r_info = ELF64_R_INFO (section_symbol (object, sections->answers),
                                                     TARGET_RELOC_PC32),
                             .r_addend = answer });
  append_rela (object, sections->table,
               (Elf64_Rela){ .r_offset = at + offsetof (struct choice, resolver),
                             .r_info = ELF64_R_INFO (resolver, TARGET_RELOC_POINTER) });
}

/* FUNCTION becomes a jump to what the resolver has answered. */
static void
make_stub (struct object *object, const struct choice_sections *sections, uint64_t answer,
           uint32_t function)
{
  struct section *stubs = object->sections[sections->stubs];
  struct site delta = { .word.r_info = TARGET_RELOC_NONE, .is_shared = object->is_shared };
  struct code code = { 0 };
  struct symbol *symbol;
  uint64_t at;

  if (TARGET_STUB_WANTS_DELTA)
    delta.word = find_word (object, sections->stubs, &delta.word);
  emit_ifunc_stub (&code, section_symbol (object, sections->answers), answer, &delta);
  at = append_bytes (stubs, code.bytes, code.length);
  append_bytes (stubs, NULL, -code.length % STUB_ALIGNMENT);
  for (size_t i = 0; i < code.rela_count; i++)
    {
      code.relas[i].r_offset += at;
      append_rela (object, sections->stubs, code.relas[i]);
    }
  symbol = &object->symbols[function];
  symbol->section = sections->stubs;
  symbol->elf.st_value = at;
  symbol->elf.st_size = code.length;
  symbol->elf.st_info = ELF64_ST_INFO (ELF64_ST_BIND (symbol->elf.st_info), STT_FUNC);
}

static void
choose_in_threads (struct object *object, uint32_t function, struct choice_sections *shared)
{
  uint32_t owner = object->symbols[function].section;
  struct choice_sections own = { 0 },
                         *sections = leaves_with_group (object->sections[owner]) ? &own : shared;
  Elf64_Xword *size;
  uint64_t answer;

  if (!sections->table)
    add_choice_sections (object, sections, owner);
  size = &object->sections[sections->answers]->header.sh_size;
  answer = *size;
  *size += sizeof (uint64_t);
  add_choice (object, sections, answer, add_resolver (object, function));
  make_stub (object, sections, answer, function);
}

void
rewrite_ifuncs (struct object *object)
{
  struct choice_sections shared = { 0 };

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
