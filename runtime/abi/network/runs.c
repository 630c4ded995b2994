/* Fetching runs (runs.h). A run goes from partition to partition, and comes back to the first one after a few
   elements: every PERIOD of them, it has a piece with a constant stride. Each process is asked for its
   pieces, with a few bytes for each, and sends their values one after the other. */

#include "runtime/abi/network/runs.h"

#include "runtime/abi/network/kept.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_RUNS = 512,
  MOST_ELEMENTS = 1 << 16, /* of several iterations */
  MOST_OF_ONE = 1 << 20,   /* … and of one */
  NO_PIECE = -1
};

/* An iteration that finds no room is done in the next batch, unless it is the first one: the rest of that is read one by one. */
void
__upc_batch_note_run (__upc_batch *b, __upc_gathered *g, const void *first, unsigned long count)
{
  bool is_alone = b->__iterations <= 1;

  if (!g->__runs)
    g->__runs = malloc (MOST_RUNS * sizeof *g->__runs);
  if (g->__is_closed)
    return;
  if (!g->__runs || g->__count == MOST_RUNS || count > MOST_OF_ONE
      || g->__elements + count > (is_alone ? MOST_OF_ONE : MOST_ELEMENTS))
    {
      g->__is_closed = 1;
      b->__is_full |= !is_alone;
      return;
    }
  g->__runs[g->__count++] = (__upc_run){ first, count, g->__elements };
  g->__elements += count;
}

static void
copy_spread (char *to, size_t step, const char *from, int64_t stride, size_t count, size_t bytes)
{
  switch (bytes)
    {
    case 4:
      for (size_t i = 0; i < count; i++)
        *(uint32_t *) (to + i * step) = *(const uint32_t *) (from + (int64_t) i * stride);
      return;
    case 8:
      for (size_t i = 0; i < count; i++)
        *(uint64_t *) (to + i * step) = *(const uint64_t *) (from + (int64_t) i * stride);
      return;
    default:
      for (size_t i = 0; i < count; i++)
        memcpy (to + i * step, from + (int64_t) i * stride, bytes);
    }
}

static bool
is_all_near (const struct upcr_piece *p)
{
  return upcr_is_near (p->from) && upcr_is_near (p->from + p->stride * (int64_t) (p->count - 1));
}

/* P, which is far, is one more of its thread's. */
static bool
add_far (struct upcr_far_runs *far, struct upcr_piece p)
{
  int thread = (int) (((uintptr_t) p.from - UPCR_SEGMENT_BASE) / UPCR_STRIDE);

  upcr_process_at (p.from, far->bytes);
  upcr_process_at (p.from + p.stride * (int64_t) (p.count - 1), far->bytes);
  if (far->count == far->room)
    {
      size_t room = far->room ? 2 * far->room : 64;
      struct upcr_piece *pieces = realloc (far->pieces, room * sizeof *pieces);

      if (!pieces)
        return false;
      far->pieces = pieces;
      far->room = room;
    }
  p.next = NO_PIECE;
  far->pieces[far->count] = p;
  if (far->first[thread] == NO_PIECE)
    far->first[thread] = (int) far->count;
  else
    far->pieces[far->last[thread]].next = (int) far->count;
  far->last[thread] = (int) far->count++;
  return true;
}

static bool
settle_piece (struct upcr_far_runs *far, struct upcr_piece p)
{
  if (!is_all_near (&p))
    return add_far (far, p);
  copy_spread (p.to, p.step, p.from, p.stride, p.count, far->bytes);
  return true;
}

static long
common_divisor (long a, long b)
{
  while (b != 0)
    {
      long rest = a % b;

      a = b;
      b = rest;
    }
  return a;
}

/* The element that is BLOCKS blocks behind FIRST, or before it. */
static const char *
element_at (const char *first, int64_t blocks, unsigned long block_bytes)
{
  int64_t thread = (int64_t) (((uintptr_t) first - UPCR_SEGMENT_BASE) / UPCR_STRIDE);
  int64_t place = thread + blocks, row = place / THREADS;

  if (place % THREADS < 0)
    row--;
  return first + (place - row * THREADS - thread) * (int64_t) UPCR_STRIDE
         + row * (int64_t) block_bytes;
}

