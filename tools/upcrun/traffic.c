/* What the recorder in a traced program has counted (tools/trace/traffic.h), as bytes a second:

     20.4 MiB/s between threads: 0 to 1 12.3 MiB/s, 1 to 0 8.1 MiB/s */

#include "tools/upcrun/top.h"

#include "tools/common/common.h"
#include "tools/trace/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST_THREADS = 1024,
  MOST_PAIRS = 6 /* of a line */
};

struct pair
{
  unsigned from, to;
  uint64_t bytes;
};

static int
compare (const void *a, const void *b)
{
  const struct pair *x = a, *y = b;

  return (x->bytes < y->bytes) - (x->bytes > y->bytes);
}

static void
print_rate (double bytes_a_second)
{
  static const char *const units[] = { "B/s", "KiB/s", "MiB/s", "GiB/s" };
  unsigned unit = 0;

  for (; bytes_a_second >= 1023.95 && unit < 3; unit++)
    bytes_a_second /= 1024;
  fprintf (stderr, unit ? "%.1f %s" : "%.0f %s", bytes_a_second, units[unit]);
}

/* All rows, in memory that is valid until the next call. False: the program is not traced, or does not record yet. */
static bool
read_rows (pid_t process, uint64_t *threads, uint64_t **rows)
{
  static pid_t located;
  static uint64_t address, *words;
  static size_t capacity;
  struct trace_traffic traffic;

  if (located != process)
    address = locate_symbol (located = process, "upct_traffic");
  if (!address || !read_memory (process, address, &traffic, sizeof traffic) || !traffic.bytes
      || !traffic.threads || traffic.threads > MOST_THREADS)
    return false;
  words = arena_grow (words, trace_traffic_words (traffic.threads), &capacity, sizeof *words);
  *threads = traffic.threads;
  *rows = words;
  return read_memory (process, (uintptr_t) traffic.bytes, words,
                      trace_traffic_words (traffic.threads) * sizeof *words);
}

/* What was moved from each thread to each, by whichever of the two. */
static void
add_up (const uint64_t *rows, uint64_t threads, uint64_t *matrix)
{
  memset (matrix, 0, threads * threads * sizeof *matrix);
  for (uint64_t me = 0; me < threads; me++)
    for (uint64_t other = 0; other < threads; other++)
      {
        matrix[other * threads + me] += rows[2 * threads * me + other];
        matrix[me * threads + other] += rows[2 * threads * me + threads + other];
      }
}

static void
print_pairs (struct pair *pairs, size_t count, double seconds)
{
  qsort (pairs, count, sizeof *pairs, compare);
  for (size_t i = 0; i < count && i < MOST_PAIRS; i++)
    {
      fprintf (stderr, "%s %u to %u ", i ? "," : ":", pairs[i].from, pairs[i].to);
      print_rate ((double) pairs[i].bytes / seconds);
    }
  if (count > MOST_PAIRS)
    fprintf (stderr, " and %zu more", count - MOST_PAIRS);
}

/* The distances of what NOW and BEFORE say, to PAIRS. Returns how many there are. */
static size_t
list_pairs (const uint64_t *now, const uint64_t *before, uint64_t threads, struct pair *pairs)
{
  size_t count = 0;

  for (uint64_t i = 0; i < threads * threads; i++)
    if (now[i] > before[i])
      pairs[count++] = (struct pair){ (unsigned) (i / threads), (unsigned) (i % threads),
                                      now[i] - before[i] };
  return count;
}

int
print_traffic (pid_t process, double elapsed)
{
  static uint64_t *now, *before;
  static struct pair *pairs;
  static size_t now_capacity, before_capacity, pair_capacity;
  static bool is_begun;
  uint64_t threads, *rows, sum = 0;
  double seconds = elapsed / 1e9;
  size_t count;

  if (!read_rows (process, &threads, &rows))
    return 0;
  now = arena_grow (now, threads * threads, &now_capacity, sizeof *now);
  before = arena_grow (before, threads * threads, &before_capacity, sizeof *before);
  pairs = arena_grow (pairs, threads * threads, &pair_capacity, sizeof *pairs);
  add_up (rows, threads, now);
  count = is_begun ? list_pairs (now, before, threads, pairs) : 0;
  memcpy (before, now, threads * threads * sizeof *before);
  /* What was moved before the first time is not of the last second. */
  if (!is_begun)
    {
      is_begun = true;
      return 0;
    }
  for (size_t i = 0; i < count; i++)
    sum += pairs[i].bytes;
  print_rate ((double) sum / seconds);
  fputs (" between threads", stderr);
  print_pairs (pairs, count, seconds);
  fputc ('\n', stderr);
  return 1;
}
