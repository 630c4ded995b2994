/* The relocation types of the System V ABI for x86-64, and their meanings. */

#include "privatize/arch/arch.h"

enum
{
  RIP = FIELD_PC_DISP,
  NUMBER = FIELD_DISP | FIELD_IMM,
  WORD = FIELD_DISP64 | FIELD_IMM64
};

#define ROW(name, kind, bytes, fields) \
  [R_X86_64_##name] = { "R_X86_64_" #name, RELOC_##kind, bytes, fields }

/* clang-format off */
static const struct reloc_type types[] = {
  ROW (NONE,            NONE,             0, 0),
  ROW (64,              ABSOLUTE,         8, WORD),
  ROW (PC32,            PC_RELATIVE,      4, RIP | FIELD_BASE_DISP),
  ROW (GOT32,           GOT_ENTRY_OFFSET, 4, 0),
  ROW (PLT32,           PLT,              4, 0),
  ROW (COPY,            DYNAMIC,          0, 0),
  ROW (GLOB_DAT,        DYNAMIC,          8, 0),
  ROW (JUMP_SLOT,       DYNAMIC,          8, 0),
  ROW (RELATIVE,        DYNAMIC,          8, 0),
  ROW (GOTPCREL,        GOT_ENTRY,        4, RIP),
  ROW (32,              ABSOLUTE,         4, NUMBER),
  ROW (32S,             ABSOLUTE,         4, NUMBER),
  ROW (16,              ABSOLUTE,         2, 0),
  ROW (PC16,            PC_RELATIVE,      2, 0),
  ROW (8,               ABSOLUTE,         1, 0),
  ROW (PC8,             PC_RELATIVE,      1, 0),
  ROW (DTPMOD64,        TLS,              8, 0),
  ROW (DTPOFF64,        TLS_OFFSET,       8, 0),
  ROW (TPOFF64,         TLS_OFFSET,       8, 0),
  ROW (TLSGD,           TLS,              4, 0),
  ROW (TLSLD,           TLS,              4, 0),
  ROW (DTPOFF32,        TLS_OFFSET,       4, 0),
  ROW (GOTTPOFF,        TLS,              4, 0),
  ROW (TPOFF32,         TLS_OFFSET,       4, 0),
  ROW (PC64,            PC_RELATIVE,      8, 0),
  ROW (GOTOFF64,        GOTOFF,           8, FIELD_IMM64),
  ROW (GOTPC32,         GOT_BASE,         4, 0),
  ROW (GOT64,           GOT_ENTRY_OFFSET, 8, FIELD_IMM64),
  ROW (GOTPCREL64,      GOT_ENTRY,        8, 0),
  ROW (GOTPC64,         GOT_BASE,         8, 0),
  ROW (GOTPLT64,        GOT_ENTRY_OFFSET, 8, 0),
  ROW (PLTOFF64,        PLT_OFFSET,       8, 0),
  ROW (SIZE32,          SIZE,             4, 0),
  ROW (SIZE64,          SIZE,             8, 0),
  ROW (GOTPC32_TLSDESC, TLS,              4, 0),
  ROW (TLSDESC_CALL,    TLS,              0, 0),
  ROW (TLSDESC,         TLS,             16, 0),
  ROW (IRELATIVE,       DYNAMIC,          8, 0),
  ROW (RELATIVE64,      DYNAMIC,          8, 0),
  ROW (GOTPCRELX,       GOT_ENTRY,        4, RIP),
  ROW (REX_GOTPCRELX,   GOT_ENTRY,        4, RIP),
};
/* clang-format on */

const struct reloc_type *
reloc_type (uint32_t number)
{
  static const struct reloc_type unknown = { NULL, RELOC_UNKNOWN, 4, 0 };

  return number < sizeof types / sizeof *types && types[number].name ? &types[number] : &unknown;
}

bool
can_move (const Elf64_Rela *rela)
{
  const struct reloc_type *type = type_of (rela);

  return type->fields
         && (type->kind == RELOC_ABSOLUTE || type->kind == RELOC_PC_RELATIVE
             || type->kind == RELOC_GOT_ENTRY);
}
