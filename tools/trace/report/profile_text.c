/* profile.txt and matrix.tsv. */

#include "tools/trace/report/profile.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MOST_ROWS = 2000,    /* of a table */
  MATRIX_THREADS = 32, /* of a matrix that is printed whole */
  MOST_PAIRS = 100
};

static void
heading (FILE *file, const char *text)
{
  fprintf (file, "\n%s\n", text);
  for (const char *c = text; *c; c++)
    putc ('-', file);
  putc ('\n', file);
}

static void
write_summary (FILE *file, const struct trace *trace)
{
  char time[SHORT_TEXT];
  const char *remarks = trace_remarks (trace);

  fprintf (file, "UPC profile of %s\n\n", trace->program);
  fprintf (file, "command  %s\nhost     %s\ndate     %s\n", trace->command, trace->host,
           trace->date);
  fprintf (file, "threads  %u\nevents   %llu\nduration %s\n", trace->threads,
           (unsigned long long) trace->events, format_ns (time, trace->duration_ns));
  if (*trace->sources)
    fprintf (file, "sources  %s\n", trace->sources);
  if (*remarks)
    fprintf (file, "note     %s\n", remarks);
  fputs (
      "\nWhat recording itself took is taken out of all times here. Inclusive times have what\n"
      "was called in them, exclusive ones have not. min, mean, max are of the threads' inclusive\n"
      "times; imbalance is by how much the max exceeds the mean.\n",
      file);
}

static void
write_threads (FILE *file, const struct profile *profile)
{
  heading (file, "Threads");
  fprintf (file, "%6s %12s %12s %12s", "thread", "events", "time", "CPU time");
  for (int c = 0; c < TRACE_CATEGORIES; c++)
    fprintf (file, " %15s", trace_category_name (c));
  fprintf (file, " %14s %14s\n", "bytes read", "bytes written");
  for (unsigned t = 0; t < profile->trace->threads; t++)
    {
      const struct thread_tally *thread = &profile->thread[t];
      char time[SHORT_TEXT], cpu[SHORT_TEXT];

      if (!thread->is_there)
        continue;
      fprintf (file, "%6u %12llu %12s %12s", t, (unsigned long long) thread->events,
               format_ns (time, thread->duration_ns),
               format_ns (cpu, (double) profile->trace->thread[t].header.cpu_ns));
      for (int c = 0; c < TRACE_CATEGORIES; c++)
        fprintf (file, " %15s", format_ns (time, thread->category[c]));
      fprintf (file, " %14llu %14llu\n", (unsigned long long) thread->read_bytes,
               (unsigned long long) thread->written_bytes);
    }
  fputs (
      "\nA thread that waits has CPU time as long as it polls. Times by category are exclusive. Bytes are those of other threads' shared memory.\n",
      file);
}

static void
write_tally_head (FILE *file)
{
  fprintf (file, "%12s %10s %10s %10s %10s %10s %10s %10s %9s %14s\n", "count", "inclusive",
           "exclusive", "each", "longest", "min", "mean", "max", "imbalance", "bytes");
}

static void
write_tally (FILE *file, const struct tally *tally, unsigned threads)
{
  char a[SHORT_TEXT], b[SHORT_TEXT], c[SHORT_TEXT], d[SHORT_TEXT], e[SHORT_TEXT], f[SHORT_TEXT],
      g[SHORT_TEXT];

  fprintf (file, "%12llu %10s %10s %10s %10s %10s %10s %10s %8.1f%% %14llu",
           (unsigned long long) tally->count, format_ns (a, tally->inclusive),
           format_ns (b, tally->exclusive),
           format_ns (c, tally->timed ? tally->inclusive / tally->timed : 0),
           format_ns (d, tally->longest), format_ns (e, tally->least),
           format_ns (f, tally->inclusive / threads), format_ns (g, tally->most),
           100 * tally_imbalance (tally, threads), (unsigned long long) tally->bytes);
}

/* A table of calls, or of calls by their lines. */
static void
write_tallies (FILE *file, const struct profile *profile, const char *title,
               const struct tally *tallies, uint32_t count, bool by_line)
{
  const struct trace *trace = profile->trace;
  size_t found;
  uint32_t *order = profile_order (tallies, count, &found, profile_by_inclusive);

  heading (file, title);
  write_tally_head (file);
  for (size_t i = 0; i < found && i < MOST_ROWS; i++)
    {
      const struct tally *tally = &tallies[order[i]];
      const struct site *site = &trace->sites.site[tally->site];
      char where[SITE_TEXT];

      write_tally (file, tally, trace->threads);
      if (by_line)
        fprintf (file, "  %s", site_text (where, sizeof where, site));
      fprintf (file, "  %s\n", site->name);
    }
  if (found > MOST_ROWS)
    fprintf (file, "(and %zu more)\n", found - MOST_ROWS);
  free (order);
}

