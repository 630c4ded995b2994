/* Private blocks: the private data of the UPC threads.

   The linker lays the private sections out like any others; they are thread 0's data. Every
   other UPC thread has a block: a mapping of the addresses from the first private section to the
   end of the last one, DELTA bytes further on. Instructions that access private data add the
   base of a segment register (runtime/arch), which is DELTA, or 0 in thread 0. A thread inherits
   it from the thread that creates it.

   Initial values (initial.c) are saved before anything of the program or of its libraries runs,
   as that may change thread 0's.

     guard | block 1 | guard | block 2 | guard | …

   Guards are inaccessible: an access past the ends of private data must not reach another
   thread's data. */

#include "runtime/start/block.h"

#include "runtime/arch/arch.h"
#include "runtime/host/host.h"
#include "runtime/start/start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A table of upc-privatize. The word that is WHERE from the entry holds the address of private data. */
struct fixup
{
  int32_t where;
};

extern const struct fixup __start_upc_fixups[] BOUND, __stop_upc_fixups[] BOUND;

/* Words of packed structures have any alignment. */
typedef long __attribute__ ((aligned (1), may_alias)) word;

#define HUGE_PAGE_BYTES (2ul << 20)
#define GUARD_BYTES PAGE_BYTES

/* Written before there are other threads. */
static const struct upcr_private_data *const data = &upcr_private_data;
static bool is_saved; /* false: there was no memory for the initial values */

static struct
{
  char *start; /* of all, guards included; null: there are none */
  size_t bytes;
  long first;    /* DELTA of thread 1 */
  size_t stride; /* from one block to the next */
} blocks;

static size_t
align (size_t bytes, size_t alignment)
{
  return (bytes + alignment - 1) & -alignment;
}

/* Before any constructor: even in a run with one thread, which nobody knows yet. */
RAW static void
save_initial_values (int argc, char **argv, char **envp)
{
  (void) argc, (void) argv, (void) envp;
  upcr_debug_base = upcr_load_bias ();
  is_saved = upcr_find_ranges () && upcr_initial_save ();
}

/* Of a shared library nothing runs before the first of these: what the objects have is for
   upcr_private_construct. */
#ifdef UPCR_LIBRARY
#define FIRST ".init_array.00000"
#else
#define FIRST ".preinit_array"
#endif
static void (*const save_first) (int, char **, char **) __attribute__ ((used, section (FIRST)))
= save_initial_values;

/* ---- The blocks ---- */

static _Noreturn void
refuse (int threads)
{
  upcr_fatal ("cannot start %d threads, with %zu KiB of private data each: %s", threads,
              (size_t) (data->end - data->start) >> 10, strerror (errno));
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
  return mprotect (data->start + delta, data->end - data->start, PROT_READ | PROT_WRITE) == 0
         && upcr_initial_map (delta);
}

/* DELTA is a multiple of what the sections' alignments are, and of a huge page where there is
   one to gain: a few pages of each thread would take 2 MiB. */
static void
map_blocks (int threads)
{
  bool is_huge = data->zero_bytes >= HUGE_PAGE_BYTES;
  size_t alignment = is_huge && data->alignment < HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES
                                                                  : data->alignment;
  size_t count = threads - 1;

  blocks.stride = align (GUARD_BYTES + (data->end - data->start), alignment);
  /* One guard more than blocks, and what aligns the first. */
  blocks.bytes = count * blocks.stride + GUARD_BYTES + alignment;
  blocks.start = upcr_map_room (blocks.bytes);
  if (blocks.start == MAP_FAILED)
    refuse (threads);
  if (!is_huge)
    madvise (blocks.start, blocks.bytes, MADV_NOHUGEPAGE);
  blocks.first = (long) align (blocks.start + GUARD_BYTES - data->start, alignment);
  for (size_t i = 0; i < count; i++)
    if (!open_block (blocks.first + i * blocks.stride))
      refuse (threads);
}

void
upcr_blocks_map (int threads)
{
  unmap_blocks ();
  if (threads > 1 && data->count)
    {
      errno = ENOMEM;
      if (!is_saved)
        refuse (threads);
      map_blocks (threads);
    }
  upcr_initial_close ();
}

RAW static void
fill_block (long delta)
{
  upcr_initial_copy (delta);
  for (const struct fixup *f = __start_upc_fixups; f < __stop_upc_fixups; f++)
    *(word *) ((char *) f + f->where + delta) += delta;
}

/* From the private data of thread 0 to that of thread INDEX. */
RAW static long
delta_of (int index)
{
  return index != UPCR_FIRST_THREAD && data->count
             ? blocks.first + (index - UPCR_FIRST_THREAD - 1) * (long) blocks.stride
             : 0;
}

