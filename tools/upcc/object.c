/* A look at each input before the linker sees it, so that what is wrong with a
   file is said in one line that names it. */

#include "tools/upcc/upcc.h"

#include <gelf.h>
#include <string.h>

static const char *
machine_name (const GElf_Ehdr *header)
{
  static const struct
  {
    int number;
    const char *name;
  } machines[] = {
    { EM_386, "i386" },        { EM_ARM, "arm" },
    { EM_AARCH64, "aarch64" }, { EM_RISCV, "riscv" },
    { EM_PPC, "ppc" },         { EM_PPC64, "ppc64" },
    { EM_S390, "s390" },       { EM_MIPS, "mips" },
    { EM_SPARCV9, "sparc64" }, { EM_LOONGARCH, "loongarch" },
  };

  if (header->e_machine == EM_X86_64)
    return header->e_ident[EI_CLASS] == ELFCLASS64 ? "x86-64" : "x32";

  for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
    if (machines[i].number == header->e_machine)
      return machines[i].name;
  return arena_format ("machine %d", header->e_machine);
}

static bool
has_magic (const struct image *image, const char *magic, size_t length)
{
  return image->size >= length && memcmp (image->bytes, magic, length) == 0;
}

/* Opens the image as ELF for this machine and reads its header. */
static Elf *
open_elf (const struct image *image, GElf_Ehdr *header)
{
  Elf *elf;

  if (!image->size)
    fail ("%s: file is empty", image->name);
  if (has_magic (image, "BC\xc0\xde", 4))
    fail ("%s: compiled with -flto; compile it without", image->name);
  if (!has_magic (image, ELFMAG, SELFMAG))
    fail ("%s: file format not recognized", image->name);
  elf_version (EV_CURRENT);
  elf = elf_memory (image->bytes, image->size);
  if (!elf || !gelf_getehdr (elf, header))
    fail ("%s: truncated", image->name);
  if (header->e_machine != target_machine () || header->e_ident[EI_CLASS] != ELFCLASS64)
    {
      elf_end (elf);
      fail ("%s: an object for %s, not %s", image->name, machine_name (header),
            target_processor ());
    }
  return elf;
}

/* upcc -shared and -fupc-plugin leave a note. */
static bool
is_opened_by_programs (Elf *elf)
{
  Elf_Scn *section = NULL;
  GElf_Shdr shdr;
  size_t names;

  if (elf_getshdrstrndx (elf, &names) < 0)
    return false;
  while ((section = elf_nextscn (elf, section)))
    {
      const char *name = gelf_getshdr (section, &shdr) ? elf_strptr (elf, names, shdr.sh_name)
                                                       : NULL;

      if (name && strcmp (name, ".note.upct") == 0)
        return true;
    }
  return false;
}

bool
is_shared_library (const struct image *image)
{
  GElf_Ehdr header;
  Elf *elf = open_elf (image, &header);
  bool is_shared = header.e_type == ET_DYN, is_opened = is_shared && is_opened_by_programs (elf);

  elf_end (elf);
  if (is_opened)
    fail ("%s: made by upcc -shared or -fupc-plugin, to be opened at run time; link its objects",
          image->name);
  return is_shared;
}

bool
is_object (const struct image *image)
{
  return image->size >= sizeof (Elf64_Ehdr) && has_magic (image, ELFMAG, SELFMAG)
         && ((const Elf64_Ehdr *) image->bytes)->e_type == ET_REL;
}

static void
check_bounds (const struct image *image, const GElf_Ehdr *header, Elf *elf)
{
  size_t count = header->e_shnum ? header->e_shnum : header->e_shoff != 0;
  Elf_Scn *section = NULL;
  GElf_Shdr shdr;

  if (header->e_shoff > image->size
      || count > (image->size - header->e_shoff) / sizeof (Elf64_Shdr))
    fail ("%s: truncated", image->name);
  while ((section = elf_nextscn (elf, section)))
    if (!gelf_getshdr (section, &shdr)
        || (shdr.sh_type != SHT_NOBITS
            && (shdr.sh_offset > image->size || shdr.sh_size > image->size - shdr.sh_offset)))
      fail ("%s: truncated", image->name);
}

static void
visit_symbols (const struct image *image, Elf *elf, Elf_Scn *section, const GElf_Shdr *shdr,
               struct mains *mains)
{
  bool is_upc = has_program_info (elf);
  Elf_Data *data = elf_getdata (section, NULL);
  GElf_Sym symbol;

  for (int i = 0; data && gelf_getsym (data, i, &symbol); i++)
    {
      const char *name = elf_strptr (elf, shdr->sh_link, symbol.st_name);

      mains->has_races |= name && strncmp (name, "__upc_race_", strlen ("__upc_race_")) == 0;
      if (name && symbol.st_shndx == SHN_UNDEF && is_upc)
        collect_reference (name, image->name);
      if (name && symbol.st_shndx == SHN_UNDEF)
        collect_undefined (name, image->name);
      if (!name || GELF_ST_BIND (symbol.st_info) == STB_LOCAL)
        continue;
      if (!is_upc)
        collect_c_name (name, image->name);
      if (symbol.st_shndx == SHN_UNDEF)
        continue;
      /* Nothing but what the compiler reads; with code besides, that is linked. */
      if (strcmp (name, "__gnu_lto_slim") == 0)
        fail ("%s: compiled with -flto; compile it without", image->name);
      mains->upc_main |= strcmp (name, "upc_main") == 0;
      mains->c_main |= strcmp (name, "main") == 0;
      collect_definition (elf, name, &symbol, image->name);
    }
}

static void
check_sections (const struct image *image, Elf *elf, struct mains *mains)
{
  size_t names;
  Elf_Scn *section = NULL;
  GElf_Shdr shdr;

  if (elf_getshdrstrndx (elf, &names) < 0)
    fail ("%s: truncated", image->name);
  while ((section = elf_nextscn (elf, section)))
    {
      const char *name = gelf_getshdr (section, &shdr) ? elf_strptr (elf, names, shdr.sh_name)
                                                       : NULL;

      if (name && strcmp (name, ".go.buildinfo") == 0)
        fail (
            "%s: compiled by Go, whose runtime exists once in a process; link it as a shared library",
            image->name);
      if (shdr.sh_type == SHT_SYMTAB)
        visit_symbols (image, elf, section, &shdr, mains);
    }
}

void
check_object (const struct image *image, struct mains *mains)
{
  GElf_Ehdr header;
  Elf *elf = open_elf (image, &header);

  if (header.e_type != ET_REL)
    fail ("%s: a %s, not an object", image->name,
          header.e_type == ET_DYN ? "shared library" : "program");
  check_bounds (image, &header, elf);
  check_sections (image, elf, mains);
  collect_program_info (elf, image->name);
  collect_declarations (elf, image->name);
  elf_end (elf);
}
