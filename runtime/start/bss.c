/* The per-thread bss, and the memory of a thread's private data as a whole. */

#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <link.h>
#include <stdint.h>
#include <stdio.h>

/* A piece of the bss: both ends are offsets from the thread pointer. */
struct piece
{
  int32_t start;
  int32_t end;
};

#define BOUND __attribute__ ((weak, visibility ("hidden")))
extern const struct piece __start_upc_bss_bounds[] BOUND, __stop_upc_bss_bounds[] BOUND;

/* The most that libc has of a thread above the thread pointer, and between its end and
   the end of the stack. */
#define DESCRIPTOR_BYTES (16 << 10)

size_t
upcr_bss_bytes (void)
{
  size_t bytes = 0;

  for (const struct piece *piece = __start_upc_bss_bounds; piece < __stop_upc_bss_bounds; piece++)
    {
      if (piece->start < DESCRIPTOR_BYTES)
        upcr_fatal ("too much thread-local data to have large private data, too");
      if (bytes < (size_t) piece->end)
        bytes = piece->end;
    }
  return (bytes + 4095) & -4096ul;
}

int
upcr_bss_describe (const void *address, char *buffer, unsigned long bytes)
{
  intptr_t offset = (intptr_t) address - (intptr_t) __builtin_thread_pointer ();

  for (const struct piece *piece = __start_upc_bss_bounds; piece < __stop_upc_bss_bounds; piece++)
    if (offset >= piece->start && offset < piece->end)
      {
        snprintf (
            buffer, bytes,
            "access to large private data, which threads created by shared libraries do not have");
        return 1;
      }
  return 0;
}

void __lsan_register_root_region (const void *start, size_t bytes) __attribute__ ((weak));

/* The program is the first of the loaded objects. */
static int
find_program_tls (struct dl_phdr_info *info, size_t size, void *bytes)
{
  (void) size;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_TLS)
      {
        size_t alignment = info->dlpi_phdr[i].p_align ? info->dlpi_phdr[i].p_align : 1;
        *(size_t *) bytes = (info->dlpi_phdr[i].p_memsz + alignment - 1) & -alignment;
      }
  return 1;
}

void
upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *data), void *data)
{
  char *here = __builtin_thread_pointer ();
  size_t bytes = 0;

  dl_iterate_phdr (find_program_tls, &bytes);
  if (bytes)
    visit (here - bytes, bytes, data);
  for (const struct piece *piece = __start_upc_bss_bounds; piece < __stop_upc_bss_bounds; piece++)
    visit (here + piece->start, piece->end - piece->start, data);
}

static void
keep_range (void *start, size_t bytes, void *unused)
{
  (void) unused;
  __lsan_register_root_region (start, bytes);
}

void
upcr_private_keep (void)
{
  if (__lsan_register_root_region)
    upcr_each_private_range (keep_range, NULL);
}
