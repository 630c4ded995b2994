/* report.html: page.html with its style, its program, which draws what a block of JSON says,
   and that block. It is bounded whatever the trace: of each thread a row of bins that say which
   kind of work took which part of the time, and of all intervals the longest. */

#include "tools/trace/report/page.h"
#include "tools/trace/report/profile.h"

#include <stdlib.h>
#include <string.h>

/* template.s: each ends with a zero. */
extern const char page_html[], page_css[], page_js[], page_arrows_js[], page_select_js[],
    page_timeline_js[], page_memory_js[], page_compare_js[];

enum
{
  BIN_VALUES = 1 << 19, /* of all threads and categories */
  LEAST_BINS = 32,
  FEW_BINS = 2000, /* of a trace with few events */
  EVENTS_A_BIN = 16,
  MOST_POINTS = 4000,
  MOST_ROWS = 1000,
  MATRIX_CELLS = 256, /* a side of the matrix that is shown */
  NOT_RECORDED = TRACE_CATEGORIES
};

/* A thread's part of the page, as text that waits for its site. */
struct page_thread
{
  float *bin;            /* [bin * TRACE_CATEGORIES + category] ns */
  char *slices, *points; /* JSON, without brackets */
  size_t slice_bytes, point_bytes;
};

struct page_writer
{
  struct trace *trace;
  const struct profile *profile;
  struct choice choice, points;
  unsigned bins;
  double bin_ns;
  struct page_thread *thread, *current;
  struct heap_bins *heaps;
  struct handovers *handovers;
  FILE *slice_file, *point_file;
  unsigned char *stack; /* categories of what is open */
  size_t depth, stack_capacity;
  int64_t since; /* up to where the bins are filled */
  bool is_off;
  uint64_t left_out;
};

struct page_writer *
page_begin (struct trace *trace, const struct profile *profile, struct choice choice)
{
  struct page_writer *writer = xcalloc (1, sizeof *writer);
  uint64_t bins = BIN_VALUES / TRACE_CATEGORIES / trace->threads;
  uint64_t wanted = trace->events / trace->threads / EVENTS_A_BIN;

  *writer = (struct page_writer){ .trace = trace, .profile = profile, .choice = choice };
  writer->points.each_thread = MOST_POINTS / trace->threads + 1;
  /* The more there is, the further in one can go. */
  wanted = wanted < FEW_BINS ? FEW_BINS : wanted;
  writer->bins = bins < LEAST_BINS ? LEAST_BINS : bins < wanted ? bins : wanted;
  writer->bin_ns = (double) (trace->duration_ns + 1) / writer->bins;
  writer->thread = xcalloc (trace->threads, sizeof *writer->thread);
  writer->heaps = heap_bins_begin (trace->threads, writer->bins, writer->bin_ns);
  writer->handovers = handovers_begin (trace);
  return writer;
}

static FILE *
open_text (char **text, size_t *bytes)
{
  FILE *file = open_memstream (text, bytes);

  if (!file)
    fail ("out of memory");
  return file;
}

static void
begin_thread (void *data, unsigned thread)
{
  struct page_writer *writer = data;

  writer->current = &writer->thread[thread];
  writer->current->bin = xcalloc ((size_t) writer->bins * TRACE_CATEGORIES, sizeof (float));
  writer->slice_file = open_text (&writer->current->slices, &writer->current->slice_bytes);
  writer->point_file = open_text (&writer->current->points, &writer->current->point_bytes);
  writer->depth = 0;
  writer->is_off = false;
  writer->since = writer->trace->thread[thread].begin_ns;
  choice_begin_thread (&writer->choice);
  choice_begin_thread (&writer->points);
  heap_bins_thread (writer->heaps, thread);
}

/* The time since the last change is that of the newest interval's category. */
static void
fill (struct page_writer *writer, int64_t now)
{
  unsigned category = writer->depth ? writer->stack[writer->depth - 1] : TRACE_COMPUTE;
  double from = writer->since / writer->bin_ns, to = now / writer->bin_ns;

  writer->since = now;
  if (writer->is_off)
    return;
  for (unsigned bin = from; bin < writer->bins && bin < to; bin++)
    {
      double left = bin > from ? bin : from, right = bin + 1 < to ? bin + 1 : to;

      writer->current->bin[bin * TRACE_CATEGORIES + category] += right - left;
    }
}

