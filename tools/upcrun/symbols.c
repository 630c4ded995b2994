/* A running program's memory, by the names of its symbols. */

#include "tools/upcrun/top.h"

#include "tools/common/common.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

bool
read_memory (pid_t process, uint64_t from, void *to, size_t size)
{
  struct iovec here = { to, size }, there = { (void *) (uintptr_t) from, size };

  return process_vm_readv (process, &here, 1, &there, 1, 0) == (ssize_t) size;
}

/* Is PART of the image's SIZE bytes? */
static bool
is_within (size_t size, uint64_t offset, uint64_t part)
{
  return offset <= size && part <= size - offset;
}

/* The value of the symbol WANTED in TABLE, whose names are in NAMES, or 0. */
static uint64_t
find_in_table (const unsigned char *image, size_t size, const Elf64_Shdr *table,
               const Elf64_Shdr *names, const char *wanted)
{
  size_t length = strlen (wanted) + 1;

  if (!is_within (size, table->sh_offset, table->sh_size)
      || !is_within (size, names->sh_offset, names->sh_size))
    return 0;
  for (size_t at = 0; at + sizeof (Elf64_Sym) <= table->sh_size; at += sizeof (Elf64_Sym))
    {
      Elf64_Sym symbol;

      memcpy (&symbol, image + table->sh_offset + at, sizeof symbol);
      if (is_within (names->sh_size, symbol.st_name, length)
          && memcmp (image + names->sh_offset + symbol.st_name, wanted, length) == 0)
        return symbol.st_value;
    }
  return 0;
}

/* The same in all tables. IS_RELATIVE: the program may be loaded anywhere. */
static uint64_t
find_symbol (const unsigned char *image, size_t size, const char *wanted, bool *is_relative)
{
  Elf64_Ehdr header;
  Elf64_Shdr table, names;
  uint64_t found = 0;

  if (size < sizeof header || memcmp (image, ELFMAG, SELFMAG) != 0)
    return 0;
  memcpy (&header, image, sizeof header);
  *is_relative = header.e_type == ET_DYN;
  if (!is_within (size, header.e_shoff, (uint64_t) header.e_shnum * sizeof table))
    return 0;
  for (unsigned i = 0; i < header.e_shnum && !found; i++)
    {
      memcpy (&table, image + header.e_shoff + i * sizeof table, sizeof table);
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= header.e_shnum)
        continue;
      memcpy (&names, image + header.e_shoff + table.sh_link * sizeof names, sizeof names);
      found = find_in_table (image, size, &table, &names, wanted);
    }
  return found;
}

/* What symbols of a position-independent program are relative to. The kernel tells where its program headers
   are, which linkers put behind the file's header. */
static uint64_t
load_address (pid_t process)
{
  union
  {
    char text[1024];
    Elf64_auxv_t vector[1024 / sizeof (Elf64_auxv_t)];
  } auxiliary;
  size_t size = read_file (arena_format ("/proc/%d/auxv", (int) process), auxiliary.text,
                           sizeof auxiliary.text);

  for (size_t i = 0; i < size / sizeof auxiliary.vector[0]; i++)
    if (auxiliary.vector[i].a_type == AT_PHDR)
      return auxiliary.vector[i].a_un.a_val - sizeof (Elf64_Ehdr);
  return 0;
}

uint64_t
locate_symbol (pid_t process, const char *name)
{
  int file = open (arena_format ("/proc/%d/exe", (int) process), O_RDONLY | O_CLOEXEC);
  uint64_t address = 0;
  bool is_relative = false;
  struct stat status;
  void *image;

  if (file < 0)
    return 0;
  if (fstat (file, &status) == 0 && status.st_size > 0)
    {
      image = mmap (NULL, (size_t) status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
      if (image != MAP_FAILED)
        {
          address = find_symbol (image, (size_t) status.st_size, name, &is_relative);
          munmap (image, (size_t) status.st_size);
        }
    }
  close (file);
  return address && is_relative ? address + load_address (process) : address;
}
