/* Builds the tables of the object again, and writes it. */

#include "privatize/elf/elf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef SHT_LLVM_ADDRSIG
#define SHT_LLVM_ADDRSIG 0x6fff4c03
#endif

enum
{
  MAX_FILE_ALIGNMENT = 64
};

static bool
is_local (const struct symbol *symbol)
{
  return ELF64_ST_BIND (symbol->elf.st_info) == STB_LOCAL;
}

/* Sorts the symbols, locals first; returns the new index of each old one. */
static uint32_t *
order_symbols (struct object *object, size_t *locals)
{
  size_t n = object->symbol_count, next = 0;
  uint32_t *position = xcalloc (n, sizeof *position);
  struct symbol *sorted = xcalloc (n, sizeof *sorted);

  for (size_t i = 0; i < n; i++)
    if (i == 0 || is_local (&object->symbols[i]))
      position[i] = next++;
  *locals = next;
  for (size_t i = 1; i < n; i++)
    if (!is_local (&object->symbols[i]))
      position[i] = next++;
  for (size_t i = 0; i < n; i++)
    sorted[position[i]] = object->symbols[i];
  free (object->symbols);
  object->symbols = sorted;
  object->symbol_capacity = n;
  return position;
}

static uint32_t
append_name (struct section *table, const char *name)
{
  uint64_t at = append_bytes (table, name, strlen (name) + 1);

  return at;
}

/* Group signatures and relocations refer to symbols by number. What else does
   only helps linkers to optimise, and is emptied. */
static void
renumber_symbols (struct object *object, const uint32_t *position)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      struct section *section = object->sections[i];
      if (section->header.sh_type == SHT_GROUP)
        section->header.sh_info = position[section->header.sh_info];
      else if (section->header.sh_link == object->symtab
               && (section->header.sh_type & 0xffffff00) == (SHT_LLVM_ADDRSIG & 0xffffff00))
        section->header.sh_size = 0;
      for (size_t j = 0; j < section->rela_count; j++)
        {
          Elf64_Rela *rela = &section->rela[j];
          rela->r_info = ELF64_R_INFO ((uint64_t) position[ELF64_R_SYM (rela->r_info)],
                                       ELF64_R_TYPE (rela->r_info));
        }
    }
}

/* The table of section indices for symbols whose field is too small. */
static struct section *
extended_indices (struct object *object)
{
  struct section *section;

  if (!object->symtab_shndx && object->section_count >= SHN_LORESERVE)
    {
      object->symtab_shndx = add_section (object, ".symtab_shndx", SHT_SYMTAB_SHNDX, 0, 4);
      object->sections[object->symtab_shndx]->header.sh_link = object->symtab;
      object->sections[object->symtab_shndx]->header.sh_entsize = sizeof (uint32_t);
    }
  if (!object->symtab_shndx)
    return NULL;
  section = object->sections[object->symtab_shndx];
  section->header.sh_size = 0;
  return section;
}

static void
build_symbol_table (struct object *object, size_t locals)
{
  struct section *table = object->sections[object->symtab];
  struct section *names = object->sections[object->strtab];
  struct section *extended = extended_indices (object);

  table->header.sh_size = 0;
  table->header.sh_info = locals;
  for (size_t i = 0; i < object->symbol_count; i++)
    {
      struct symbol *symbol = &object->symbols[i];
      uint32_t index = 0;
      if (symbol->new_name)
        symbol->elf.st_name = append_name (names, symbol->new_name);
      if (!symbol->is_special)
        {
          bool fits = symbol->section < SHN_LORESERVE;
          symbol->elf.st_shndx = fits ? symbol->section : SHN_XINDEX;
          index = fits ? 0 : symbol->section;
        }
      append_bytes (table, &symbol->elf, sizeof symbol->elf);
      if (extended)
        append_bytes (extended, &index, sizeof index);
    }
}

/* New members of section groups: what was added for a section in a group. A group that was
   added itself lists its section. */
