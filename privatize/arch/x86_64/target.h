/* x86-64. Only arch.h includes this file. */

#define TARGET_NAME "x86-64"

enum
{
  TARGET_MACHINE = EM_X86_64,
  TARGET_HAS_LITERALS = 0,      /* words in the text, which code loads */
  TARGET_VARIABLES_ARE_TLS = 0, /* the runtime's for a UPC thread, but MYTHREAD */
  TARGET_WORDS_ARE_TLS
  = 0, /* private words, within so many bytes of the first thread-local variable */
  TARGET_TLS_REACH = 0,
  TARGET_STUB_WANTS_DELTA = 0, /* a stub for an indirect function */
  TARGET_GOT_IGNORES_ADDENDS = 0,
  TARGET_RELATIVE_BIAS = 4,          /* added to where a relative field of code leads */
  TARGET_LARGE_COMMON = 0xff02,      /* SHN_X86_64_LCOMMON */
  TARGET_LARGE_SECTION = 0x10000000, /* SHF_X86_64_LARGE */

  MAX_INSN_BYTES = 15,
  BRANCH_BYTES = 5,
  PADDING_BYTE = 0xcc,  /* between thunks: a trap */
  THUNK_ALIGNMENT = 32, /* a loop in a thunk that crosses a line of 64 bytes takes 1.15 of it */

  /* Relocation types that this tool makes. */
  TARGET_RELOC_NONE = R_X86_64_NONE,
  TARGET_RELOC_POINTER = R_X86_64_64,
  TARGET_RELOC_ABSOLUTE32 = R_X86_64_32,
  TARGET_RELOC_PC32 = R_X86_64_PC32,
  TARGET_RELOC_BRANCH = R_X86_64_PLT32,
  TARGET_RELOC_GOTOFF64 = R_X86_64_GOTOFF64,
  TARGET_RELOC_TLS = R_X86_64_TPOFF32, /* where a thread-local variable is */
  TARGET_RELOC_TLS_SHARED = R_X86_64_DTPOFF32,

  /* Register numbers of DWARF. */
  DWARF_STACK_POINTER = 7,
  DWARF_RETURN_ADDRESS = 16,
  DWARF_REGISTERS = 33, /* those up to %xmm15, which some callees save */

  /* At the entry of a function the CFA is the stack pointer plus 8, with the return address
     below it. */
  ENTRY_CFA_OFFSET = 8,
  ENTRY_RETURN_OFFSET = -8,
  BRANCH_EXPRESSION_BYTES = 24,
  TARGET_UNWINDS_JUMPS = 1,           /* branch_target_expression has something to say */
  DWARF_SIGN_STATE = DWARF_REGISTERS, /* whether the return address is signed: none */

  CODE_RELAS = 4
};

/* Where the shared segment of a program is that was compiled with a sanitizer (upct/segment.h). */
#define TARGET_ASAN_BASE __UPC_X86_64_ASAN_BASE
#define TARGET_TSAN_BASE __UPC_X86_64_TSAN_BASE

/* The runtime's variable that holds the distance of the thread's copies: a private one. */
#define TARGET_DELTA_NAME "upcr_private_delta"
#define TARGET_DELTA_TYPE STT_NOTYPE
/* Nothing marks where instructions begin. */
#define TARGET_CODE_MARK NULL
#define TARGET_DATA_MARK NULL

/* Where an address may stand in an instruction that can be rewritten. */
enum operand_field
{
  FIELD_DISP = 1 << 0,      /* a displacement without a base that the linker knows */
  FIELD_PC_DISP = 1 << 1,   /* one that counts from the next instruction */
  FIELD_BASE_DISP = 1 << 2, /* one to a base register that holds an address of the text */
  FIELD_DISP64 = 1 << 3,    /* an address of 64 bits */
  FIELD_IMM = 1 << 4,       /* an immediate of 32 bits */
  FIELD_IMM64 = 1 << 5,
  TEXT_FIELDS = FIELD_BASE_DISP /* those of instructions whose code refers to the text */
};

enum
{
  NO_REGISTER = -1,
  RSP = 4
};

/* What an instruction does with the operand that can be relocated. */
enum form
{
  FORM_OTHER, /* reads or writes memory as its opcode says */
  FORM_MOFFS, /* movabs x, %rax and back */
  FORM_LEA,
  FORM_BOUNDS,     /* computes another address */
  FORM_CALL,       /* call *x, */
  FORM_JUMP,       /* jmp *x, */
  FORM_FAR_BRANCH, /* both with a segment */
  FORM_PUSH_IMM,   /* push $x */
  FORM_MOVE_IMM    /* mov $x, %reg */
};

struct target_insn
{
  enum form form;
  uint8_t opcode;
  uint8_t register_opcode; /* the same with a register for the 32-bit immediate, or 0 */
  uint8_t operand_bits;
  uint8_t prefix_count; /* bytes of prefixes; those of VEX and EVEX do not count */
  uint8_t modrm_at;     /* 0 where there is no ModRM byte; and so on */
  uint8_t sib_at;
  uint8_t mod, reg, rm; /* of ModRM, */
  uint8_t scale;        /* of SIB: 0 to 3, */
  uint8_t rex;          /* and bits X and B of REX */
  int64_t disp;
  int8_t to;          /* register of ModRM's reg with REX, or of mov $x, %reg */
  int8_t base, index; /* of the memory operand, if they are general registers */
  uint16_t used;      /* a bit for each general register that it uses, and for %rsp */
  uint16_t written;   /* for each one that it overwrites as a whole */
  bool is_branch;
  bool uses_stack_pointer;   /* other than as the base of the memory operand */
  bool reads_address;        /* from memory, no more than an address, and does not write it */
  int8_t copy_from, copy_to; /* registers of mov %from, %to of 32 bits */
  const char *refusal;       /* why the memory operand cannot be private, or NULL */
};
