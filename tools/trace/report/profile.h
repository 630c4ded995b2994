/* What the first reading counts. */

#ifndef TRACE_PROFILE_H
#define TRACE_PROFILE_H

#include "tools/trace/report/report.h"

/* What is counted of a call, or of a call at a line. Intervals in another of the same kind,
   as in recursion, count, but not their inclusive time. */
struct tally
{
  uint64_t count;
  uint64_t timed;              /* of them, those that were recorded: the times are theirs */
  double inclusive, exclusive; /* ns, all threads together */
  double longest;
  double least, most; /* inclusive, of one thread */
  unsigned most_thread;
  uint64_t bytes, remote_bytes;
  uint64_t remote_count, remote_timed;
  double remote_ns;
  uint64_t unfinished;
  uint32_t site; /* one that it is of */
};

struct thread_tally
{
  uint64_t events;
  double duration_ns;                 /* from the first event to the last */
  double category[TRACE_CATEGORIES];  /* exclusive; COMPUTE has what is outside of all, too */
  uint64_t read_bytes, written_bytes; /* remote ones */
  bool is_there;
};

struct profile
{
  struct trace *trace;
  struct tally *call, *row; /* by the numbers of sites */
  size_t call_capacity, row_capacity;
  struct thread_tally *thread;
  uint64_t *matrix;                     /* [from * threads + to] bytes */
  struct choice choice;                 /* knows all lengths */
  struct share *call_share, *row_share; /* of the thread being read */
  size_t call_share_capacity, row_share_capacity;
  unsigned current;
};

void profile_begin (struct profile *profile, struct trace *trace);
struct visitor profile_visitor (struct profile *profile);

/* Numbers of calls or rows with a count, in an order of qsort's. */
uint32_t *profile_order (const struct tally *tallies, uint32_t count, size_t *found,
                         int (*compare) (const void *, const void *, void *));
int profile_by_inclusive (const void *a, const void *b, void *tallies);
int profile_by_remote_bytes (const void *a, const void *b, void *tallies);

/* The most of a thread beyond the mean, as a part of it. */
double tally_imbalance (const struct tally *tally, unsigned threads);

#endif
