/* The per-thread bss. What is in .tbss, glibc clears for each new thread: it touches every
   page. So when there is much of it, the zero data leaves the thread-local segment for
   memory above the thread pointer, which the runtime maps for each thread: pages that
   nobody touches cost nothing.

   The bss has a fixed offset from a section of the segment, and its symbols are
   symbols of that section, beyond its end: linkers and debuggers need not know more.
   Table upc_bss_bounds tells the runtime where it begins and ends, from the thread pointer. */

#include "privatize/data/bss.h"
#include "privatize/data/data.h"
#include "privatize/data/names.h"

#include <stdio.h>
#include <stdlib.h>

enum
{
  PAGE_BYTES = 4096,
  /* Clearing less than this takes no longer than giving thread 0 a stack with a bss:
     64 page faults. */
  LEAST_BYTES = 256 << 10,
  /* Above the thread pointer, for libc's descriptor of the thread. */
  DESCRIPTOR_BYTES = 64 << 10,
  /* For the thread-local data of what is linked in besides. The runtime checks. */
  OTHER_BYTES = 1 << 20
};

/* Local-exec reaches 2 GiB to either side of the thread pointer. */
#define MOST_BYTES 0x7fffffffull

/* Members of groups stay: another object may bring the group that is linked. */
static bool
is_zero_data (const struct section *section)
{
  return section->kind == KIND_PRIVATE && section->header.sh_type == SHT_NOBITS
         && !(section->header.sh_flags & SHF_GROUP) && section->header.sh_size;
}

static uint64_t
add_up (uint64_t a, uint64_t b)
{
  uint64_t sum;

  return __builtin_add_overflow (a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t
align_up (uint64_t at, uint64_t alignment)
{
  return alignment > 1 ? add_up (at, alignment - 1) & -alignment : at;
}

static uint64_t
bss_alignment (const struct object *object)
{
  uint64_t alignment = PAGE_BYTES;

  for (size_t i = 1; i < object->section_count; i++)
    if (is_zero_data (object->sections[i]) && object->sections[i]->header.sh_addralign > alignment)
      alignment = object->sections[i]->header.sh_addralign;
  return alignment;
}

/* Lays out the zero data of OBJECT from AT on; returns where it ends. OFFSETS, if it is not
   NULL, gets the offset of each section. */
static uint64_t
lay_out (const struct object *object, uint64_t at, uint64_t *offsets)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (!is_zero_data (section))
        continue;
      at = align_up (at, section->header.sh_addralign);
      if (offsets)
        offsets[i] = at;
      at = add_up (at, section->header.sh_size);
    }
  return at;
}

struct large
{
  uint64_t bytes;
  const char *name;
};

static int
compare_sizes (const void *a, const void *b)
{
  const struct large *x = a, *y = b;

  return x->bytes < y->bytes ? 1 : -(x->bytes > y->bytes);
}

/* Lists the largest symbols, one per line. */
static _Noreturn void
refuse_size (const struct object *objects, size_t count, uint64_t total)
{
  enum
  {
    SHOWN = 10,
    LINE_BYTES = 160
  };
  struct large *largest = NULL;
  char text[SHOWN * LINE_BYTES] = "";
  size_t found = 0, capacity = 0, length = 0;

  for (size_t o = 0; o < count; o++)
    for (size_t i = 1; i < objects[o].symbol_count; i++)
      {
        const struct symbol *symbol = &objects[o].symbols[i];
        if (!symbol->is_private || !is_defined (symbol) || !symbol->elf.st_size)
          continue;
        largest = grow_array (largest, found + 1, &capacity, sizeof *largest);
        largest[found++] = (struct large){ symbol->elf.st_size, symbol_name (&objects[o], symbol) };
      }
  if (found)
    qsort (largest, found, sizeof *largest, compare_sizes);
  for (size_t i = 0; i < found && i < SHOWN; i++)
    length += snprintf (text + length, sizeof text - length, "\n%14llu %.100s",
                        (unsigned long long) largest[i].bytes, largest[i].name);
  fail_file (objects->path,
             "%llu bytes of private data exceed the limit of %llu bytes per thread%s%s",
             (unsigned long long) total, MOST_BYTES, found ? "; the largest symbols:" : "", text);
}

/* The threads that libc makes would have no bss, nor those of shared libraries if the
   runtime does not know them: what is above their stacks belongs to somebody else. A
   program that has such threads has no bss at all. */
static bool
has_foreign_threads (const struct object *object, bool knows_threads)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    if (object->symbols[i].section == SHN_UNDEF && !object->symbols[i].is_special)
      {
        const char *name = symbol_name (object, &object->symbols[i]);
        if (makes_notifiers (name) || (!knows_threads && makes_threads (name)))
          return true;
      }
  return false;
}

