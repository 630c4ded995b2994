/* Private blocks: the private data of the UPC threads.

   The linker lays the private sections out like any others, and what stands there is thread
   0's. Every other UPC thread has a block: a mapping of the addresses from the first private
   section to the end of the last one, DELTA bytes further on. Instructions that access private
   data add the base of a segment register (runtime/arch), which is DELTA, 0 in thread 0; a
   thread has it from the one that makes it.

   Initial values are saved before anything of the program or of its libraries runs, as those
   may change thread 0's. Small ones are copied when a thread begins. Large ones lie in a file
   in memory, which blocks map, so that they appear when they are touched, as zeros do.

     guard | block 1 | guard | block 2 | guard | …

   Guards have no access: what runs over the ends of private data must not find another
   thread's. */

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Tables of upc-privatize. A section of private data. */
struct section
{
  char *start;
  uint64_t bytes;
  uint32_t is_zero;
  uint32_t alignment;
};

/* The word at WHERE holds the address of private data: a private word, WHERE from the entry, or
   one of a thread-local variable, WHERE from the thread pointer. */
struct fixup
{
  int32_t where;
};

#define BOUND __attribute__ ((weak, visibility ("hidden")))
extern const struct section __start_upc_private[] BOUND, __stop_upc_private[] BOUND;
extern const struct fixup __start_upc_fixups[] BOUND, __stop_upc_fixups[] BOUND;
extern const struct fixup __start_upc_tls_fixups[] BOUND, __stop_upc_tls_fixups[] BOUND;

/* Words of packed structures have any alignment. */
typedef long __attribute__ ((aligned (1), may_alias)) word;

#define PAGE_BYTES 4096ul
#define HUGE_PAGE_BYTES (2ul << 20)
#define GUARD_BYTES PAGE_BYTES

/* Initial values from here on are mapped. Measured in microseconds of a thread: 16 KiB are copied
   in 7, 64 KiB in 27, 1 MiB in 570; mapped in 4, with 3 more for the first page written; where all
   pages are written, mapping takes 1.3 to 2.8 times as long as copying. */
#define LARGE_BYTES (32ul << 10)

/* Sections that are next to each other, all zero or none. */
struct range
{
  char *start, *end;
  bool is_zero;
  bool is_mapped;    /* its initial values are in the file, */
  off_t offset;      /* here; else */
  const char *image; /* there */
};

/* Written before there are other threads. */
static struct
{
  struct range *ranges; /* in the order of addresses */
  size_t count;
  char *start, *end; /* all of them, in whole pages */
  size_t alignment;  /* the greatest of a section, a page at least */
  size_t zero_bytes;
  bool is_saved; /* false: there was no memory for the initial values */
  int file;      /* of the large ones, until the blocks are mapped; -1: none */
} data = { .file = -1 };

static struct
{
  char *start; /* of all, guards included; null: there are none */
  size_t bytes;
  long first;    /* DELTA of thread 1 */
  size_t stride; /* from one block to the next */
} blocks;

static char *
page_of (const char *address)
{
  return (char *) ((uintptr_t) address & -PAGE_BYTES);
}

static char *
page_after (const char *address)
{
  return page_of (address + PAGE_BYTES - 1);
}

static size_t
align (size_t bytes, size_t alignment)
{
  return (bytes + alignment - 1) & -alignment;
}

/* What runs before libc's initialisation and a sanitizer's is not instrumented, nor what reads
   the memory around variables, nor what writes private ones: gcc's ThreadSanitizer does not
   know that they are not where the linker has put them. */
#define RAW __attribute__ ((no_sanitize ("address", "thread", "undefined")))

/* ---- The ranges ---- */

RAW static void
sift_down (struct range *heap, size_t at, size_t count)
{
  struct range moved = heap[at];

  for (size_t child; (child = 2 * at + 1) < count; at = child)
    {
      if (child + 1 < count && heap[child + 1].start > heap[child].start)
        child++;
      if (heap[child].start <= moved.start)
        break;
      heap[at] = heap[child];
    }
  heap[at] = moved;
}

/* In place, for there is no malloc yet. */
RAW static void
sort (struct range *ranges, size_t count)
{
  for (size_t at = count / 2; at-- > 0;)
    sift_down (ranges, at, count);
  while (count > 1)
    {
      struct range last = ranges[0];

      ranges[0] = ranges[--count];
      ranges[count] = last;
      sift_down (ranges, 0, count);
    }
}