static void
extend_groups (struct object *object, size_t old_count)
{
  uint32_t *group = xcalloc (object->section_count, sizeof *group);

  for (size_t i = 1; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      if (section->header.sh_type != SHT_GROUP || !section->data)
        continue;
      for (uint64_t at = 4; at + 4 <= section->header.sh_size; at += 4)
        {
          uint32_t member;
          memcpy (&member, section->data + at, sizeof member);
          if (member < object->section_count)
            group[member] = i;
        }
    }
  for (size_t i = old_count; i < object->section_count; i++)
    {
      const struct section *section = object->sections[i];
      uint32_t owner = section->header.sh_type == SHT_RELA ? section->header.sh_info
                                                           : section->owner;
      if (group[i])
        continue;
      group[i] = group[owner];
      if (group[i])
        append_bytes (object->sections[group[i]], &(uint32_t){ i }, sizeof (uint32_t));
    }
  free (group);
}

void
rebuild_object_relocations (struct object *object)
{
  for (size_t i = 1; i < object->section_count; i++)
    {
      struct section *target = object->sections[i], *table;
      if (!target->rela_section)
        continue;
      table = object->sections[target->rela_section];
      table->data = (unsigned char *) target->rela;
      table->header.sh_size = target->rela_count * sizeof (Elf64_Rela);
    }
}

static void
build_section_names (struct object *object)
{
  for (size_t i = 1; i < object->section_count; i++)
    if (object->sections[i]->new_name)
      object->sections[i]->header.sh_name = append_name (object->sections[object->shstrtab],
                                                         object->sections[i]->new_name);
}

static void
put_section (Elf *elf, const struct section *section, uint64_t *offset)
{
  Elf_Scn *scn = elf_newscn (elf);
  Elf_Data *data = scn ? elf_newdata (scn) : NULL;
  Elf64_Shdr *header = scn ? elf64_getshdr (scn) : NULL;
  uint64_t alignment = section->header.sh_addralign;

  if (!data || !header)
    return;
  *header = section->header;
  if (alignment == 0 || section->header.sh_type == SHT_NOBITS)
    alignment = 1;
  /* In the file alignment is of no meaning, and a large one only makes holes. */
  if (alignment > MAX_FILE_ALIGNMENT)
    alignment = MAX_FILE_ALIGNMENT;
  *offset = (*offset + alignment - 1) & -alignment;
  header->sh_offset = *offset;
  data->d_buf = section->data;
  data->d_size = header->sh_size;
  data->d_align = alignment;
  data->d_type = ELF_T_BYTE;
  data->d_version = EV_CURRENT;
  if (section->header.sh_type != SHT_NOBITS)
    *offset += header->sh_size;
}

bool
write_object (const struct object *object, int fd)
{
  Elf *elf = elf_begin (fd, ELF_C_WRITE, NULL);
  Elf64_Ehdr *header = elf ? elf64_newehdr (elf) : NULL;
  uint64_t offset = sizeof (Elf64_Ehdr);
  bool is_written;

  if (!header)
    fail_file (object->path, "%s", elf_errmsg (-1));
  *header = object->header;
  header->e_phoff = header->e_phnum = header->e_phentsize = 0;
  elf_flagelf (elf, ELF_C_SET, ELF_F_LAYOUT);
  for (size_t i = 1; i < object->section_count; i++)
    put_section (elf, object->sections[i], &offset);
  header->e_shoff = (offset + 7) & -8;
  header->e_shstrndx = object->shstrtab;
  if (object->shstrtab >= SHN_LORESERVE)
    {
      Elf_Scn *zero = elf_getscn (elf, 0);
      header->e_shstrndx = SHN_XINDEX;
      elf64_getshdr (zero)->sh_link = object->shstrtab;
    }
  is_written = elf_update (elf, ELF_C_WRITE) >= 0;
  elf_end (elf);
  return is_written;
}

/* Symbols and sections get the numbers and names that they have in the file. */
void
finalize_object (struct object *object)
{
  size_t locals;
  uint32_t *position = order_symbols (object, &locals);

  renumber_symbols (object, position);
  free (position);
  extend_groups (object, object->input_section_count);
  build_symbol_table (object, locals);
  build_section_names (object);
}

unsigned char *
object_image (const struct object *object, size_t *size)
{
  int fd = memfd_create ("object", MFD_CLOEXEC), error;
  unsigned char *image = NULL;
  off_t end;
  bool is_read = false;

  if (fd >= 0 && write_object (object, fd) && (end = lseek (fd, 0, SEEK_END)) >= 0)
    {
      image = xcalloc (end, 1);
      *size = end;
      is_read = pread (fd, image, end, 0) == end;
    }
  error = errno;
  close (fd);
  if (!is_read)
    fail_file (object->path, "%s", strerror (error));
  return image;
}
