/* The last accesses to granules of shared memory, in a table of fixed size: who comes to a place
   where another granule is takes it, which loses a race at most. A place has a few slots, an access
   each, of different threads or kinds.

   A slot is two words:

     what   site, 48 bits | bytes of the granule, 8 bits | how, 8 bits
     when   time, 48 bits | thread, 16 bits; 0: the slot is empty

   field    written by             read by                 order
   busy     who is at the place    the same                acquire, release
   granule  who is at the place    the same, who forgets   relaxed: who told of the granule did so
                                                           before the memory was freed
   others   who is at the place    the same                by busy

   A signal handler may come while its thread is at a place: it is told of nothing. */

#include "runtime/race/race.h"

#include "runtime/shared/shared.h"

#include <sched.h>
#include <time.h>

enum
{
  PLACES = 1 << 20,
  SLOTS = 3,
  QUICK_LOOKS = 100,
  MOST_LOOKS = 20000
};

/* A program that refers to it has a checked heap, which knows blocks by where they are allocated
   (runtime/abi/checked_heap.c). */
static const char *const wants_checked_heap __attribute__ ((used)) = &upcr_has_checks;

struct slot
{
  uint64_t what, when;
};

static struct place
{
  _Alignas(64) _Atomic uint64_t granule;
  _Atomic uint32_t busy;
  uint32_t turn; /* which slot goes next, where none is better */
  struct slot slots[SLOTS];
} places[PLACES];

/* What the calling thread does. */
struct access
{
  struct slot as;
  const uint64_t *since; /* NULL: it is at one time */
  const void *site;
  uint32_t thread;
  int how;
};

static uint32_t
thread_of (const struct slot *slot)
{
  return slot->when >> 48;
}

static uint64_t
time_of (const struct slot *slot)
{
  return slot->when & ((1ul << 48) - 1);
}

static unsigned
bytes_of (const struct slot *slot)
{
  return slot->what >> 48 & 0xff;
}

static int
how_of (const struct slot *slot)
{
  return slot->what >> 56;
}

/* Those that are looked at of neighbouring granules have neighbouring places; elements at one offset
   of all partitions lie apart. */
static struct place *
place_of (uint64_t granule)
{
  uint64_t number = granule >> __builtin_popcountl (__upc_race_sample.__mask);

  return &places[(number + (granule >> 20) * 0x9e3779b1) % PLACES];
}

/* False where it takes seconds: a child of fork() may wait for a thread that it does not have. */
static bool
enter (struct place *place)
{
  const struct timespec pause = { .tv_nsec = 50000 };
  uint32_t nobody = 0;

  for (int looks = 0; looks < MOST_LOOKS; looks++, nobody = 0)
    {
      if (atomic_compare_exchange_weak_explicit (&place->busy, &nobody, 1, memory_order_acquire,
                                                 memory_order_relaxed))
        return true;
      /* Who is there may have lost its CPU. */
      if (looks < QUICK_LOOKS)
        sched_yield ();
      else
        nanosleep (&pause, NULL);
    }
  return false;
}

static void
leave (struct place *place)
{
  atomic_store_explicit (&place->busy, 0, memory_order_release);
}

/* Is what the slot has before A, all of it? */
static bool
is_before (const struct slot *slot, const struct access *a)
{
  return a->since ? a->since[thread_of (slot)] >= time_of (slot)
                  : upcr_race_is_behind (thread_of (slot), time_of (slot));
}

static bool
is_race (const struct slot *slot, const struct access *a)
{
  int how = how_of (slot);

  return slot->when && thread_of (slot) != a->thread && bytes_of (slot) & bytes_of (&a->as)
         && (how | a->how) & UPCR_RACE_WRITE
         && !(how & a->how & (UPCR_RACE_COLLECTIVE | UPCR_RACE_ATOMIC)) && !is_before (slot, a);
}

/* Does A say all that the slot says, and later? Whatever comes behind A then comes behind both. */
static bool
is_covered (const struct slot *slot, const struct access *a)
{
  int lost = how_of (slot) & ~a->how & UPCR_RACE_WRITE;
  int won = a->how & ~how_of (slot) & (UPCR_RACE_COLLECTIVE | UPCR_RACE_ATOMIC);

  return thread_of (slot) == a->thread && !(bytes_of (slot) & ~bytes_of (&a->as)) && !lost && !won;
}

static struct slot *
slot_for (struct place *place, const struct access *a)
{
  struct slot *best = NULL;

  for (struct slot *s = place->slots; s < place->slots + SLOTS; s++)
    if (!s->when || is_covered (s, a))
      return s;
    else if (thread_of (s) != a->thread && upcr_race_is_behind (thread_of (s), time_of (s)))
      best = s;
  return best ? best : &place->slots[place->turn++ % SLOTS];
}

static bool
is_known (const struct place *place, const struct access *a)
{
  for (const struct slot *s = place->slots; s < place->slots + SLOTS; s++)
    if (s->what == a->as.what && s->when == a->as.when)
      return true;
  return false;
}

static struct slot
look_in (struct place *place, uint64_t granule, const struct access *a)
{
  struct slot other = { 0 };

  if (atomic_load_explicit (&place->granule, memory_order_relaxed) != granule)
    {
      atomic_store_explicit (&place->granule, granule, memory_order_relaxed);
      __builtin_memset (place->slots, 0, sizeof place->slots);
    }
  if (is_known (place, a))
    return other;
  for (const struct slot *s = place->slots; s < place->slots + SLOTS; s++)
    if (is_race (s, a))
      other = *s;
  *slot_for (place, a) = a->as;
  return other;
}