/* Joins what is less than a page apart: what stands between is nobody's in a block. */
RAW static size_t
join (struct range *ranges, size_t count)
{
  size_t last = 0;

  for (size_t i = 1; i < count; i++)
    if (ranges[i].is_zero == ranges[last].is_zero
        && ranges[i].start < ranges[last].end + PAGE_BYTES)
      {
        if (ranges[last].end < ranges[i].end)
          ranges[last].end = ranges[i].end;
      }
    else
      ranges[++last] = ranges[i];
  return count ? last + 1 : 0;
}

RAW static void *
map_memory (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  return memory == MAP_FAILED ? NULL : memory;
}

/* False: there is no memory for them. */
RAW static bool
find_ranges (void)
{
  size_t count = 0;

  data.alignment = PAGE_BYTES;
  data.ranges = map_memory ((__stop_upc_private - __start_upc_private + 1) * sizeof *data.ranges);
  if (!data.ranges)
    return false;
  for (const struct section *s = __start_upc_private; s < __stop_upc_private; s++)
    if (s->bytes)
      {
        data.ranges[count++] = (struct range){ .start = s->start,
                                               .end = s->start + s->bytes,
                                               .is_zero = s->is_zero };
        if (data.alignment < s->alignment)
          data.alignment = s->alignment;
        if (s->is_zero)
          data.zero_bytes += s->bytes;
      }
  sort (data.ranges, count);
  data.count = join (data.ranges, count);
  return true;
}

/* ---- Their initial values ---- */

RAW static size_t
bytes_of (const struct range *range)
{
  return range->end - range->start;
}

RAW static size_t
page_bytes_of (const struct range *range)
{
  return page_after (range->end) - page_of (range->start);
}

RAW static bool
is_large (const struct range *range)
{
  return !range->is_zero && bytes_of (range) >= LARGE_BYTES;
}

/* A file for so many bytes; -1: none. One that is larger than the process may make would end
   it. */
RAW static int
open_file (size_t bytes)
{
  struct rlimit limit;

  if (!bytes || getrlimit (RLIMIT_FSIZE, &limit) || bytes > limit.rlim_cur)
    return -1;
  return memfd_create ("private data", MFD_CLOEXEC);
}

/* In whole pages. What else is in the first and the last one is saved with it, and as good
   there: nothing has run yet. */
RAW static bool
write_pages (const struct range *range, int file, off_t offset)
{
  const char *at = page_of (range->start), *end = page_after (range->end);

  while (at < end)
    {
      ssize_t n = pwrite (file, at, end - at, offset);

      if (n <= 0)
        return false;
      at += n;
      offset += n;
    }
  return true;
}

/* Where no file is to be had, all is copied. */
RAW static void
save_large (void)
{
  size_t bytes = 0;
  off_t offset = 0;

  for (size_t i = 0; i < data.count; i++)
    bytes += is_large (&data.ranges[i]) ? page_bytes_of (&data.ranges[i]) : 0;
  data.file = open_file (bytes);
  for (size_t i = 0; i < data.count && data.file >= 0; i++)
    {
      struct range *range = &data.ranges[i];

      if (!is_large (range) || !write_pages (range, data.file, offset))
        continue;
      range->is_mapped = true;
      range->offset = offset;
      offset += page_bytes_of (range);
    }
}

RAW static bool
is_copied (const struct range *range)
{
  return !range->is_zero && !range->is_mapped;
}

RAW static bool
save_small (void)
{
  size_t bytes = 0;
  char *image;

  for (size_t i = 0; i < data.count; i++)
    bytes += is_copied (&data.ranges[i]) ? bytes_of (&data.ranges[i]) : 0;
  if (!bytes)
    return true;
  image = map_memory (bytes);
  if (!image)
    return false;
  for (size_t i = 0; i < data.count; i++)
    if (is_copied (&data.ranges[i]))
      {
        data.ranges[i].image = image;
        upcr_string_copy (image, data.ranges[i].start, bytes_of (&data.ranges[i]));
        image += bytes_of (&data.ranges[i]);
      }
  return true;
}

/* How far from where it was linked the program is loaded: debuggers add it (see
   upcr_debug_base). */
extern const Elf64_Ehdr __ehdr_start __attribute__ ((visibility ("hidden")));

RAW static long
load_bias (void)
{
  return __ehdr_start.e_type == ET_DYN ? (long) &__ehdr_start : 0;
}

/* Before any constructor. A run with one thread needs none of this, but nobody knows yet. */
RAW static void
save_initial_values (int argc, char **argv, char **envp)
{
  (void) argc, (void) argv, (void) envp;
  upcr_debug_base = load_bias ();
  if (!find_ranges ())
    return;
  save_large ();
  data.is_saved = save_small ();
  if (data.count)
    {
      data.start = page_of (data.ranges[0].start);
      data.end = page_after (data.ranges[data.count - 1].end);
    }
}

