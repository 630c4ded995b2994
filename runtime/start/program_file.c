/* Which pages of memory are still as in the program's file: pages that nobody has written. The
   loader, for example, puts addresses into data. The kernel knows. */

#include "runtime/host/host.h"
#include "runtime/start/block.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

extern const Elf64_Ehdr __ehdr_start __attribute__ ((visibility ("hidden")));

RAW long
upcr_load_bias (void)
{
  return __ehdr_start.e_type == ET_DYN ? (long) &__ehdr_start : 0;
}

/* The one that ADDRESS is in; an empty one where there is none. */
RAW static struct upcr_segment
find_segment (const char *address)
{
  const Elf64_Phdr *header = (const void *) ((const char *) &__ehdr_start + __ehdr_start.e_phoff);

  for (int i = 0; i < __ehdr_start.e_phnum; i++)
    {
      const char *start = (const char *) (header[i].p_vaddr + upcr_load_bias ());
      struct upcr_segment segment = { start, start + header[i].p_filesz,
                                      (off_t) header[i].p_offset };

      if (header[i].p_type == PT_LOAD && address >= start && address < segment.end)
        return segment;
    }
  return (struct upcr_segment){ 0 };
}

/* Started by way of the loader, the process has the loader for its program. */
RAW static bool
is_program (int file)
{
  const char *header = (const char *) &__ehdr_start;
  size_t bytes = __ehdr_start.e_phoff + __ehdr_start.e_phnum * sizeof (Elf64_Phdr);
  char read[PAGE_BYTES];

  if (bytes > sizeof read || pread (file, read, bytes, 0) != (ssize_t) bytes)
    return false;
  for (size_t i = 0; i < bytes; i++)
    if (read[i] != header[i])
      return false;
  return true;
}

/* An entry of /proc/self/pagemap: whether the page is in memory or swapped out, and whether it
   is a file's, as a private one is until it is written. */
#define IN_MEMORY (1ul << 63)
#define SWAPPED_OUT (1ul << 62)
#define OF_FILE (1ul << 61)

RAW static bool
is_kernel_page_written (struct upcr_program_file *program, const char *page)
{
  const size_t entry_bytes = sizeof program->entries[0], page_bytes = getauxval (AT_PAGESZ);
  size_t index = (page - program->first) / page_bytes;
  uint64_t entry;

  if (!program->first || page < program->first || index >= sizeof program->entries / entry_bytes)
    {
      off_t at = (off_t) ((uintptr_t) page / page_bytes * entry_bytes);

      if (pread (program->page_map, program->entries, sizeof program->entries, at)
          != sizeof program->entries)
        return true;
      program->first = page;
      index = 0;
    }
  entry = program->entries[index];
  return entry & SWAPPED_OUT || (entry & IN_MEMORY && !(entry & OF_FILE));
}

/* The kernel's pages may be smaller than PAGE_BYTES. */
RAW static bool
is_written (struct upcr_program_file *program, const char *page)
{
  for (const char *at = page; at < page + PAGE_BYTES; at += getauxval (AT_PAGESZ))
    if (is_kernel_page_written (program, at))
      return true;
  return false;
}

/* Where the map is of other addresses, as under an emulator, it does not have this one. */
RAW static bool
is_of_this_memory (struct upcr_program_file *program)
{
  return is_written (program, page_of ((char *) program));
}

RAW bool
upcr_program_open (struct upcr_program_file *program)
{
  program->first = NULL;
  program->page_map = open ("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  program->file = open (upcr_own_file (), O_RDONLY | O_CLOEXEC);
  if (program->page_map >= 0 && is_of_this_memory (program) && is_program (program->file))
    return true;
  upcr_program_close (program);
  return false;
}

RAW void
upcr_program_close (struct upcr_program_file *program)
{
  if (program->page_map >= 0)
    close (program->page_map);
  if (program->file >= 0)
    close (program->file);
  program->page_map = program->file = -1;
}

RAW void
upcr_program_seek (struct upcr_program_file *program, const char *address)
{
  program->segment = find_segment (address);
}

RAW bool
upcr_program_has (struct upcr_program_file *program, const char *page)
{
  return page + PAGE_BYTES <= program->segment.end && !is_written (program, page);
}

RAW off_t
upcr_program_offset (const struct upcr_program_file *program, const char *page)
{
  return program->segment.offset + (page - program->segment.start);
}
