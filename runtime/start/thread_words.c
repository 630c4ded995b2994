/* Addresses of private data in thread-local variables. The table of upc-privatize says where they are:
   from the thread pointer, or in a shared library from the start of its thread-local variables; on
   processors whose linkers cannot say that, where the initial values are, from the entry. gold takes
   for that where they are from the first of them. */

#include "runtime/arch/arch.h"
#include "runtime/start/block.h"

#include <link.h>
#include <stdint.h>

extern const int32_t __start_upc_tls_fixups[] BOUND, __stop_upc_tls_fixups[] BOUND;

typedef long __attribute__ ((aligned (1), may_alias)) word;

#if UPCR_TLS_FIXUPS_OF_IMAGE
/* How far into the thread-local variables of the module at BASE the one of entry F is. */
RAW static uintptr_t
offset_of (const int32_t *f, uintptr_t base, const ElfW (Phdr) * tls)
{
  uintptr_t place = (uintptr_t) f + *f - base;

  return place - tls->p_vaddr < tls->p_memsz ? place - tls->p_vaddr : place;
}

/* Whether the table is one of the program or library that INFO is of: then so are the variables. */
RAW static int
fix_module (struct dl_phdr_info *info, size_t size, void *argument)
{
  const ElfW (Phdr) *tls = NULL;
  const long delta = *(long *) argument;
  bool is_here = false;

  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      uintptr_t start = info->dlpi_addr + header->p_vaddr;
      if (header->p_type == PT_TLS)
        tls = header;
      else if (header->p_type == PT_LOAD)
        is_here |= (uintptr_t) __start_upc_tls_fixups - start < header->p_memsz;
    }
  if (!is_here || !tls)
    return 0;
  for (const int32_t *f = __start_upc_tls_fixups; f < __stop_upc_tls_fixups; f++)
    *(word *) ((char *) info->dlpi_tls_data + offset_of (f, info->dlpi_addr, tls)) += delta;
  return 1;
}

RAW void
upcr_fix_thread_locals (long delta)
{
  if (&__start_upc_tls_fixups[0] < &__stop_upc_tls_fixups[0])
    dl_iterate_phdr (fix_module, &delta);
}
#else
#ifdef UPCR_LIBRARY
extern __thread char tls_start[] __asm__("_TLS_MODULE_BASE_")
    __attribute__ ((visibility ("hidden")));
#else
#define tls_start ((char *) __builtin_thread_pointer ())
#endif

RAW void
upcr_fix_thread_locals (long delta)
{
  for (const int32_t *f = __start_upc_tls_fixups; f < __stop_upc_tls_fixups; f++)
    *(word *) (tls_start + *f) += delta;
}
#endif
