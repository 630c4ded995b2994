/* aarch64. Only arch.h includes this file. */

#define TARGET_NAME "aarch64"

enum
{
  TARGET_MACHINE = EM_AARCH64,
  TARGET_HAS_LITERALS = 1,      /* words in the text, which code loads */
  TARGET_VARIABLES_ARE_TLS = 1, /* the runtime's for a UPC thread, but MYTHREAD */
  TARGET_WORDS_ARE_TLS
  = 1, /* private words, within so many bytes of the first thread-local variable */
  TARGET_TLS_REACH = 2048,     /* of 4096, as alignment may move that */
  TARGET_STUB_WANTS_DELTA = 1, /* a stub for an indirect function */
  TARGET_GOT_IGNORES_ADDENDS = 1,
  TARGET_RELATIVE_BIAS = 0, /* added to where a relative field of code leads */
  TARGET_LARGE_COMMON = SHN_COMMON,
  TARGET_LARGE_SECTION = 0,

  MAX_INSN_BYTES = 4,
  BRANCH_BYTES = 4,
  PADDING_BYTE = 0, /* between thunks: udf #0 */
  THUNK_ALIGNMENT = 16,

  /* Relocation types that this tool makes. */
  TARGET_RELOC_NONE = R_AARCH64_NONE,
  TARGET_RELOC_POINTER = R_AARCH64_ABS64,
  TARGET_RELOC_ABSOLUTE32 = R_AARCH64_ABS32,
  TARGET_RELOC_PC32 = R_AARCH64_PREL32,
  TARGET_RELOC_BRANCH = R_AARCH64_JUMP26,
  TARGET_RELOC_TLS = R_AARCH64_PREL32, /* where a thread-local variable's initial value is */
  TARGET_RELOC_TLS_SHARED = R_AARCH64_PREL32,
  TARGET_RELOC_GOTOFF64 = R_AARCH64_NONE, /* no code computes addresses so */

  /* Register numbers of DWARF. */
  DWARF_STACK_POINTER = 31,
  DWARF_RETURN_ADDRESS = 30,
  DWARF_SIGN_STATE = 34, /* whether the return address is signed */
  DWARF_REGISTERS = 96,  /* those up to v31, some of which callees save */

  /* At the entry of a function the CFA is the stack pointer, and the return address in its
     register. */
  ENTRY_CFA_OFFSET = 0,
  ENTRY_RETURN_OFFSET = 0,
  /* libgcc's unwinder knows no program counter for expressions to use. */
  BRANCH_EXPRESSION_BYTES = 1,
  TARGET_UNWINDS_JUMPS = 0,

  CODE_RELAS = 32
};

/* Where the shared segment of a program is that was compiled with a sanitizer (upct/segment.h). */
#define TARGET_ASAN_BASE __UPC_AARCH64_ASAN_BASE
#define TARGET_TSAN_BASE __UPC_AARCH64_TSAN_BASE

/* The runtime's variable that holds the distance of the thread's copies: a thread-local one, a
   multiple of the page size. */
#define TARGET_DELTA_NAME "__upc_private_delta"
#define TARGET_DELTA_TYPE STT_TLS
/* Symbols before instructions and before data. */
#define TARGET_CODE_MARK "$x"
#define TARGET_DATA_MARK "$d"

/* Where an address, or a part of one, may stand in an instruction that can be rewritten or copied. */
enum operand_field
{
  FIELD_PAGE = 1 << 0,    /* ADRP */
  FIELD_ADDRESS = 1 << 1, /* ADR */
  FIELD_LITERAL = 1 << 2, /* LDR that counts from itself, */
  FIELD_LOAD = 1 << 3,    /* and with a base */
  FIELD_MOVE = 1 << 4,    /* MOVZ, MOVN, MOVK */
  FIELD_BRANCH = 1 << 5,
  FIELD_OTHER = 1 << 6, /* any that may be copied */
  TEXT_FIELDS = 0       /* those of instructions whose code refers to the text */
};

enum
{
  NO_REGISTER = -1,
  SP = 31
};

/* What an instruction does with the field that can be relocated. */
enum form
{
  FORM_OTHER,
  FORM_PAGE,
  FORM_ADDRESS,
  FORM_LITERAL,
  FORM_LOAD,
  FORM_MOVE,
  FORM_BRANCH
};

struct target_insn
{
  enum form form;
  uint32_t word;
  uint32_t used; /* a bit for each general register that it may mention */
  int8_t to; /* register of bits 0 to 4, where they are one that a relocation's address goes to, */
  int8_t base; /* and of bits 5 to 9 */
};
