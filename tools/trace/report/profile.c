#include "tools/trace/report/profile.h"

#include <stdlib.h>
#include <string.h>

/* What the thread being read has of a call or a row; folded into the tally at its end, so that
   memory does not grow with threads times sites. */
struct share
{
  double inclusive;
};

void
profile_begin (struct profile *profile, struct trace *trace)
{
  *profile = (struct profile){ .trace = trace };
  profile->thread = xcalloc (trace->threads, sizeof *profile->thread);
  profile->matrix = xcalloc ((size_t) trace->threads * trace->threads, sizeof *profile->matrix);
}

static void
begin_thread (void *data, unsigned thread)
{
  struct profile *profile = data;

  profile->current = thread;
  profile->thread[thread].is_there = true;
  if (profile->call_share_capacity)
    memset (profile->call_share, 0, profile->call_share_capacity * sizeof *profile->call_share);
  if (profile->row_share_capacity)
    memset (profile->row_share, 0, profile->row_share_capacity * sizeof *profile->row_share);
}

static void
make_capacity (struct profile *profile)
{
  const struct sites *sites = &profile->trace->sites;

  profile->call = grow_array (profile->call, sites->calls, &profile->call_capacity,
                              sizeof *profile->call);
  profile->row = grow_array (profile->row, sites->rows, &profile->row_capacity,
                             sizeof *profile->row);
  profile->call_share = grow_array (profile->call_share, sites->calls,
                                    &profile->call_share_capacity, sizeof *profile->call_share);
  profile->row_share = grow_array (profile->row_share, sites->rows, &profile->row_share_capacity,
                                   sizeof *profile->row_share);
}

/* The bytes that the matrix counts: each once, with the thread they come from and the thread
   they go to. Returns those that are not the current thread's own alone. */
static uint64_t
count_transfer (struct profile *profile, const struct interval *interval)
{
  uint64_t transfer = interval->transfer;
  unsigned from = trace_from_of (transfer), to = trace_to_of (transfer), me = profile->current;
  unsigned threads = profile->trace->threads;
  uint64_t bytes = trace_bytes_of (transfer) * interval->weight;
  struct thread_tally *mine = &profile->thread[me];

  if (to >= threads)
    return 0;
  if (from == TRACE_EACH)
    {
      for (unsigned t = 0; t < threads; t++)
        profile->matrix[(size_t) t * threads + to] += bytes;
      mine->read_bytes += bytes * (threads - 1);
      return bytes * (threads - 1);
    }
  if (from >= threads)
    return 0;
  profile->matrix[(size_t) from * threads + to] += bytes;
  if (from != me)
    mine->read_bytes += bytes;
  if (to != me)
    mine->written_bytes += bytes;
  return from != me || to != me ? bytes : 0;
}

static uint64_t
whole_bytes (const struct profile *profile, const struct interval *interval)
{
  uint64_t bytes = trace_bytes_of (interval->transfer) * interval->weight;

  return trace_from_of (interval->transfer) == TRACE_EACH ? bytes * profile->trace->threads : bytes;
}

static void
add_to (struct tally *tally, struct share *share, const struct interval *interval, bool is_nested)
{
  double inclusive = is_nested ? 0 : interval->inclusive;

  tally->site = interval->site;
  tally->count += interval->is_continued ? 0 : interval->weight;
  tally->timed += !interval->is_continued;
  tally->inclusive += inclusive;
  tally->exclusive += interval->exclusive;
  tally->unfinished += interval->is_unfinished;
  if (interval->inclusive > tally->longest)
    tally->longest = interval->inclusive;
  share->inclusive += inclusive;
}

