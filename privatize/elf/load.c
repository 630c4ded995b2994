/* Reads a relocatable object and validates it: afterwards every index, offset and name is within
   its table. */

#include "privatize/elf/elf.h"

#include <string.h>

/* No compiler makes larger alignments; they would only inflate the output. */
#define MAX_ALIGNMENT (1ull << 31)

/* What libm.a and others begin with where they are linker scripts. */
#define SCRIPT "/* GNU ld script"

bool
is_bitcode (const unsigned char *image, size_t size)
{
  return size >= 4 && (!memcmp (image, "BC\xc0\xde", 4) || !memcmp (image, "\xde\xc0\x17\x0b", 4));
}

/* One line that says what the file is instead of an object for this processor. */
static void
check_header (const struct object *object, size_t size)
{
  const unsigned char *image = object->image;

  if (size == 0)
    fail_file (object->path, "the file is empty");
  if (size >= 8 && (!memcmp (image, "!<arch>\n", 8) || !memcmp (image, "!<thin>\n", 8)))
    fail_file (object->path, "an archive; link its members into one object with 'ld -r' first");
  if (is_bitcode (image, size))
    fail_file (object->path, "LLVM bitcode; compile without -flto");
  if (size >= strlen (SCRIPT) && !memcmp (image, SCRIPT, strlen (SCRIPT)))
    fail_file (object->path, "a linker script; name the files that it names");
  if (size < SELFMAG || memcmp (image, ELFMAG, SELFMAG))
    fail_file (object->path, "not an ELF object");
  if (size < EI_NIDENT || image[EI_CLASS] != ELFCLASS64 || image[EI_DATA] != ELFDATA2LSB)
    fail_file (object->path,
               "not a 64-bit little-endian object; only " TARGET_NAME " is supported");
  if (size < sizeof (Elf64_Ehdr))
    fail_file (object->path, "truncated");
}

static const char *
machine_name (unsigned machine)
{
  switch (machine)
    {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "aarch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_PPC64:
      return "PowerPC";
    case EM_S390:
      return "s390x";
    default:
      return arena_format ("another machine (%u)", machine);
    }
}

static void
check_type (const struct object *object)
{
  static const char *const instead[] = { [ET_NONE] = "of no type",
                                         [ET_EXEC] = "an executable",
                                         [ET_DYN] = "a shared library or an executable",
                                         [ET_CORE] = "a core dump" };

  if (object->header.e_machine != TARGET_MACHINE)
    fail_file (object->path, "for %s, not " TARGET_NAME, machine_name (object->header.e_machine));
  if (object->header.e_type != ET_REL)
    fail_file (object->path, "%s, not a relocatable object",
               object->header.e_type <= ET_CORE ? instead[object->header.e_type]
                                                : "of an unknown type");
}

static void
load_section (struct object *object, Elf_Scn *scn, size_t names)
{
  uint32_t index = add_section (object, NULL, SHT_NULL, 0, 0);
  struct section *section = object->sections[index];
  Elf64_Shdr *header = elf64_getshdr (scn);
  Elf_Data *data = NULL;

  if (header && (header->sh_flags & SHF_COMPRESSED))
    {
      if (elf_compress (scn, 0, 0) < 0)
        fail_file (object->path, "section %u: %s", index, elf_errmsg (-1));
      header = elf64_getshdr (scn);
    }
  if (!header)
    fail_file (object->path, "section %u: %s", index, elf_errmsg (-1));
  section->header = *header;
  section->name = elf_strptr (object->elf, names, header->sh_name);
  if (!section->name)
    fail_file (object->path, "section %u has no valid name", index);
  if (header->sh_addralign & (header->sh_addralign - 1) || header->sh_addralign > MAX_ALIGNMENT)
    fail_file (object->path, "section '%s' has invalid alignment %llu", section->name,
               (unsigned long long) header->sh_addralign);
  if (header->sh_type == SHT_NOBITS || header->sh_type == SHT_NULL)
    return;
  /* Raw: sizes that are no multiple of an entry are checked by who reads them. */
  data = elf_rawdata (scn, NULL);
  if (header->sh_size && (!data || !data->d_buf || data->d_size != header->sh_size))
    fail_file (object->path, "section '%s' goes beyond the end of the file", section->name);
  section->data = header->sh_size ? data->d_buf : NULL;
}