static void
write_remote (FILE *file, const struct profile *profile)
{
  const struct trace *trace = profile->trace;
  size_t found;
  uint32_t *order = profile_order (profile->row, trace->sites.rows, &found,
                                   profile_by_remote_bytes);

  heading (file, "Hottest remote accesses");
  fprintf (file, "%14s %12s %10s %10s\n", "bytes", "count", "time", "each");
  for (size_t i = 0; i < found && i < MOST_ROWS; i++)
    {
      const struct tally *tally = &profile->row[order[i]];
      const struct site *site = &trace->sites.site[tally->site];
      char where[SITE_TEXT], time[SHORT_TEXT], each[SHORT_TEXT];

      if (!tally->remote_count)
        continue;
      fprintf (file, "%14llu %12llu %10s %10s  %s  %s\n", (unsigned long long) tally->remote_bytes,
               (unsigned long long) tally->remote_count, format_ns (time, tally->remote_ns),
               format_ns (each, tally->remote_ns / tally->remote_timed),
               site_text (where, sizeof where, site), site->name);
    }
  free (order);
}

struct pair
{
  uint64_t bytes;
  unsigned from, to;
};

static int
by_bytes (const void *a, const void *b)
{
  uint64_t x = ((const struct pair *) a)->bytes, y = ((const struct pair *) b)->bytes;

  return (x < y) - (x > y);
}

static void
write_pairs (FILE *file, const struct profile *profile)
{
  unsigned threads = profile->trace->threads;
  struct pair *pair = xcalloc ((size_t) threads * threads, sizeof *pair);
  size_t count = 0;

  for (unsigned from = 0; from < threads; from++)
    for (unsigned to = 0; to < threads; to++)
      if (profile->matrix[(size_t) from * threads + to])
        pair[count++] = (struct pair){ profile->matrix[(size_t) from * threads + to], from, to };
  qsort (pair, count, sizeof *pair, by_bytes);
  fprintf (file, "The largest of %zu pairs; matrix.tsv has all.\n%6s %6s %16s\n", count, "from",
           "to", "bytes");
  for (size_t i = 0; i < count && i < MOST_PAIRS; i++)
    fprintf (file, "%6u %6u %16llu\n", pair[i].from, pair[i].to,
             (unsigned long long) pair[i].bytes);
  free (pair);
}

static void
write_matrix_text (FILE *file, const struct profile *profile)
{
  unsigned threads = profile->trace->threads;

  heading (file, "Communication matrix: bytes from the row's thread to the column's");
  if (threads > MATRIX_THREADS)
    {
      write_pairs (file, profile);
      return;
    }
  fprintf (file, "%6s", "");
  for (unsigned to = 0; to < threads; to++)
    fprintf (file, " %12u", to);
  for (unsigned from = 0; from < threads; from++)
    {
      fprintf (file, "\n%6u", from);
      for (unsigned to = 0; to < threads; to++)
        fprintf (file, " %12llu", (unsigned long long) profile->matrix[from * threads + to]);
    }
  fputs ("\n", file);
}

void
write_profile (const struct trace *trace, const struct profile *profile, const char *folder)
{
  FILE *file = create_file (folder, "profile.txt");

  write_summary (file, trace);
  write_threads (file, profile);
  write_tallies (file, profile, "By call", profile->call, trace->sites.calls, false);
  write_tallies (file, profile, "By source line", profile->row, trace->sites.rows, true);
  write_remote (file, profile);
  write_matrix_text (file, profile);
  close_file (file, folder, "profile.txt");
}

void
write_matrix (const struct trace *trace, const struct profile *profile, const char *folder)
{
  FILE *file = create_file (folder, "matrix.tsv");

  for (unsigned from = 0; from < trace->threads; from++)
    for (unsigned to = 0; to < trace->threads; to++)
      fprintf (file, "%llu%c",
               (unsigned long long) profile->matrix[(size_t) from * trace->threads + to],
               to + 1 < trace->threads ? '\t' : '\n');
  close_file (file, folder, "matrix.tsv");
}