static bool
settle_run (struct upcr_far_runs *far, const __upc_gathered *g, const __upc_run *run)
{
  unsigned long bytes = g->__bytes;
  long period = g->__block_bytes ? THREADS / common_divisor (THREADS, labs (g->__blocks)) : 1;
  int64_t stride = g->__block_bytes ? period * g->__blocks / THREADS * (int64_t) g->__block_bytes
                                    : g->__blocks * (int64_t) bytes;

  for (unsigned long i = 0; i < (unsigned long) period && i < run->__count; i++)
    {
      struct upcr_piece p = { .from = run->__first,
                              .stride = stride,
                              .to = g->__values + (run->__before + i) * bytes,
                              .step = (size_t) period * bytes,
                              .count = (run->__count - i + (unsigned long) period - 1)
                                       / (unsigned long) period };

      if (i > 0)
        p.from = element_at (p.from, (int64_t) i * g->__blocks, g->__block_bytes);
      if (!settle_piece (far, p))
        return false;
    }
  return true;
}

static size_t
elements_of (const struct upcr_far_runs *far)
{
  size_t elements = 0;

  for (size_t i = 0; i < far->count; i++)
    elements += far->pieces[i].count;
  return elements;
}

/* Each process is asked for its pieces, which arrive one after the other. */
static bool
ask_for (struct upcr_far_runs *far, upcr_net_open *open)
{
  char *value = upcr_kept_take (elements_of (far) * far->bytes, &far->values_room);
  struct upcr_net_gather gather;

  far->values = value;
  if (!value)
    return false;
  upcr_net_gather_begin (&gather, far->bytes, open);
  for (int t = 0; t < THREADS; t++)
    for (int i = far->first[t]; i != NO_PIECE; i = far->pieces[i].next)
      {
        const struct upcr_piece *p = &far->pieces[i];

        upcr_net_gather_add_run (&gather, upcr_process_of (t), value, p->from, p->stride, p->count);
        value += p->count * far->bytes;
      }
  upcr_net_gather_end (&gather);
  return true;
}

static bool
make_values (__upc_gathered *g)
{
  unsigned long bytes = g->__elements * g->__bytes;

  if (g->__room < bytes)
    {
      upcr_kept_give (g->__values, g->__room);
      g->__values = upcr_kept_take (bytes, &g->__room);
    }
  return g->__values || bytes == 0;
}

static void
free_far (struct upcr_far_runs *far)
{
  upcr_kept_give (far->values, far->values_room);
  free (far->pieces);
  free (far);
}

static bool
settle_runs (struct upcr_far_runs *far, __upc_gathered *g)
{
  for (unsigned long i = 0; i < g->__count; i++)
    if (!settle_run (far, g, &g->__runs[i]))
      return false;
  return true;
}

struct upcr_far_runs *
upcr_runs_gather (__upc_gathered *g, upcr_net_open *open)
{
  struct upcr_far_runs *far = make_values (g) ? malloc (sizeof *far) : NULL;

  if (!far)
    return NULL;
  far->pieces = NULL;
  far->count = far->room = 0;
  far->bytes = g->__bytes;
  far->values = NULL;
  far->values_room = 0;
  for (int t = 0; t < THREADS; t++)
    far->first[t] = NO_PIECE;
  if (settle_runs (far, g) && (far->count == 0 || ask_for (far, open)))
    return far;
  free_far (far);
  return NULL;
}

static void
place (const struct upcr_far_runs *far)
{
  const char *value = far->values;

  for (int t = 0; t < THREADS; t++)
    for (int i = far->first[t]; i != NO_PIECE; i = far->pieces[i].next)
      {
        const struct upcr_piece *p = &far->pieces[i];

        copy_spread (p->to, p->step, value, (int64_t) far->bytes, p->count, far->bytes);
        value += p->count * far->bytes;
      }
}

void
upcr_runs_place (struct upcr_far_runs *far)
{
  while (far)
    {
      struct upcr_far_runs *next = far->next;

      place (far);
      free_far (far);
      far = next;
    }
}

void
upcr_runs_end (__upc_gathered *g)
{
  upcr_kept_give (g->__values, g->__room);
  free (g->__runs);
}