static void
enter (void *data, const struct interval *begun)
{
  struct page_writer *writer = data;

  fill (writer, begun->start);
  writer->stack = grow_array (writer->stack, writer->depth + 1, &writer->stack_capacity, 1);
  writer->stack[writer->depth++] = writer->trace->sites.site[begun->site].event->category;
}

static void
write_detail (FILE *file, const struct site *site, const struct interval *interval)
{
  char text[2 * VALUES_TEXT + 64], values[VALUES_TEXT], bytes[SHORT_TEXT];
  unsigned from = trace_from_of (interval->transfer), to = trace_to_of (interval->transfer);

  *text = '\0';
  if (interval->has_transfer && from == TRACE_EACH)
    snprintf (text, sizeof text, "%s from each thread",
              format_bytes (bytes, trace_bytes_of (interval->transfer)));
  else if (interval->has_transfer && from != TRACE_NOBODY && to != TRACE_NOBODY)
    snprintf (text, sizeof text, "%s from thread %u to thread %u",
              format_bytes (bytes, trace_bytes_of (interval->transfer)), from, to);
  else if (interval->value_count)
    values_text (text, sizeof text, site, interval->values, interval->value_count);
  if (interval->has_transfer && interval->value_count)
    snprintf (text + strlen (text), sizeof text - strlen (text), ", %s",
              values_text (values, sizeof values, site, interval->values, interval->value_count));
  if (interval->end_count
      && *values_text (values, sizeof values, site, interval->end_values, interval->end_count)
      && strcmp (values, text) != 0)
    snprintf (text + strlen (text), sizeof text - strlen (text), "%s%s",
              *text ? "; at its end " : "", values);
  if (interval->weight > 1)
    snprintf (text + strlen (text), sizeof text - strlen (text), ", one of %u", interval->weight);
  if (interval->is_unfinished)
    snprintf (text + strlen (text), sizeof text - strlen (text), "%sunfinished", *text ? "; " : "");
  if (!*text)
    return;
  putc (',', file);
  write_json_text (file, text);
  if (interval->has_transfer && from != to && from < TRACE_MAX_THREADS && to < TRACE_MAX_THREADS)
    fprintf (file, ",%u,%u", from, to);
}

static void
leave (void *data, const struct interval *interval)
{
  struct page_writer *writer = data;

  fill (writer, interval->end);
  writer->depth--;
  if (!choice_takes (&writer->choice, interval->end - interval->start))
    {
      writer->left_out++;
      return;
    }
  fprintf (writer->slice_file, "%s[%u,%u,%lld,%lld", ftell (writer->slice_file) ? "," : "",
           interval->site, interval->depth, (long long) interval->start,
           (long long) (interval->end - interval->start));
  write_detail (writer->slice_file, &writer->trace->sites.site[interval->site], interval);
  putc (']', writer->slice_file);
  handovers_add (writer->handovers, writer->current - writer->thread, interval);
}

static void
point (void *data, uint32_t number, int64_t ns, unsigned depth, const uint64_t *words,
       unsigned count)
{
  struct page_writer *writer = data;
  char text[VALUES_TEXT];

  if (!choice_takes (&writer->points, 0))
    return;
  fprintf (writer->point_file, "%s[%u,%u,%lld,0,", ftell (writer->point_file) ? "," : "", number,
           depth, (long long) ns);
  write_json_text (
      writer->point_file,
      values_text (text, sizeof text, &writer->trace->sites.site[number], words, count));
  putc (']', writer->point_file);
}

static void
heap (void *data, int64_t ns, uint64_t change)
{
  struct page_writer *writer = data;

  heap_bins_count (writer->heaps, ns, change);
}

