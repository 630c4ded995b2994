/* Room for the private blocks. The kernel chooses addresses from high ones to low ones: below what the
   loader maps, such as a shared library, or a position-independent program that the loader is told to
   start. On processors that take no negative base (arch.h), the blocks have to be above that. */

#include "runtime/start/block.h"

#include "runtime/host/host.h"

#include <sys/mman.h>
#include <sys/resource.h>

/* What the stack of the initial thread may grow by where nothing bounds it. */
#define UNBOUNDED_STACK_BYTES (1ul << 30)

struct search
{
  uintptr_t begin; /* of a gap between two mappings, or of what is above all private data */
  size_t bytes, stack_bytes;
  char *room; /* null: none yet */
};

static bool
try_gap (const struct upcr_mapping *next, void *data)
{
  struct search *s = data;

  /* The stack is what grows, downwards, into the last gap. */
  if (next->begin > s->begin && next->begin - s->begin > s->bytes + s->stack_bytes
      && upcr_reserve_at ((char *) s->begin, s->bytes))
    s->room = (char *) s->begin;
  if (next->end > s->begin)
    s->begin = next->end;
  return !s->room;
}

static char *
find_above (size_t bytes)
{
  struct search search = { (uintptr_t) upcr_private_data.end, bytes, UNBOUNDED_STACK_BYTES, NULL };
  struct rlimit stack;

  if (getrlimit (RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < UNBOUNDED_STACK_BYTES)
    search.stack_bytes = stack.rlim_cur;
  upcr_each_mapping (try_gap, &search);
  return search.room;
}

char *
upcr_map_room (size_t bytes)
{
  char *room = mmap (NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  char *above;

  if (room == MAP_FAILED || room > upcr_private_data.start || upcr_takes_negative_base ())
    return room;
  above = find_above (bytes);
  if (!above)
    return room;
  munmap (room, bytes);
  return above;
}
