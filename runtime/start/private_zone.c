#include "runtime/start/private_zone.h"

#include "runtime/start/start.h"

#include <link.h>
#include <stdint.h>

/* Both ends of a part of the zone are distances from the thread pointer. */
struct part
{
  int32_t start;
  int32_t end;
};

#define BOUND __attribute__ ((weak, visibility ("hidden")))
extern const struct part __start_upc_zones[] BOUND, __stop_upc_zones[] BOUND;

/* The most that libc has of a thread above the thread pointer, and between its end and
   the end of the stack. */
#define DESCRIPTOR_BYTES (16 << 10)

size_t
upcr_private_zone_bytes (void)
{
  size_t bytes = 0;

  for (const struct part *part = __start_upc_zones; part < __stop_upc_zones; part++)
    {
      if (part->start < DESCRIPTOR_BYTES)
        upcr_fatal ("linked with too much thread-local data for large private data beside it");
      if (bytes < (size_t) part->end)
        bytes = part->end;
    }
  return (bytes + 4095) & -4096ul;
}

int
upcr_private_zone_has (const void *address)
{
  intptr_t distance = (intptr_t) address - (intptr_t) __builtin_thread_pointer ();

  for (const struct part *part = __start_upc_zones; part < __stop_upc_zones; part++)
    if (distance >= part->start && distance < part->end)
      return 1;
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
  for (const struct part *part = __start_upc_zones; part < __stop_upc_zones; part++)
    visit (here + part->start, part->end - part->start, data);
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