static void
measure (void *data, int64_t ns, bool on)
{
  struct page_writer *writer = data;

  fill (writer, ns);
  writer->is_off = !on;
}

static void
end_thread (void *data, unsigned thread, int64_t ns, double outside)
{
  struct page_writer *writer = data;

  (void) thread, (void) outside;
  fill (writer, ns);
  if (fclose (writer->slice_file) != 0 || fclose (writer->point_file) != 0)
    fail ("out of memory");
}

struct visitor
page_visitor (struct page_writer *writer)
{
  return (struct visitor){ begin_thread, enter, leave, point, heap, measure, end_thread, writer };
}

bool
page_wants_more (struct page_writer *writer, struct visitor *visitor)
{
  *visitor = handovers_visitor (writer->handovers);
  return handovers_are_wanted (writer->handovers);
}

/* Each value as two digits of base 16 would be longer: a letter of 64, with the part of the
   bin that a category has. */
static void
write_bins (FILE *file, const struct page_writer *writer, const struct page_thread *thread)
{
  static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

  putc ('"', file);
  for (size_t i = 0; thread->bin && i < (size_t) writer->bins * TRACE_CATEGORIES; i++)
    {
      double part = thread->bin[i] * 63;

      putc (digits[part >= 63 ? 63 : part > 0 && part < 1 ? 1 : (int) part], file);
    }
  putc ('"', file);
}

static void
write_threads (FILE *file, const struct page_writer *writer)
{
  fprintf (file, ",\n\"bins\":%u,\n\"thread\":[", writer->bins);
  for (unsigned t = 0; t < writer->trace->threads; t++)
    {
      const struct page_thread *thread = &writer->thread[t];
      const struct thread_tally *tally = &writer->profile->thread[t];

      fprintf (
          file,
          "%s\n{\"events\":%llu,\"ns\":%.0f,\"cpu\":%llu,\"read\":%llu,\"written\":%llu,\"there\":%s,\"category\":[",
          t ? "," : "", (unsigned long long) tally->events, tally->duration_ns,
          (unsigned long long) writer->trace->thread[t].header.cpu_ns,
          (unsigned long long) tally->read_bytes, (unsigned long long) tally->written_bytes,
          tally->is_there ? "true" : "false");
      for (int c = 0; c < TRACE_CATEGORIES; c++)
        fprintf (file, "%s%.0f", c ? "," : "", tally->category[c]);
      fputs ("],\n\"bin\":", file);
      write_bins (file, writer, thread);
      fprintf (file, ",\n\"slices\":[%s],\"points\":[%s]}", thread->slices ? thread->slices : "",
               thread->points ? thread->points : "");
    }
  fputs ("\n]", file);
}

static void
write_places (FILE *file, const struct sites *sites)
{
  char where[SITE_TEXT];

  fputs (",\n\"site\":[", file);
  for (size_t i = 0; i < sites->count; i++)
    {
      fputs (i ? ",\n[" : "\n[", file);
      write_json_text (file, sites->site[i].name);
      putc (',', file);
      write_json_text (file, site_text (where, sizeof where, &sites->site[i]));
      fprintf (file, ",%d]", sites->site[i].event->category);
    }
  fputs ("\n]", file);
}

/* [site, count, inclusive, exclusive, longest, least, most, the most's thread, imbalance,
   bytes, remote bytes, count of those that were recorded] */
static void
write_tallies (FILE *file, const struct page_writer *writer, const char *name,
               const struct tally *tallies, uint32_t count)
{
  size_t found;
  uint32_t *order = profile_order (tallies, count, &found, profile_by_inclusive);

  fprintf (file, ",\n\"%s left out\":%zu,\n\"%s\":[", name,
           found > MOST_ROWS ? found - MOST_ROWS : 0, name);
  for (size_t i = 0; i < found && i < MOST_ROWS; i++)
    {
      const struct tally *tally = &tallies[order[i]];

      fprintf (file, "%s\n[%u,%llu,%.0f,%.0f,%.0f,%.0f,%.0f,%u,%.4f,%llu,%llu,%llu]", i ? "," : "",
               tally->site, (unsigned long long) tally->count, tally->inclusive, tally->exclusive,
               tally->longest, tally->least, tally->most, tally->most_thread,
               tally_imbalance (tally, writer->trace->threads), (unsigned long long) tally->bytes,
               (unsigned long long) tally->remote_bytes, (unsigned long long) tally->timed);
    }
  fputs ("\n]", file);
  free (order);
}

