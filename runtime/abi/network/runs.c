/* Fetching runs (runs.h). A run goes from partition to partition, and comes back to the first one after a few
   elements: every PERIOD of them, it has a piece with a constant stride. Runs that begin at a constant distance in one
   partition have their pieces together, as sections. Each process is asked for its pieces, with a few bytes for each,
   and sends their values one after the other. What is near is copied meanwhile. */

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

static const char *
element_of (const struct upcr_net_section *s, size_t row, size_t i)
{
  return s->from + (int64_t) row * s->distance + (int64_t) i * s->stride;
}

static int
thread_of (const void *address)
{
  return (int) (((uintptr_t) address - UPCR_SEGMENT_BASE) / UPCR_STRIDE);
}

/* Whether all corners of S satisfy TEST, so all elements do. */
static bool
do_corners (const struct upcr_net_section *s, bool (*test) (const void *at, size_t bytes),
            size_t bytes)
{
  return test (s->from, bytes) && test (element_of (s, 0, s->count - 1), bytes)
         && test (element_of (s, s->rows - 1, 0), bytes)
         && test (element_of (s, s->rows - 1, s->count - 1), bytes);
}

static bool
is_near (const void *at, size_t bytes)
{
  (void) bytes;
  return upcr_is_near (at);
}

static bool
is_shared_memory (const void *at, size_t bytes)
{
  return upcr_is_shared_memory (at, bytes);
}

/* Ends the run if AT is in no shared memory. */
static bool
require_shared_memory (const void *at, size_t bytes)
{
  upcr_process_at (at, bytes);
  return true;
}

static bool
is_all_whole (const struct upcr_net_section *s, size_t bytes)
{
  for (size_t row = 0; row < s->rows; row++)
    for (size_t i = 0; i < s->count; i++)
      if (!upcr_is_near_and_whole (element_of (s, row, i), bytes))
        return false;
  return true;
}

/* Piece I, which is far, is one more of its thread's. */
static void
chain (struct upcr_far_runs *far, int i)
{
  const struct upcr_net_section *s = &far->pieces[i].section;
  int thread = thread_of (s->from);

  if (far->first[thread] == NO_PIECE)
    far->first[thread] = i;
  else
    far->pieces[far->last[thread]].next = i;
  far->last[thread] = i;
  far->far_elements += s->rows * s->count;
}

static bool
add_piece (struct upcr_far_runs *far, struct upcr_piece p)
{
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
  p.is_near = do_corners (&p.section, is_near, far->bytes);
  far->pieces[far->count] = p;
  if (!p.is_near)
    chain (far, (int) far->count);
  far->count++;
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
  int64_t thread = thread_of (first);
  int64_t place = thread + blocks, row = place / THREADS;

  if (place % THREADS < 0)
    row--;
  return first + (place - row * THREADS - thread) * (int64_t) UPCR_STRIDE
         + row * (int64_t) block_bytes;
}

/* How many runs from the first of COUNT on begin at a constant distance in one partition, and are as long. */
static size_t
rows_of (const __upc_run *runs, size_t count)
{
  const char *first = runs->__first;
  size_t rows = 1;

  while (rows < count && runs[rows].__count == runs->__count
         && thread_of (runs[rows].__first) == thread_of (first)
         && (const char *) runs[rows].__first - (const char *) runs[rows - 1].__first
                == (const char *) runs[1].__first - first)
    rows++;
  return rows;
}

/* ROWS runs from RUN on. */
static bool
settle_rows (struct upcr_far_runs *far, const __upc_gathered *g, const __upc_run *run, size_t rows)
{
  unsigned long bytes = g->__bytes;
  long period = g->__block_bytes ? THREADS / common_divisor (THREADS, labs (g->__blocks)) : 1;
  struct upcr_piece p = { .step = (size_t) period * bytes, .row_step = run->__count * bytes };

  p.section.rows = rows;
  p.section.distance = rows > 1 ? (const char *) run[1].__first - (const char *) run->__first : 0;
  p.section.stride = g->__block_bytes ? period * g->__blocks / THREADS * (int64_t) g->__block_bytes
                                      : g->__blocks * (int64_t) bytes;
  for (unsigned long i = 0; i < (unsigned long) period && i < run->__count; i++)
    {
      p.section.from = i == 0
                           ? run->__first
                           : element_at (run->__first, (int64_t) i * g->__blocks, g->__block_bytes);
      p.section.count = (run->__count - i + (unsigned long) period - 1) / (unsigned long) period;
      p.to = g->__values + (run->__before + i) * bytes;
      if (!add_piece (far, p))
        return false;
    }
  return true;
}