/* Decides whether the zero data of OBJECTS, one program, leaves the segment, and where to. */
void
plan_bss (struct object *objects, size_t count, bool knows_threads)
{
  uint64_t zeros = 0, rest = 0, at;
  bool stays = false;

  for (size_t o = 0; o < count; o++)
    for (size_t i = 1; i < objects[o].section_count; i++)
      {
        const struct section *section = objects[o].sections[i];
        if (is_zero_data (section))
          zeros = add_up (zeros, section->header.sh_size);
        else if (section->kind == KIND_PRIVATE || section->kind == KIND_TLS)
          rest = add_up (rest, section->header.sh_size);
      }
  for (size_t o = 0; o < count; o++)
    stays = stays || has_foreign_threads (&objects[o], knows_threads);
  if (rest > MOST_BYTES || (stays && add_up (zeros, rest) > MOST_BYTES))
    refuse_size (objects, count, add_up (zeros, rest));
  if (zeros < LEAST_BYTES || stays)
    return;
  /* From the lowest address that the section can have in the segment. */
  at = DESCRIPTOR_BYTES + OTHER_BYTES + rest;
  for (size_t o = 0; o < count; o++)
    {
      at = align_up (at, bss_alignment (&objects[o]));
      objects[o].bss = at;
      at = lay_out (&objects[o], at, NULL);
    }
  if (at > MOST_BYTES)
    refuse_size (objects, count, add_up (zeros, rest));
}

/* The symbol that the bss begins with. */
static uint32_t
add_bss_symbol (struct object *object, uint64_t bytes)
{
  uint32_t section = add_section (object, ".tdata.upc_bss", SHT_PROGBITS,
                                  SHF_ALLOC | SHF_WRITE | SHF_TLS, bss_alignment (object));
  Elf64_Sym elf = { .st_info = ELF64_ST_INFO (STB_LOCAL, STT_TLS),
                    .st_value = object->bss,
                    .st_size = bytes };
  uint32_t symbol = add_symbol (object, elf, section);

  object->sections[section]->kind = KIND_TLS;
  /* A linker would not keep the alignment of an empty section. */
  append_bytes (object->sections[section], NULL, 1);
  object->symbols[symbol].new_name = "upc_bss";
  return symbol;
}

static void
add_bounds (struct object *object, uint32_t symbol, uint64_t bytes)
{
  uint32_t table = add_section (object, "upc_bss_bounds", SHT_PROGBITS, SHF_ALLOC,
                                sizeof (int32_t));

  object->sections[table]->kind = KIND_PROCESS;
  for (unsigned i = 0; i < 2; i++)
    append_rela (
        object, table,
        (Elf64_Rela){ .r_offset = append_bytes (object->sections[table], NULL, sizeof (int32_t)),
                      .r_info = ELF64_R_INFO ((uint64_t) symbol, TARGET_RELOC_TPOFF32),
                      .r_addend = i ? bytes : 0 });
}

/* Relocations against the section symbols of zero data. */
static void
redirect (struct object *object, uint32_t bss, const uint64_t *offsets)
{
  for (size_t i = 1; i < object->section_count; i++)
    for (size_t j = 0; j < object->sections[i]->rela_count; j++)
      {
        Elf64_Rela *rela = &object->sections[i]->rela[j];
        const struct symbol *symbol = &object->symbols[ELF64_R_SYM (rela->r_info)];
        if (!is_defined (symbol) || !offsets[symbol->section]
            || ELF64_ST_TYPE (symbol->elf.st_info) != STT_SECTION)
          continue;
        rela->r_addend += offsets[symbol->section] + symbol->elf.st_value - object->bss;
        rela->r_info = ELF64_R_INFO ((uint64_t) bss, ELF64_R_TYPE (rela->r_info));
      }
}

/* Moves the zero data to where plan_bss wants it. */
void
move_to_bss (struct object *object)
{
  size_t old_count = object->symbol_count, sections = object->section_count;
  uint64_t *offsets, bytes;
  uint32_t bss;

  if (!object->bss)
    return;
  /* One section is added before the relocations are looked at. */
  offsets = xcalloc (sections + 1, sizeof *offsets);
  bytes = lay_out (object, object->bss, offsets) - object->bss;
  if (bytes)
    {
      bss = add_bss_symbol (object, bytes);
      redirect (object, bss, offsets);
      for (size_t i = 1; i < old_count; i++)
        {
          struct symbol *symbol = &object->symbols[i];
          uint64_t offset = is_defined (symbol) ? offsets[symbol->section] : 0;
          if (!offset || ELF64_ST_TYPE (symbol->elf.st_info) == STT_SECTION)
            continue;
          symbol->elf.st_value += offset;
          symbol->section = object->symbols[bss].section;
        }
      for (size_t i = 1; i < sections; i++)
        if (offsets[i])
          {
            object->sections[i]->header.sh_size = 0;
            object->sections[i]->kind = KIND_PROCESS;
          }
      add_bounds (object, bss, bytes);
    }
  free (offsets);
}
