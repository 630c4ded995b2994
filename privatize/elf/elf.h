/* A relocatable object in memory, between load_object and write_object. Sections
   keep their index for life; new ones are appended. Symbols keep their index
   until write_object sorts them, locals first. */

#ifndef PRIVATIZE_ELF_ELF_H
#define PRIVATIZE_ELF_ELF_H

#include "privatize/arch/arch.h"
#include "tools/common/common.h"

#include <elf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What becomes of a section's memory when threads share one process. */
enum kind
{
  KIND_OTHER,      /* not in memory at run time: debug info, tables of the linker */
  KIND_TEXT,       /* instructions: rewritten, never moved */
  KIND_READONLY,   /* process-wide as long as it points to nothing private */
  KIND_PROCESS,    /* shared by all threads, whatever it holds */
  KIND_SHARED,     /* upc_shared: only its size matters */
  KIND_INIT_ARRAY, /* constructors */
  KIND_FINI_ARRAY, /* destructors */
  KIND_TLS,        /* thread-local already */
  KIND_PRIVATE     /* each UPC thread has its copy */
};

struct section
{
  Elf64_Shdr header;
  const char *name;
  const char *new_name; /* NULL when the name stays */
  unsigned char *data;  /* NULL for SHT_NOBITS; header.sh_size bytes */
  size_t capacity;      /* allocated bytes of a section that grows, else 0 */
  enum kind kind;
  uint32_t symbol;                 /* its STT_SECTION symbol, 0 when it has none */
  uint32_t tls_symbol;             /* one of STT_TLS at its start, where it was asked for, or 0 */
  uint32_t owner;                  /* the section that this one was added for, or 0 */
  struct unwind_entry *unwind_map; /* of thunks, by AT; those of one function follow each other */
  size_t unwind_count, unwind_capacity;
  bool is_alone;         /* in a group that this tool has made for it */
  bool is_stepped;       /* thunks of text with line numbers that cannot be described */
  bool is_described;     /* thunks that get line numbers of their own */
  uint32_t rela_section; /* the SHT_RELA section of the entries below, or 0 */
  Elf64_Rela *rela;
  size_t rela_count;
  size_t rela_capacity;
};

struct symbol
{
  Elf64_Sym elf;
  uint32_t section; /* index; SHN_UNDEF, SHN_ABS and so on only if is_special */
  bool is_special;  /* elf.st_shndx holds a reserved index */
  bool is_private;  /* its address is another one in each thread */
  const char *new_name;
};

struct object
{
  const char *path;
  unsigned char *image;
  Elf *elf;
  Elf64_Ehdr header;
  struct section **sections;
  size_t section_count;
  size_t section_capacity;
  size_t input_section_count;
  struct symbol *symbols;
  size_t symbol_count;
  size_t symbol_capacity;
  uint32_t symtab, strtab, shstrtab, symtab_shndx;
  const char *member; /* its name in an archive, or NULL */
  bool is_separate;   /* of a program whose other objects are rewritten apart */
  bool is_runtime;    /* of the runtime itself, which calls libc */
  bool is_shared;     /* for a shared library */
  bool is_fixed;      /* for a program whose addresses are constants */
  bool is_collected;  /* the linker will drop sections that nothing refers to */
  struct              /* data/words.c */
  {
    struct hash_table *table;
    uint64_t
        *list; /* by the number in the table: the word's offset, a section of words, a symbol */
    size_t capacity;
    bool is_room_known;
    size_t room; /* for more of them */
  } words;
  bool wants_report;
  FILE *map;                         /* of private data, or NULL */
  size_t site_count, in_place_count; /* instructions rewritten */
  unsigned error_count;
};

/* report.c: counts an error, so that one run shows everything that stands in the way. */
void report_error (struct object *object, const struct section *section, uint64_t offset,
                   const char *format, ...) __attribute__ ((format (printf, 4, 5)));

/* object.c: additions. */
uint32_t add_section (struct object *object, const char *name, Elf64_Word type, Elf64_Xword flags,
                      Elf64_Xword alignment);
uint32_t add_symbol (struct object *object, Elf64_Sym elf, uint32_t section);
uint32_t section_symbol (struct object *object, uint32_t section);
/* Whether SYMBOL is one by which an assembler says what follows it: MARK, or MARK and a dot.
   MARK is NULL where there are none. */
bool is_mark (const char *symbol, const char *mark);
/* Says that SECTION, which was added, begins with instructions. */
void mark_code (struct object *object, uint32_t section);
uint64_t append_bytes (struct section *section, const void *bytes, size_t count);
/* A table for the runtime, which is in the group of section OWNER if the linker may
   drop that. */
uint32_t add_table (struct object *object, const char *name, Elf64_Xword flags,
                    Elf64_Xword alignment, uint32_t owner);
bool leaves_with_group (const struct section *section);
void append_rela (struct object *object, uint32_t section, Elf64_Rela rela);
void sort_relas (struct section *section);
size_t find_relocation (const struct section *section, uint64_t offset);
const Elf64_Rela *relocation_at (const struct section *section, uint64_t offset);
void drop_empty_relas (struct section *section);
const char *symbol_name (const struct object *object, const struct symbol *symbol);

/* load.c: OBJECT has its path; IMAGE of SIZE bytes is used on. */
void load_object (struct object *object, unsigned char *image, size_t size);
bool is_bitcode (const unsigned char *image, size_t size);

/* write.c: the last phases. Afterwards nothing can be added. */
void finalize_object (struct object *object);
void rebuild_object_relocations (struct object *object);
/* Returns false, with errno, when FD cannot be written. */
bool write_object (const struct object *object, int fd);
/* The same in memory that the caller frees. */
unsigned char *object_image (const struct object *object, size_t *size);

/* describe.c: what a relocation refers to, as its programmer calls it. */
const char *describe_target (const struct object *object, const Elf64_Rela *rela, int64_t addend);
const char *relocation_name (const Elf64_Rela *rela);
/* For --report and --map: a line for each private symbol. */
void print_private_symbols (const struct object *object, FILE *to);

/* True when RELA needs the address of something private in a form that has no
   thread in it. */
static inline bool
wants_private_address (const struct object *object, const Elf64_Rela *rela)
{
  return object->symbols[ELF64_R_SYM (rela->r_info)].is_private && makes_address (rela);
}

/* A tentative definition: its value is its alignment. */
static inline bool
is_common (const struct symbol *symbol)
{
  return symbol->is_special
         && (symbol->elf.st_shndx == SHN_COMMON || symbol->elf.st_shndx == TARGET_LARGE_COMMON);
}

static inline bool
is_defined (const struct symbol *symbol)
{
  return !symbol->is_special && symbol->section != SHN_UNDEF;
}

static inline bool
is_global (const struct symbol *symbol)
{
  return ELF64_ST_BIND (symbol->elf.st_info) != STB_LOCAL;
}

static inline bool
is_undefined (const struct symbol *symbol)
{
  return !symbol->is_special && symbol->section == SHN_UNDEF;
}

#endif