/* Each process is asked for its pieces, which arrive one after the other. */
static bool
ask_for (struct upcr_far_runs *far, char *is_bad, upcr_net_open *open)
{
  char *value = upcr_kept_take (far->far_elements * far->bytes, &far->values_room);
  struct upcr_net_gather gather;

  far->values = value;
  if (!value)
    return false;
  upcr_net_gather_begin (&gather, far->bytes, open);
  gather.is_bad = is_bad;
  for (int t = 0; t < THREADS; t++)
    for (int i = far->first[t]; i != NO_PIECE; i = far->pieces[i].next)
      {
        const struct upcr_piece *p = &far->pieces[i];

        upcr_net_gather_add_section (&gather, upcr_process_of (t), value, &p->section);
        value += p->section.rows * p->section.count * far->bytes;
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
  for (size_t i = 0, rows; i < g->__count; i += rows)
    {
      rows = rows_of (&g->__runs[i], g->__count - i);
      if (!settle_rows (far, g, &g->__runs[i], rows))
        return false;
    }
  return true;
}

/* Whether all pieces may be accessed, as far as this process knows. Without checks the run ends if one is nowhere. */
static bool
may_access (const struct upcr_far_runs *far, bool is_checked)
{
  for (size_t i = 0; i < far->count; i++)
    {
      const struct upcr_piece *p = &far->pieces[i];

      if (!is_checked)
        {
          if (!p->is_near)
            do_corners (&p->section, require_shared_memory, far->bytes);
        }
      else if (p->is_near ? !is_all_whole (&p->section, far->bytes)
                          : !do_corners (&p->section, is_shared_memory, far->bytes))
        return false;
    }
  return true;
}

static void
forget_pieces (struct upcr_far_runs *far)
{
  far->count = far->far_elements = 0;
  for (int t = 0; t < THREADS; t++)
    far->first[t] = NO_PIECE;
}

static void
copy_near (const struct upcr_far_runs *far)
{
  for (size_t i = 0; i < far->count; i++)
    {
      const struct upcr_piece *p = &far->pieces[i];

      if (p->is_near)
        upcr_net_copy_section (p->to, (int64_t) p->step, (int64_t) p->row_step, &p->section,
                               far->bytes);
    }
}

struct upcr_far_runs *
upcr_runs_gather (__upc_gathered *g, char *is_bad, upcr_net_open *open)
{
  struct upcr_far_runs *far = make_values (g) ? calloc (1, sizeof *far) : NULL;
  bool is_settled;

  if (!far)
    return NULL;
  far->bytes = g->__bytes;
  forget_pieces (far);
  is_settled = settle_runs (far, g);
  if (is_settled && !may_access (far, is_bad))
    {
      *is_bad = 1;
      forget_pieces (far);
    }
  if (!is_settled || (far->far_elements > 0 && !ask_for (far, is_bad, open)))
    {
      free_far (far);
      return NULL;
    }
  copy_near (far);
  return far;
}

static void
place (const struct upcr_far_runs *far)
{
  const char *value = far->values;

  for (int t = 0; t < THREADS; t++)
    for (int i = far->first[t]; i != NO_PIECE; i = far->pieces[i].next)
      {
        const struct upcr_piece *p = &far->pieces[i];
        size_t row_bytes = p->section.count * far->bytes;
        struct upcr_net_section come = { value, (int64_t) far->bytes, (int64_t) row_bytes,
                                         p->section.count, p->section.rows };

        upcr_net_copy_section (p->to, (int64_t) p->step, (int64_t) p->row_step, &come, far->bytes);
        value += p->section.rows * row_bytes;
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
