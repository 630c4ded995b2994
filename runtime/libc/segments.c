/* The loaded objects, for garbage collectors and others that look for the program's variables in
   their writable segments. After the objects come those of the calling thread's private block. */

#include "runtime/libc/libc.h"

#include "runtime/start/start.h"

struct visit
{
  int (*visit) (struct dl_phdr_info *info, size_t size, void *data);
  void *data;
  int result; /* what is not 0 ends it */
};

static void
visit_range (void *start, size_t bytes, void *data)
{
  struct visit *visit = data;
  ElfW (Phdr) segment = { .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_memsz = bytes };
  struct dl_phdr_info info = { .dlpi_addr = (ElfW (Addr)) start,
                               .dlpi_name = "[private data]",
                               .dlpi_phdr = &segment,
                               .dlpi_phnum = 1 };

  if (!visit->result)
    visit->result = visit->visit (&info, sizeof info, visit->data);
}

int
upcr_dl_iterate_phdr (int (*visit) (struct dl_phdr_info *info, size_t size, void *data), void *data)
{
  struct visit ranges = { visit, data, dl_iterate_phdr (visit, data) };

  if (!ranges.result)
    upcr_each_private_range (visit_range, &ranges);
  return ranges.result;
}
