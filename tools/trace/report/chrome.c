/* trace.json: the trace event format of Chrome, which Perfetto reads too. Intervals are
   complete events ("X") on a track a thread; of more than are worth showing the longest. */

#include "tools/trace/report/report.h"

#include <stdlib.h>

struct chrome_writer
{
  struct trace *trace;
  struct choice choice;
  struct choice points; /* moments all have the length 0 */
  const char *folder;
  FILE *file;
  unsigned thread;
  uint64_t left_out;
};

struct chrome_writer *
chrome_begin (struct trace *trace, struct choice choice, const char *folder)
{
  enum
  {
    MOST_POINTS = 100000
  };
  struct chrome_writer *writer = xcalloc (1, sizeof *writer);

  *writer = (struct chrome_writer){ .trace = trace, .choice = choice, .folder = folder };
  writer->points.each_thread = MOST_POINTS / trace->threads;
  writer->file = create_file (folder, "trace.json");
  fputs ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
         "{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":0,\"tid\":0,\"args\":{\"name\":",
         writer->file);
  write_json_text (writer->file, trace->program);
  fputs ("}}", writer->file);
  return writer;
}

static void
begin_thread (void *data, unsigned thread)
{
  struct chrome_writer *writer = data;

  writer->thread = thread;
  choice_begin_thread (&writer->choice);
  choice_begin_thread (&writer->points);
  fprintf (
      writer->file,
      ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%u,\"args\":{\"name\":\"thread %u\"}},\n"
      "{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":0,\"tid\":%u,\"args\":{\"sort_index\":%u}}",
      thread, thread, thread, thread);
}

/* The format's times are microseconds. */
static void
write_us (FILE *file, const char *name, int64_t ns)
{
  fprintf (file, "\"%s\":%lld.%03d", name, (long long) ns / 1000, (int) (ns % 1000));
}

static void
write_head (struct chrome_writer *writer, const struct site *site, const char *kind)
{
  fprintf (writer->file, ",\n{\"ph\":\"%s\",\"pid\":0,\"tid\":%u,\"cat\":\"%s\",\"name\":", kind,
           writer->thread, trace_category_name (site->event->category));
  write_json_text (writer->file, site->name);
  putc (',', writer->file);
}

static void
write_where (struct chrome_writer *writer, const struct site *site)
{
  char where[SITE_TEXT];

  fputs (",\"args\":{\"at\":", writer->file);
  write_json_text (writer->file, site_text (where, sizeof where, site));
}

static void
write_values (struct chrome_writer *writer, const char *name, const struct site *site,
              const uint64_t *words, unsigned count)
{
  char text[VALUES_TEXT];

  if (!*values_text (text, sizeof text, site, words, count))
    return;
  fprintf (writer->file, ",\"%s\":", name);
  write_json_text (writer->file, text);
}

static void
write_transfer (FILE *file, uint64_t transfer)
{
  fprintf (file, ",\"bytes\":%llu", (unsigned long long) trace_bytes_of (transfer));
  if (trace_from_of (transfer) == TRACE_EACH)
    fputs (",\"from\":\"each thread\"", file);
  else if (trace_from_of (transfer) != TRACE_NOBODY)
    fprintf (file, ",\"from\":%u", trace_from_of (transfer));
  if (trace_to_of (transfer) != TRACE_NOBODY)
    fprintf (file, ",\"to\":%u", trace_to_of (transfer));
}

static void
leave (void *data, const struct interval *interval)
{
  struct chrome_writer *writer = data;
  const struct site *site = &writer->trace->sites.site[interval->site];

  if (!choice_takes (&writer->choice, interval->end - interval->start))
    {
      writer->left_out++;
      return;
    }
  write_head (writer, site, "X");
  write_us (writer->file, "ts", interval->start);
  putc (',', writer->file);
  write_us (writer->file, "dur", interval->end - interval->start);
  write_where (writer, site);
  if (interval->has_transfer)
    write_transfer (writer->file, interval->transfer);
  write_values (writer, "values", site, interval->values, interval->value_count);
  write_values (writer, "values at end", site, interval->end_values, interval->end_count);
  if (interval->is_unfinished)
    fputs (",\"unfinished\":true", writer->file);
  fputs ("}}", writer->file);
}

static void
point (void *data, uint32_t number, int64_t ns, unsigned depth, const uint64_t *words,
       unsigned count)
{
  struct chrome_writer *writer = data;
  const struct site *site = &writer->trace->sites.site[number];

  (void) depth;
  if (!choice_takes (&writer->points, 0))
    {
      writer->left_out++;
      return;
    }
  write_head (writer, site, "i");
  fputs ("\"s\":\"t\",", writer->file);
  write_us (writer->file, "ts", ns);
  write_where (writer, site);
  write_values (writer, "values", site, words, count);
  fputs ("}}", writer->file);
}

struct visitor
chrome_visitor (struct chrome_writer *writer)
{
  return (struct visitor){
    .begin_thread = begin_thread, .leave = leave, .point = point, .data = writer
  };
}

void
chrome_end (struct chrome_writer *writer)
{
  const char *remarks = trace_remarks (writer->trace);

  fputs ("\n],\n\"otherData\":{\"producer\":\"upc-trace\",\"threads\":", writer->file);
  fprintf (writer->file, "%u,\"events\":%llu,\"slices left out\":%llu", writer->trace->threads,
           (unsigned long long) writer->trace->events, (unsigned long long) writer->left_out);
  if (writer->left_out)
    fputs (",\"note\":\"only the longest intervals are here; the profile counts all\"",
           writer->file);
  if (*remarks)
    {
      fputs (",\"remarks\":", writer->file);
      write_json_text (writer->file, remarks);
    }
  fputs ("}}\n", writer->file);
  close_file (writer->file, writer->folder, "trace.json");
  free (writer);
}
