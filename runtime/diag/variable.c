/* Names of variables, from the symbol table in the program's file. */

#include "runtime/diag/diag.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW (Ehdr) file_header;
typedef ElfW (Shdr) section_header;
typedef ElfW (Sym) elf_symbol;

extern const file_header __ehdr_start __attribute__ ((visibility ("hidden")));

/* The file's bytes. */
struct image
{
  const char *bytes; /* NULL: cannot be read */
  size_t size;
};

static struct image
map_program (void)
{
  struct image image = { 0 };
  struct stat status;
  int fd = open (upcr_own_file (), O_RDONLY | O_CLOEXEC);
  void *bytes;

  if (fd < 0)
    return image;
  if (fstat (fd, &status) == 0 && status.st_size > (off_t) sizeof (file_header))
    {
      bytes = mmap (NULL, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (bytes != MAP_FAILED)
        image = (struct image){ bytes, status.st_size };
    }
  close (fd);
  return image;
}

static bool
is_inside (const struct image *image, uint64_t offset, uint64_t bytes)
{
  return offset <= image->size && bytes <= image->size - offset;
}

/* The section headers of the symbol table and of its strings. */
static bool
find_symbol_table (const struct image *image, const section_header **table,
                   const section_header **strings)
{
  const file_header *header = (const void *) image->bytes;
  const section_header *sections = (const void *) (image->bytes + header->e_shoff);

  if (!is_inside (image, header->e_shoff, (uint64_t) header->e_shnum * sizeof *sections))
    return false;
  for (int i = 0; i < header->e_shnum; i++)
    if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
      {
        *table = &sections[i];
        *strings = &sections[sections[i].sh_link];
        return is_inside (image, (*table)->sh_offset, (*table)->sh_size)
               && is_inside (image, (*strings)->sh_offset, (*strings)->sh_size)
               && (*strings)->sh_size > 0
               && image->bytes[(*strings)->sh_offset + (*strings)->sh_size - 1] == 0;
      }
  return false;
}

/* Without what compilers add to the names of static variables in functions. */
static void
take_name (struct upcr_variable *variable, const char *name)
{
  snprintf (variable->name, sizeof variable->name, "%.*s", (int) strcspn (name, "."), name);
}

static bool
find_in (const struct image *image, uint64_t address, struct upcr_variable *variable)
{
  const section_header *table, *strings;
  const elf_symbol *symbols;

  if (!find_symbol_table (image, &table, &strings))
    return false;
  symbols = (const void *) (image->bytes + table->sh_offset);
  for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++)
    {
      const elf_symbol *symbol = &symbols[i];
      if (ELF64_ST_TYPE (symbol->st_info) != STT_OBJECT || symbol->st_shndx == SHN_UNDEF
          || address - symbol->st_value >= symbol->st_size || symbol->st_name >= strings->sh_size)
        continue;
      take_name (variable, image->bytes + strings->sh_offset + symbol->st_name);
      variable->offset = address - symbol->st_value;
      variable->bytes = symbol->st_size;
      return true;
    }
  return false;
}

bool
upcr_find_variable (const void *address, struct upcr_variable *variable)
{
  uintptr_t base = __ehdr_start.e_type == ET_DYN ? (uintptr_t) &__ehdr_start : 0;
  struct image image = map_program ();
  bool is_found;

  if (!image.bytes)
    return false;
  is_found = find_in (&image, (uintptr_t) address - base, variable);
  munmap ((void *) image.bytes, image.size);
  return is_found;
}