static void
load_sections (struct object *object)
{
  size_t count, names;
  uint32_t sections;

  if (elf_getshdrnum (object->elf, &count) < 0 || elf_getshdrstrndx (object->elf, &names) < 0
      || count > UINT32_MAX)
    fail_file (object->path, "no valid section table");
  if (count == 0)
    fail_file (object->path, "no sections");
  for (size_t i = 0; i < count; i++)
    {
      Elf_Scn *scn = elf_getscn (object->elf, i);
      if (!scn)
        fail_file (object->path, "section %zu: %s", i, elf_errmsg (-1));
      load_section (object, scn, names);
    }
  object->input_section_count = count;
  object->shstrtab = names;
  sections = object->section_count;
  if (names == 0 || names >= sections || object->sections[names]->header.sh_type != SHT_STRTAB)
    fail_file (object->path, "no section names");
  for (uint32_t i = 1; i < sections; i++)
    if (object->sections[i]->header.sh_type == SHT_SYMTAB)
      {
        if (object->symtab)
          fail_file (object->path, "two symbol tables");
        object->symtab = i;
      }
  for (uint32_t i = 1; i < sections; i++)
    if (object->sections[i]->header.sh_type == SHT_SYMTAB_SHNDX
        && object->sections[i]->header.sh_link == object->symtab)
      object->symtab_shndx = i;
}

/* A count of whole entries, or the end of the program. */
static size_t
entry_count (const struct object *object, const struct section *section, size_t size)
{
  if (section->header.sh_size % size
      || (section->header.sh_entsize != size && section->header.sh_size))
    fail_file (object->path, "size of section '%s' is not a multiple of %zu", section->name, size);
  return section->header.sh_size / size;
}

static void
load_symbol (struct object *object, size_t i, const Elf64_Sym *elf, const struct section *extended)
{
  uint32_t section = elf->st_shndx, symbol;
  bool special = section >= SHN_LORESERVE;

  if (section == SHN_XINDEX)
    {
      if (!extended || extended->header.sh_size / sizeof section <= i)
        fail_file (object->path, "symbol %zu has no section index", i);
      memcpy (&section, extended->data + i * sizeof section, sizeof section);
      special = false;
    }
  if (!special && section >= object->section_count)
    fail_file (object->path, "symbol %zu: section index %u out of range (%zu sections)", i, section,
               object->section_count);
  if (elf->st_name && elf->st_name >= object->sections[object->strtab]->header.sh_size)
    fail_file (object->path, "symbol %zu has no valid name", i);
  symbol = add_symbol (object, *elf, section);
  object->symbols[symbol].is_special = special;
  if (!special && ELF64_ST_TYPE (elf->st_info) == STT_SECTION && elf->st_value == 0
      && ELF64_ST_BIND (elf->st_info) == STB_LOCAL && !object->sections[section]->symbol)
    object->sections[section]->symbol = symbol;
}

/* An assembler makes none for an empty file. */
static void
add_symbol_table (struct object *object)
{
  uint32_t names = add_section (object, ".strtab", SHT_STRTAB, 0, 1);

  append_bytes (object->sections[names], NULL, 1);
  object->symtab = add_section (object, ".symtab", SHT_SYMTAB, 0, 8);
  object->sections[object->symtab]->header.sh_link = names;
  object->sections[object->symtab]->header.sh_entsize = sizeof (Elf64_Sym);
}

static void
load_symbols (struct object *object)
{
  const struct section *table, *names, *extended = NULL;
  size_t count;

  if (!object->symtab)
    add_symbol_table (object);
  table = object->sections[object->symtab];
  object->strtab = table->header.sh_link;
  if (object->strtab == 0 || object->strtab >= object->section_count)
    fail_file (object->path, "symbol table has no string table");
  names = object->sections[object->strtab];
  if (names->header.sh_type != SHT_STRTAB || !names->header.sh_size
      || names->data[names->header.sh_size - 1] != 0)
    fail_file (object->path, "string table of the symbol table is invalid");
  if (object->symtab_shndx)
    extended = object->sections[object->symtab_shndx];
  count = entry_count (object, table, sizeof (Elf64_Sym));
  object->symbol_capacity = count + 64;
  object->symbols = xcalloc (object->symbol_capacity, sizeof *object->symbols);
  for (size_t i = 0; i < count; i++)
    {
      Elf64_Sym elf;
      memcpy (&elf, table->data + i * sizeof elf, sizeof elf);
      load_symbol (object, i, &elf, extended);
    }
  if (!count)
    add_symbol (object, (Elf64_Sym){ 0 }, 0);
}

