/* The folder: its marker, a file of each thread, and what their headers say together. */

#include "tools/trace/report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/stat.h>
#include <unistd.h>

static void
check_marker (const char *folder)
{
  char head[sizeof TRACE_MARKER] = "";
  char *path = arena_format ("%s/run", folder);
  struct stat about;
  int file;

  if (stat (folder, &about) != 0 && errno == ENOENT)
    fail_file (folder, "no such directory");
  if (stat (folder, &about) != 0)
    fail_file (folder, "cannot read: %s", strerror (errno));
  if (!S_ISDIR (about.st_mode))
    fail_file (folder, "not a directory");
  if (access (path, F_OK) != 0 && errno == ENOENT)
    fail_file (folder, "not a trace: no file 'run' in it");
  file = open_regular (path, &about);
  if (read (file, head, sizeof head - 1) < 0 || strcmp (head, TRACE_MARKER) != 0)
    fail_file (path, "not a trace marker");
  close (file);
}

/* The first file that is there says how many there should be. */
static struct trace_header
find_any (const char *folder)
{
  struct trace_header header;

  for (int t = 0; t < TRACE_MAX_THREADS; t++)
    {
      char *path = arena_format ("%s/thread-%d.bin", folder, t);
      bool is_there = access (path, F_OK) == 0 && read_header (path, &header);

      if (is_there)
        return header;
    }
  fail_file (folder, "no file of a thread in it");
}

static void
open_thread (struct trace *trace, const struct trace_header *first, unsigned number)
{
  struct thread_file *thread = &trace->thread[number];
  char *path = arena_format ("%s/thread-%u.bin", trace->folder, number);
  uint64_t start;

  if (access (path, F_OK) != 0)
    {
      warn_file (path, "is missing");
      trace->missing++;
      return;
    }
  if (!read_header (path, &thread->header))
    {
      trace->missing++;
      return;
    }
  if (thread->header.thread != number)
    fail_file (path, "belongs to thread %u", thread->header.thread);
  if (thread->header.threads != first->threads || thread->header.run != first->run)
    fail_file (path, "belongs to another run");
  thread->path = path;
  trace->dropped += thread->header.dropped;
  trace->is_cut |= thread->header.is_cut || thread->header.dropped;
  trace->killed += thread->header.state != TRACE_ENDED;
  start = ticks_on_first (&thread->header, thread->header.start_ticks);
  if (start < trace->origin)
    trace->origin = start;
}

static void
take_text (char *to, const char *from, uint32_t bytes)
{
  while (bytes && !from[bytes - 1])
    bytes--;
  memcpy (to, from, bytes);
  make_printable (to, bytes);
}

/* Which run it is. The date is the same wherever the trace is looked at. */
static void
name_run (struct trace *trace, const struct trace_header *first)
{
  time_t date = (time_t) first->date;
  struct tm parts;

  take_text (trace->program, first->program, first->program_bytes);
  take_text (trace->host, first->host, first->host_bytes);
  take_text (trace->command, first->command, first->command_bytes);
  if (gmtime_r (&date, &parts))
    strftime (trace->date, sizeof trace->date, "%Y-%m-%d %H:%M:%S UTC", &parts);
}

void
trace_open (struct trace *trace, const char *folder)
{
  struct trace_header first;

  *trace = (struct trace){ .folder = folder, .origin = UINT64_MAX };
  check_marker (folder);
  first = find_any (folder);
  name_run (trace, &first);
  trace->threads = first.threads;
  trace->thread = xcalloc (trace->threads, sizeof *trace->thread);
  for (unsigned t = 0; t < trace->threads; t++)
    open_thread (trace, &first, t);
  sites_begin (&trace->sites);
}

const char *
trace_remarks (const struct trace *trace)
{
  const char *cut = "", *killed = "", *missing = "", *sampled = "";

  if (trace->is_cut)
    cut = arena_format (
        "The recording stopped early, at UPC_TRACE_LIMIT or because the disk was full; "
        "%llu events are not in it. ",
        (unsigned long long) trace->dropped);
  if (trace->killed)
    killed = arena_format (
        "%u of %u threads did not come to an end of their own; what was under way "
        "counts up to the last event. ",
        trace->killed, trace->threads);
  if (trace->missing)
    missing = arena_format ("%u threads have left nothing. ", trace->missing);
  if (trace->sampled)
    sampled = arena_format (
        "Gets and puts are sampled: %llu were recorded, and stand for %llu. Counts and bytes are "
        "estimates for all of them; the time of the others counts for the functions around them. ",
        (unsigned long long) trace->sampled, (unsigned long long) trace->stood_for);
  return arena_format ("%s%s%s%s", cut, killed, missing, sampled);
}