/* Of more threads than there are cells, neighbours share one. */
static void
write_cells (FILE *file, const struct page_writer *writer)
{
  unsigned threads = writer->trace->threads;
  unsigned each = (threads + MATRIX_CELLS - 1) / MATRIX_CELLS, cells = (threads + each - 1) / each;
  uint64_t *cell = xcalloc ((size_t) cells * cells, sizeof *cell);

  for (unsigned from = 0; from < threads; from++)
    for (unsigned to = 0; to < threads; to++)
      cell[from / each * cells + to / each]
          += writer->profile->matrix[(size_t) from * threads + to];
  fprintf (file, ",\n\"threads a cell\":%u,\n\"matrix\":[", each);
  for (unsigned i = 0; i < cells * cells; i++)
    fprintf (file, "%s%llu", i ? "," : "", (unsigned long long) cell[i]);
  fputs ("]", file);
  free (cell);
}

static void
write_data (FILE *file, const struct page_writer *writer)
{
  const struct trace *trace = writer->trace;
  const char *remarks = trace_remarks (trace);

  fputs ("{\"program\":", file);
  write_json_text (file, trace->program);
  fputs (",\"command\":", file);
  write_json_text (file, trace->command);
  fputs (",\"host\":", file);
  write_json_text (file, trace->host);
  fputs (",\"date\":", file);
  write_json_text (file, trace->date);
  fputs (",\"remarks\":", file);
  write_json_text (file, remarks);
  fputs (",\"sources\":", file);
  write_json_text (file, trace->sources);
  fprintf (file, ",\"threads\":%u,\"events\":%llu,\"ns\":%lld,\"left out\":%llu,\n\"category\":[",
           trace->threads, (unsigned long long) trace->events, (long long) trace->duration_ns,
           (unsigned long long) writer->left_out);
  for (int c = 0; c < TRACE_CATEGORIES; c++)
    {
      fputs (c ? "," : "", file);
      write_json_text (file, trace_category_name (c));
    }
  fputs ("]", file);
  write_places (file, &trace->sites);
  write_tallies (file, writer, "rows", writer->profile->row, trace->sites.rows);
  write_tallies (file, writer, "calls", writer->profile->call, trace->sites.calls);
  write_cells (file, writer);
  write_threads (file, writer);
  heap_bins_end (writer->heaps, file);
  handovers_end (writer->handovers, file);
  fputs ("}\n", file);
}

/* Writes the page up to MARK, which is left out, and returns what is behind it. */
static const char *
write_up_to (FILE *file, const char *page, const char *mark)
{
  const char *at = strstr (page, mark);

  fwrite (page, 1, at - page, file);
  return at + strlen (mark);
}

static void
free_page (struct page_writer *writer)
{
  for (unsigned t = 0; t < writer->trace->threads; t++)
    {
      free (writer->thread[t].bin);
      free (writer->thread[t].slices);
      free (writer->thread[t].points);
    }
  free (writer->thread);
  free (writer->stack);
  free (writer);
}

void
page_end (struct page_writer *writer, const char *folder)
{
  FILE *file = create_file (folder, "report.html");
  const char *at = write_up_to (file, page_html, "@STYLE@");

  fputs (page_css, file);
  at = write_up_to (file, at, "@DATA@");
  write_data (file, writer);
  at = write_up_to (file, at, "@SCRIPT@");
  fputs (page_js, file);
  fputs (page_arrows_js, file);
  fputs (page_select_js, file);
  fputs (page_memory_js, file);
  fputs (page_compare_js, file);
  fputs (page_timeline_js, file);
  fputs (at, file);
  close_file (file, folder, "report.html");
  free_page (writer);
}