static void
load_relocations (struct object *object, uint32_t index)
{
  struct section *table = object->sections[index], *target;
  size_t count = entry_count (object, table, sizeof (Elf64_Rela));

  if (table->header.sh_link != object->symtab || table->header.sh_info == 0
      || table->header.sh_info >= object->section_count)
    fail_file (object->path, "relocation section '%s' has no target", table->name);
  target = object->sections[table->header.sh_info];
  if (target->rela_section)
    fail_file (object->path, "section '%s' has two relocation tables", target->name);
  target->rela_section = index;
  target->rela = xcalloc (count, sizeof (Elf64_Rela));
  target->rela_count = target->rela_capacity = count;
  if (count)
    memcpy (target->rela, table->data, count * sizeof (Elf64_Rela));
  for (size_t i = 0; i < count; i++)
    {
      const Elf64_Rela *rela = &target->rela[i];
      unsigned width = type_of (rela)->bytes;
      if (ELF64_R_SYM (rela->r_info) >= object->symbol_count)
        fail_file (object->path, "section '%s': relocation %zu has no symbol", table->name, i);
      if ((!target->data && type_of (rela)->kind != RELOC_NONE)
          || rela->r_offset > target->header.sh_size
          || width > target->header.sh_size - rela->r_offset)
        fail_file (object->path, "section '%s': relocation %zu is outside of its section",
                   table->name, i);
    }
}

/* An object of `gcc -flto` holds the compiler's intermediate code. A slim one, which has a
   certain symbol, holds nothing else. A fat one also holds machine code, which counts here:
   the intermediate code is dropped, or the compiler would link that instead. */
static void
drop_lto (struct object *object)
{
  for (size_t i = 1; i < object->symbol_count; i++)
    if (strcmp (symbol_name (object, &object->symbols[i]), "__gnu_lto_slim") == 0)
      fail_file (object->path, "an object for link-time optimisation; compile without -flto");
  for (size_t i = 1; i < object->section_count; i++)
    if (starts_with (object->sections[i]->name, ".gnu.lto_"))
      {
        object->sections[i]->header = (Elf64_Shdr){ .sh_type = SHT_NULL };
        object->sections[i]->name = "";
        object->sections[i]->data = NULL;
      }
}

static void
check_groups (const struct object *object)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (section->header.sh_type == SHT_GROUP
          && (section->header.sh_link != object->symtab
              || section->header.sh_info >= object->symbol_count))
        fail_file (object->path, "section '%s' has no signature", section->name);
    }
}

void
load_object (struct object *object, unsigned char *image, size_t size)
{
  const char *path = object->path;

  object->image = image;
  check_header (object, size);
  memcpy (&object->header, object->image, sizeof object->header);
  check_type (object);
  if (object->header.e_shoff % sizeof (Elf64_Xword))
    fail_file (path, "section table is not aligned");
  elf_version (EV_CURRENT);
  object->elf = elf_memory ((char *) object->image, size);
  if (!object->elf || elf_kind (object->elf) != ELF_K_ELF || !elf64_getehdr (object->elf))
    fail_file (path, "%s", elf_errmsg (-1));
  load_sections (object);
  load_symbols (object);
  drop_lto (object);
  check_groups (object);
  for (uint32_t i = 1, n = object->section_count; i < n; i++)
    if (object->sections[i]->header.sh_type == SHT_RELA)
      load_relocations (object, i);
    else if (object->sections[i]->header.sh_type == SHT_REL && object->sections[i]->header.sh_size)
      fail_file (path, "section '%s' has relocations without addends", object->sections[i]->name);
}