static void
leave (void *data, const struct interval *interval)
{
  struct profile *profile = data;
  const struct site *site = &profile->trace->sites.site[interval->site];
  struct tally *tallies[2];

  make_capacity (profile);
  tallies[0] = &profile->call[site->call];
  tallies[1] = &profile->row[site->row];
  add_to (tallies[0], &profile->call_share[site->call], interval, interval->is_nested_call);
  add_to (tallies[1], &profile->row_share[site->row], interval, interval->is_nested_row);
  profile->thread[profile->current].category[site->event->category] += interval->exclusive;
  choice_count (&profile->choice, interval->end - interval->start);
  if (interval->weight > 1)
    {
      profile->trace->sampled++;
      profile->trace->stood_for += interval->weight;
    }
  if (!interval->has_transfer)
    return;
  uint64_t remote = count_transfer (profile, interval);
  for (int i = 0; i < 2; i++)
    {
      tallies[i]->bytes += whole_bytes (profile, interval);
      tallies[i]->remote_bytes += remote;
      tallies[i]->remote_count += remote > 0 ? interval->weight : 0;
      tallies[i]->remote_timed += remote > 0;
      tallies[i]->remote_ns += remote > 0 ? interval->inclusive : 0;
    }
}

static void
point (void *data, uint32_t number, int64_t ns, unsigned depth, const uint64_t *words,
       unsigned count)
{
  struct profile *profile = data;
  const struct site *site = &profile->trace->sites.site[number];

  (void) ns, (void) depth, (void) words, (void) count;
  make_capacity (profile);
  profile->call[site->call].count++;
  profile->call[site->call].timed++;
  profile->call[site->call].site = number;
  profile->row[site->row].count++;
  profile->row[site->row].timed++;
  profile->row[site->row].site = number;
}

/* A thread that never came to a call is the least loaded. */
static void
fold (struct tally *tallies, struct share *shares, size_t count, unsigned thread, bool is_first)
{
  for (size_t i = 0; i < count; i++)
    {
      double inclusive = shares[i].inclusive;
      bool was_never = tallies[i].most == 0 && tallies[i].least == 0;

      if (inclusive > tallies[i].most)
        {
          tallies[i].most = inclusive;
          tallies[i].most_thread = thread;
        }
      if ((was_never && is_first) || inclusive < tallies[i].least)
        tallies[i].least = inclusive;
    }
}

static void
end_thread (void *data, unsigned thread, int64_t ns, double outside)
{
  struct profile *profile = data;
  struct thread_tally *mine = &profile->thread[thread];
  bool is_first = profile->trace->events == 0;

  /* A killed thread may have sites that nothing has happened at. */
  make_capacity (profile);
  mine->events = profile->trace->thread[thread].events;
  profile->trace->events += mine->events;
  mine->duration_ns = ns - profile->trace->thread[thread].begin_ns;
  mine->category[TRACE_COMPUTE] += outside;
  fold (profile->call, profile->call_share, profile->call_capacity, thread, is_first);
  fold (profile->row, profile->row_share, profile->row_capacity, thread, is_first);
}

struct visitor
profile_visitor (struct profile *profile)
{
  return (struct visitor){ .begin_thread = begin_thread,
                           .leave = leave,
                           .point = point,
                           .end_thread = end_thread,
                           .data = profile };
}

uint32_t *
profile_order (const struct tally *tallies, uint32_t count, size_t *found,
               int (*compare) (const void *, const void *, void *))
{
  uint32_t *order = xcalloc (count, sizeof *order);

  *found = 0;
  for (uint32_t i = 0; i < count; i++)
    if (tallies[i].count || tallies[i].inclusive > 0)
      order[(*found)++] = i;
  qsort_r (order, *found, sizeof *order, compare, (void *) tallies);
  return order;
}

/* Equal ones in the order of their appearance. */
static int
by (double x, double y, uint32_t a, uint32_t b)
{
  return x != y ? (x < y) - (x > y) : (a > b) - (a < b);
}

int
profile_by_inclusive (const void *a, const void *b, void *tallies)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  const struct tally *tally = tallies;

  return by (tally[x].inclusive, tally[y].inclusive, x, y);
}

int
profile_by_remote_bytes (const void *a, const void *b, void *tallies)
{
  uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  const struct tally *tally = tallies;

  return by (tally[x].remote_bytes, tally[y].remote_bytes, x, y);
}

double
tally_imbalance (const struct tally *tally, unsigned threads)
{
  double mean = tally->inclusive / threads;

  return mean > 0 ? tally->most / mean - 1 : 0;
}
