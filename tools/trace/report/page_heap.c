#include "tools/trace/report/page.h"

#include <stdlib.h>

enum
{
  PRIVATE,
  SHARED,
  KINDS
};

/* Threads change each other's heaps, and are read one behind the other: what is kept of a bin does not depend
   on their order. MOST is exact where a thread changes its own heap. */
struct heap_bin
{
  int64_t change; /* from the bin's begin to its end */
  int64_t most;   /* by how much it is more in between than at the begin */
};

struct heap_bins
{
  unsigned threads, bins;
  double bin_ns;
  struct heap_bin *bin; /* [(kind * threads + thread) * bins + bin] */
  unsigned reader;      /* the thread that is read */
  struct
  {
    unsigned bin;
    int64_t sum;
  } own[KINDS]; /* what the thread has changed of its own heap in its last bin */
};

struct heap_bins *
heap_bins_begin (unsigned threads, unsigned bins, double bin_ns)
{
  struct heap_bins *heaps = xcalloc (1, sizeof *heaps);

  *heaps = (struct heap_bins){ .threads = threads, .bins = bins, .bin_ns = bin_ns };
  heaps->bin = xcalloc ((size_t) KINDS * threads * bins, sizeof *heaps->bin);
  return heaps;
}

void
heap_bins_thread (struct heap_bins *heaps, unsigned thread)
{
  heaps->reader = thread;
  for (int kind = 0; kind < KINDS; kind++)
    heaps->own[kind].bin = heaps->bins;
}

static struct heap_bin *
bins_of (struct heap_bins *heaps, int kind, unsigned thread)
{
  return heaps->bin + ((size_t) kind * heaps->threads + thread) * heaps->bins;
}

static void
count_own (struct heap_bins *heaps, int kind, unsigned bin, int64_t bytes)
{
  struct heap_bin *at = bins_of (heaps, kind, heaps->reader) + bin;

  if (heaps->own[kind].bin != bin)
    heaps->own[kind].sum = 0;
  heaps->own[kind].bin = bin;
  heaps->own[kind].sum += bytes;
  if (heaps->own[kind].sum > at->most)
    at->most = heaps->own[kind].sum;
}

void
heap_bins_count (struct heap_bins *heaps, int64_t ns, uint64_t change)
{
  unsigned flags = trace_to_of (change), owner = trace_from_of (change);
  int kind = flags & TRACE_SHARED_HEAP ? SHARED : PRIVATE;
  int64_t bytes = (int64_t) trace_bytes_of (change) * (flags & TRACE_LESS ? -1 : 1);
  double place = ns / heaps->bin_ns;
  unsigned bin = place < heaps->bins ? place : heaps->bins - 1;

  for (unsigned t = 0; t < heaps->threads; t++)
    if (t == owner || owner == TRACE_EACH)
      {
        bins_of (heaps, kind, t)[bin].change += bytes;
        if (t == heaps->reader)
          count_own (heaps, kind, bin, bytes);
      }
}

/* [bin, bytes, bin, bytes, …]: where it changes. A block whose begin was not recorded is less than nothing. */
static void
write_levels (FILE *file, const struct heap_bin *bin, unsigned bins)
{
  int64_t level = 0, shown = 0;
  const char *comma = "";

  putc ('[', file);
  for (unsigned i = 0; i < bins; i++)
    {
      int64_t end = level + bin[i].change, most = level + bin[i].most;

      most = most > end ? most : end;
      most = most > 0 ? most : 0;
      if (most != shown)
        {
          fprintf (file, "%s%u,%lld", comma, i, (long long) most);
          comma = ",";
        }
      shown = most;
      level = end;
    }
  putc (']', file);
}

void
heap_bins_end (struct heap_bins *heaps, FILE *file)
{
  static const char *const names[KINDS] = { "private heap", "shared heap" };

  for (int kind = 0; kind < KINDS; kind++)
    {
      fprintf (file, ",\n\"%s\":[", names[kind]);
      for (unsigned t = 0; t < heaps->threads; t++)
        {
          fputs (t ? "," : "", file);
          write_levels (file, bins_of (heaps, kind, t), heaps->bins);
        }
      putc (']', file);
    }
  free (heaps->bin);
  free (heaps);
}