RAW static void
set_thread_locals (struct upcr_owner owner)
{
  upcr_tls_MYTHREAD = owner.index;
  upcr_debug_base = owner.delta + upcr_load_bias ();
  if (owner.delta)
    upcr_fix_thread_locals (owner.delta);
}

/* Where thread-local variables are in place of the block's, MYTHREAD is in both: objects of C have it
   as data. */
extern int upcr_mythread_of_c;
/* No declaration of MYTHREAD: debuggers would take it for the variable at times, whose block they do not know then. */
__asm__(".set upcr_mythread_of_c, MYTHREAD");

RAW static void
set_mythread (int index, long delta)
{
  MYTHREAD = index;
  if (!UPCR_PRIVATE_IN_BLOCKS)
    *(int *) ((uintptr_t) &upcr_mythread_of_c + delta) = index;
}

RAW void
upcr_block_begin (int index)
{
  long delta = delta_of (index);
  const char *why = NULL;

  /* A process begins with that of thread 0. */
  if (delta)
    {
      fill_block (delta);
      why = upcr_set_private_base (delta);
    }
  if (why)
    upcr_fatal ("cannot set the base of private data of thread %d: %s", index, why);
  set_mythread (index, delta);
  upcr_private_delta = delta;
  set_thread_locals (upcr_block_owner ());
}

RAW struct upcr_owner
upcr_block_owner (void)
{
  return (struct upcr_owner){ MYTHREAD, upcr_private_delta };
}

/* The base is a variable then, which can always be set. */
RAW static void
inherit (struct upcr_owner owner)
{
  upcr_set_private_base (owner.delta);
  MYTHREAD = owner.index;
  upcr_private_delta = owner.delta;
  upcr_has_threads = true;
}

RAW void
upcr_block_begin_posix_thread (struct upcr_owner owner)
{
  if (!UPCR_PRIVATE_IN_BLOCKS)
    inherit (owner);
  set_thread_locals (owner);
}

atomic_bool upcr_any_has_threads;

RAW void
upcr_block_share (void)
{
  upcr_has_threads = true;
  atomic_store_explicit (&upcr_any_has_threads, true, memory_order_relaxed);
}

RAW void
upcr_block_disown (void)
{
  upcr_has_threads = false;
  atomic_store_explicit (&upcr_any_has_threads, false, memory_order_relaxed);
}

/* ---- For who looks through memory ---- */

void
upcr_each_private_range (void (*visit) (void *start, size_t bytes, void *data), void *argument)
{
  long delta = upcr_private_delta;

  if (delta)
    for (size_t i = 0; i < data->count; i++)
      visit (data->ranges[i].start + delta, data->ranges[i].end - data->ranges[i].start, argument);
}

RAW static bool
is_at (const char *at, const uint64_t *value, size_t words)
{
  for (size_t i = 0; i < words; i++)
    if (((const uint64_t *) at)[i] != value[i])
      return false;
  return true;
}

RAW const void *
upcr_private_find (int thread, const void *after, const uint64_t *value, size_t words)
{
  long delta = delta_of (thread);

  for (size_t i = 0; i < data->count; i++)
    {
      const char *at = (const char *) align ((size_t) data->ranges[i].start, sizeof *value);
      if (after && at <= (const char *) after)
        at = (const char *) after + sizeof *value;
      for (; at + words * sizeof *value <= data->ranges[i].end; at += sizeof *value)
        if (is_at (at + delta, value, words))
          return at;
    }
  return NULL;
}

/* The thread whose block ADDRESS is beside. Between two blocks that is the calling thread, if it is
   one of the two: it ran over an end of its own. */
static long
thread_beside (const char *address)
{
  const char *guard = data->start + blocks.first - GUARD_BYTES;
  long stride = blocks.stride;
  long thread = address < guard ? 1 : (address - guard) / stride + 1;
  bool is_in_guard = address - guard - (thread - 1) * stride < (long) GUARD_BYTES;
  bool is_after_own = MYTHREAD > 0 && thread == MYTHREAD + 1 && is_in_guard;

  return is_after_own || thread == THREADS ? thread - 1 : thread;
}

int
upcr_block_describe (const void *address, char *buffer, unsigned long bytes)
{
  const char *at = address;

  if (!blocks.start || at < blocks.start || at >= blocks.start + blocks.bytes)
    return 0;
  snprintf (buffer, bytes, "access outside the private data of thread %ld", thread_beside (at));
  return 1;
}