static void
report (uint64_t granule, const struct slot *other, const struct access *a)
{
  unsigned bytes = bytes_of (other) & bytes_of (&a->as);
  struct upcr_race_side now = { a->thread, a->how, a->site };
  struct upcr_race_side before = { thread_of (other), how_of (other),
                                   (const void *) (other->what & ((1ul << 48) - 1)) };

  upcr_race_report ((const char *) (granule * __UPC_GRANULE) + __builtin_ctz (bytes), &now,
                    &before);
}

/* The BYTES of GRANULE, as bits, are accessed. */
static void
look (uint64_t granule, unsigned bytes, struct access *a)
{
  struct place *place = place_of (granule);
  struct slot other;

  upcr_race_count ();
  a->as.what = (uint64_t) a->site | (uint64_t) bytes << 48 | (uint64_t) a->how << 56;
  if (!enter (place))
    return;
  other = look_in (place, granule, a);
  leave (place);
  if (other.when)
    report (granule, &other, a);
}

/* The bits of those of the 8 bytes from START on that are from FROM on and before END. */
static unsigned
bits (uint64_t start, uint64_t from, uint64_t end)
{
  unsigned first = from > start ? from - start : 0;
  unsigned behind = end < start + __UPC_GRANULE ? end - start : __UPC_GRANULE;

  return (0xffu << first) & (0xffu >> (__UPC_GRANULE - behind));
}

/* The first granule from GRANULE on that is looked at. */
static uint64_t
next_chosen (uint64_t granule)
{
  granule = __upc_race_next (granule);
  return __upc_is_chosen (granule) ? granule : __upc_race_next (granule);
}

static void
look_at_range (uint64_t from, uint64_t end, struct access *a)
{
  for (uint64_t g = next_chosen (from / __UPC_GRANULE); g * __UPC_GRANULE < end;
       g = next_chosen (g + 1))
    look (g, bits (g * __UPC_GRANULE, from, end), a);
}

static bool
begin (struct access *a, int how, const void *site)
{
  if (upcr_race_is_inside)
    return false;
  upcr_race_is_inside = true;
  a->thread = MYTHREAD;
  a->since = NULL;
  a->how = how;
  a->site = site;
  a->as.when = upcr_race_now () | (uint64_t) a->thread << 48;
  return true;
}

void
upcr_race_access_since (const uint64_t *since, const void *address, uint64_t bytes, int how,
                        const void *site)
{
  struct access a;

  if (!begin (&a, how, site))
    return;
  a.since = since;
  look_at_range ((uintptr_t) address, (uintptr_t) address + bytes, &a);
  upcr_race_is_inside = false;
}

void
upcr_race_access (const void *address, uint64_t bytes, int how, const void *site)
{
  upcr_race_access_since (NULL, address, bytes, how, site);
}

static void
forget_in (struct place *place, uint64_t first, uint64_t last)
{
  uint64_t granule = atomic_load_explicit (&place->granule, memory_order_relaxed);

  if (granule < first || granule > last || !enter (place))
    return;
  if (atomic_load_explicit (&place->granule, memory_order_relaxed) == granule)
    __builtin_memset (place->slots, 0, sizeof place->slots);
  leave (place);
}

/* Those that are not looked at now may have been before. */
void
upcr_race_forget (const void *address, uint64_t bytes)
{
  uint64_t first = (uintptr_t) address / __UPC_GRANULE;
  uint64_t last = ((uintptr_t) address + bytes - 1) / __UPC_GRANULE;
  uint64_t mask = __upc_race_sample.__mask;

  if ((last - first) / (mask + 1) < PLACES)
    for (uint64_t g = first & ~mask; g <= last; g += mask + 1)
      forget_in (place_of (g), first, last);
  else
    for (struct place *place = places; place < places + PLACES; place++)
      forget_in (place, first, last);
}

void
__upc_race_access (const volatile void *address, unsigned long bytes, int is_write,
                   const char *site)
{
  upcr_race_access ((const void *) address, bytes, is_write ? UPCR_RACE_WRITE : 0, site);
}

/* The granules that are looked at of COUNT elements by STRIDE, which has gaps: those of its bytes
   that are an element's. */
static void
look_at_elements (uint64_t low, uint64_t stride, uint64_t count, uint64_t bytes, struct access *a)
{
  uint64_t end = low + (count - 1) * stride + bytes;

  for (uint64_t g = next_chosen (low / __UPC_GRANULE); g * __UPC_GRANULE < end;
       g = next_chosen (g + 1))
    {
      uint64_t start = g * __UPC_GRANULE;
      uint64_t i = start > low ? (start - low) / stride : 0;
      unsigned found = 0;

      for (; i < count && low + i * stride < start + __UPC_GRANULE; i++)
        if (low + i * stride + bytes > start)
          found |= bits (start, low + i * stride, low + i * stride + bytes);
      if (found)
        look (g, found, a);
    }
}

void
__upc_race_strip (const char *address, long stride, unsigned long left, unsigned long bytes,
                  int is_write, const char *site)
{
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
  uint64_t low = (uintptr_t) address - (stride < 0 ? (left - 1) * step : 0);
  struct access a;

  if (left == 0 || !begin (&a, is_write ? UPCR_RACE_WRITE : 0, site))
    return;
  if (step <= bytes)
    look_at_range (low, low + (left - 1) * step + bytes, &a);
  else if (step <= (__upc_race_sample.__mask + 1) * __UPC_GRANULE)
    look_at_elements (low, step, left, bytes, &a);
  else
    for (uint64_t i = 0; i < left; i++)
      look_at_range (low + i * step, low + i * step + bytes, &a);
  upcr_race_is_inside = false;
}