static void (*const save_first) (int, char **, char **)
    __attribute__ ((used, section (".preinit_array")))
    = save_initial_values;

/* ---- The blocks ---- */

static _Noreturn void
refuse (int threads)
{
  upcr_fatal ("cannot start %d threads, with %zu KiB of private data each: %s", threads,
              (size_t) (data.end - data.start) >> 10, strerror (errno));
}

static void
unmap_blocks (void)
{
  if (blocks.start)
    munmap (blocks.start, blocks.bytes);
  blocks.start = NULL;
}

/* Opens the block that is DELTA from the program's private data. */
static bool
open_block (long delta)
{
  if (mprotect (data.start + delta, data.end - data.start, PROT_READ | PROT_WRITE))
    return false;
  for (size_t i = 0; i < data.count; i++)
    {
      const struct range *range = &data.ranges[i];

      if (range->is_mapped
          && mmap (page_of (range->start) + delta, page_bytes_of (range), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, data.file, range->offset)
                 == MAP_FAILED)
        return false;
    }
  return true;
}

/* DELTA is a multiple of what the sections' alignments are, and of a huge page where there is
   one to gain: a few pages of each thread would take 2 MiB. */
static void
map_blocks (int threads)
{
  bool is_huge = data.zero_bytes >= HUGE_PAGE_BYTES;
  size_t alignment = is_huge && data.alignment < HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : data.alignment;
  size_t count = threads - 1;

  blocks.stride = align (GUARD_BYTES + (data.end - data.start), alignment);
  /* One guard more than blocks, and what aligns the first. */
  blocks.bytes = count * blocks.stride + GUARD_BYTES + alignment;
  blocks.start = mmap (NULL, blocks.bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                       -1, 0);
  if (blocks.start == MAP_FAILED)
    refuse (threads);
  if (!is_huge)
    madvise (blocks.start, blocks.bytes, MADV_NOHUGEPAGE);
  blocks.first = (long) align (blocks.start + GUARD_BYTES - data.start, alignment);
  for (size_t i = 0; i < count; i++)
    if (!open_block (blocks.first + i * blocks.stride))
      refuse (threads);
}

void
upcr_blocks_map (int threads)
{
  unmap_blocks ();
  if (threads > 1 && data.count)
    {
      errno = ENOMEM;
      if (!data.is_saved)
        refuse (threads);
      map_blocks (threads);
    }
  /* The program's files have the numbers that they have in a process. */
  if (data.file >= 0)
    close (data.file);
  data.file = -1;
}

RAW static void
fill_block (long delta)
{
  for (size_t i = 0; i < data.count; i++)
    if (is_copied (&data.ranges[i]))
      upcr_string_copy (data.ranges[i].start + delta, data.ranges[i].image,
                        bytes_of (&data.ranges[i]));
  for (const struct fixup *f = __start_upc_fixups; f < __stop_upc_fixups; f++)
    *(word *) ((char *) f + f->where + delta) += delta;
}

RAW void
upcr_block_begin (int index)
{
  long delta = index && data.count ? blocks.first + (index - 1) * (long) blocks.stride : 0;

  if (delta)
    fill_block (delta);
  if (!upcr_set_private_base (delta))
    upcr_fatal ("cannot set the base of private data of thread %d: %s", index, strerror (errno));
  MYTHREAD = index;
  upcr_private_delta = delta;
  upcr_block_begin_posix_thread ();
}

RAW void
upcr_block_begin_posix_thread (void)
{
  char *here = __builtin_thread_pointer ();
  long delta = upcr_private_delta;

  upcr_tls_MYTHREAD = MYTHREAD;
  upcr_debug_base = delta + load_bias ();
  if (delta)
    for (const struct fixup *f = __start_upc_tls_fixups; f < __stop_upc_tls_fixups; f++)
      *(word *) (here + f->where) += delta;
}

RAW void
upcr_block_share (void)
{
  upcr_has_threads = true;
}

/* ---- For who looks through memory ---- */

void
upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *data), void *argument)
{
  long delta = upcr_private_delta;

  if (delta)
    for (size_t i = 0; i < data.count; i++)
      visit (data.ranges[i].start + delta, bytes_of (&data.ranges[i]), argument);
}

int
upcr_block_describe (const void *address, char *buffer, unsigned long bytes)
{
  const char *at = address, *block;

  if (!blocks.start || at < blocks.start || at >= blocks.start + blocks.bytes)
    return 0;
  block = data.start + blocks.first - GUARD_BYTES;
  snprintf (buffer, bytes, "access outside the private data of thread %ld",
            at < block ? 1 : (at - block) / (long) blocks.stride + 1);
  return 1;
}
