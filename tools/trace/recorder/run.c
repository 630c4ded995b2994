/* Where the trace of a run goes. The folder is NAME.trace in the working directory, or what
   UPC_TRACE says. A trace of an earlier run is replaced, never added to; one of a run that is
   under way is left alone, and so is what is no trace. */

#include "runtime/host/size.h"
#include "tools/trace/recorder/processes.h"
#include "tools/trace/recorder/recorder.h"

#include <upc_tick.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_LIMIT "4G"

/* Of the marker. */
#define RUN_LINE "run %016llx\n"

PROCESS_WIDE struct trace_run trace_run;
PROCESS_WIDE static pthread_once_t once;

void
trace_say (const char *kind, const char *format, ...)
{
  char text[2 * sizeof trace_run.folder];
  va_list args;

  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  dprintf (STDERR_FILENO, "%s: %s: %s\n", program_invocation_short_name, kind, text);
}

bool
stop_run (void)
{
  return !atomic_exchange_explicit (&trace_run.is_stopped, true, memory_order_relaxed);
}

/* False where it is no size. */
static bool
read_limit (size_t *limit)
{
  const char *text = getenv ("UPC_TRACE_LIMIT");

  return upcr_parse_size (text && *text ? text : DEFAULT_LIMIT, 'B', limit) && *limit <= LLONG_MAX;
}

static bool
name_folder (void)
{
  const char *asked = getenv ("UPC_TRACE");
  char name[sizeof trace_run.folder], here[sizeof trace_run.folder];
  int length;

  if (asked && *asked)
    length = snprintf (name, sizeof name, "%s", asked);
  else
    length = snprintf (name, sizeof name, "%s.trace", program_invocation_short_name);
  if (length >= (int) sizeof name || !getcwd (here, sizeof here))
    return false;
  if (*name == '/')
    here[0] = '\0';
  length = snprintf (trace_run.folder, sizeof trace_run.folder, "%s%s%s", here, *here ? "/" : "",
                     name);
  return length < (int) sizeof trace_run.folder - 300;
}

static bool
is_ours (const char *name)
{
  static const char *const ours[] = {
    "run",        "thread-*.bin", "profile.txt", "matrix.tsv",
    "trace.json", "report.html",  "otf2",        "new.*",
  };

  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    if (fnmatch (ours[i], name, 0) == 0)
      return true;
  return false;
}

static bool
is_dots (const char *name)
{
  return strcmp (name, ".") == 0 || strcmp (name, "..") == 0;
}

/* Of folders in the trace all goes; of the trace what a run and upc-trace have made. */
static void
remove_within (int folder, bool all)
{
  DIR *list = fdopendir (folder);
  struct dirent *entry;

  if (!list)
    {
      close (folder);
      return;
    }
  while ((entry = readdir (list)))
    {
      bool goes = all ? !is_dots (entry->d_name)
                      : is_ours (entry->d_name) && strcmp (entry->d_name, "run") != 0;
      int inner;

      if (!goes || unlinkat (dirfd (list), entry->d_name, 0) == 0)
        continue;
      inner = openat (dirfd (list), entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      if (inner >= 0)
        remove_within (inner, true);
      unlinkat (dirfd (list), entry->d_name, AT_REMOVEDIR);
    }
  closedir (list);
}

/* Is there something in it, and no trace? */
static bool
is_foreign (int folder)
{
  DIR *list = fdopendir (openat (folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct dirent *entry;
  bool is_trace = false, has_others = false;

  if (!list)
    return true;
  while ((entry = readdir (list)))
    if (strcmp (entry->d_name, "run") == 0)
      is_trace = true;
    else if (!is_dots (entry->d_name))
      has_others = true;
  closedir (list);
  return has_others && !is_trace;
}

/* The marker, locked as long as the process lives. -1: errno says why; EWOULDBLOCK where
   another run has the folder. */
static int
lock_marker (int folder)
{
  char head[sizeof TRACE_MARKER - 1];
  int marker = openat (folder, "run", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666), high;
  ssize_t length;

  if (marker < 0)
    return -1;
  /* Out of the way of programs that count their files. */
  high = fcntl (marker, F_DUPFD_CLOEXEC, 512);
  if (high >= 0)
    {
      close (marker);
      marker = high;
    }
  length = pread (marker, head, sizeof head, 0);
  errno = 0;
  if (flock (marker, LOCK_EX | LOCK_NB) == 0
      && (length == 0 || (length == sizeof head && memcmp (head, TRACE_MARKER, sizeof head) == 0)))
    return marker;
  errno = errno ? errno : EEXIST;
  close (marker);
  return -1;
}

static bool
write_marker (int marker)
{
  char text[512];
  struct timespec now;
  size_t length;

  clock_gettime (CLOCK_REALTIME, &now);
  trace_run.header.run = (uint64_t) now.tv_sec * 1000000000 + now.tv_nsec
                         + ((uint64_t) getpid () << 40);
  snprintf (text, sizeof text, "%sprogram %.256s\nthreads %d\nprocess %d\n" RUN_LINE, TRACE_MARKER,
            program_invocation_short_name, upcall_threads (), (int) getpid (),
            (unsigned long long) trace_run.header.run);
  length = strlen (text);
  return ftruncate (marker, 0) == 0 && pwrite (marker, text, length, 0) == (ssize_t) length
         && (!has_other_processes () || fsync (marker) == 0);
}

/* False: errno says why. */
static bool
take_folder (void)
{
  int folder, marker, error;

  if (mkdir (trace_run.folder, 0777) != 0 && errno != EEXIST)
    return false;
  folder = open (trace_run.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return false;
  errno = EEXIST;
  marker = is_foreign (folder) ? -1 : lock_marker (folder);
  if (marker < 0)
    {
      error = errno;
      close (folder);
      errno = error;
      return false;
    }
  remove_within (folder, false);
  return write_marker (marker);
}

/* What the headers of all threads have: which run it is, by its words, machine and date. */
static void
fill_header (struct trace_header *header)
{
  int file = open ("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t length = file < 0 ? -1 : read (file, header->command, sizeof header->command);
  struct utsname system;

  if (file >= 0)
    close (file);
  header->version = TRACE_VERSION;
  header->threads = upcall_threads ();
  header->rate = header->first_rate = upc_ticks_to_ns (1ull << TRACE_RATE_SHIFT);
  header->date = time (NULL);
  header->command_bytes = length > 0 ? (uint32_t) length : 0;
  header->program_bytes = strnlen (program_invocation_short_name, sizeof header->program);
  memcpy (header->program, program_invocation_short_name, header->program_bytes);
  if (uname (&system) == 0)
    {
      header->host_bytes = strnlen (system.nodename, sizeof header->host);
      memcpy (header->host, system.nodename, header->host_bytes);
    }
}

static void
make_folder_ready (void)
{
  if (!name_folder ())
    trace_say ("error", "the name of the trace directory is too long; the run is not traced");
  else if (take_folder ())
    trace_run.has_folder = true;
  else if (errno == EWOULDBLOCK)
    trace_say ("error",
               "%s is the trace of a run in progress; this run is not traced "
               "(UPC_TRACE=DIRECTORY chooses another one)",
               trace_run.folder);
  else if (errno == EEXIST)
    trace_say ("error",
               "%s exists and is not a trace; the run is not traced "
               "(UPC_TRACE=DIRECTORY chooses another one)",
               trace_run.folder);
  else
    trace_say ("error", "cannot write the trace to %s: %s; the run is not traced", trace_run.folder,
               strerror (errno));
}

/* Is it the folder that thread 0's process has made ready, where another process sees it? */
static bool
is_of_run (void)
{
  char path[sizeof trace_run.folder + 8], text[512] = "", wanted[64];
  int marker;

  snprintf (path, sizeof path, "%s/run", trace_run.folder);
  snprintf (wanted, sizeof wanted, RUN_LINE, (unsigned long long) trace_run.header.run);
  marker = open (path, O_RDONLY | O_CLOEXEC);
  if (marker < 0)
    return false;
  if (read (marker, text, sizeof text - 1) < 0)
    text[0] = '\0';
  close (marker);
  return strstr (text, wanted) != NULL;
}

static void
join_run (void)
{
  hear_run ();
  if (!trace_run.has_folder || is_of_run ())
    return;
  trace_run.has_folder = false;
  trace_say (
      "error",
      "%s on %.64s is not the directory that thread 0 has made; the process of thread %d is not traced "
      "(UPC_TRACE=DIRECTORY chooses one that all nodes have)",
      trace_run.folder, trace_run.header.host, upcall_mythread ());
}

/* The process of thread 0 tells what is wrong. */
static bool
read_settings (size_t *limit)
{
  bool has_limit = read_limit (limit), has_sample = read_sample ();

  if (!has_limit && leads_run ())
    trace_say (
        "error",
        "invalid value '%s' for UPC_TRACE_LIMIT; expected a size such as 500M; the run is not traced",
        getenv ("UPC_TRACE_LIMIT"));
  else if (!has_sample && leads_run ())
    trace_say ("error",
               "invalid value '%s' for UPC_TRACE_SAMPLE; expected a number from 1 to 1000000; the "
               "run is not traced",
               getenv ("UPC_TRACE_SAMPLE"));
  return has_limit && has_sample;
}

static void
prepare (void)
{
  size_t limit = 0;
  bool is_right = read_settings (&limit);

  /* Each process has its part. */
  limit = (unsigned __int128) limit * count_own_threads () / upcall_threads ();
  atomic_store_explicit (&trace_run.bytes_left, limit, memory_order_relaxed);
  fill_header (&trace_run.header);
  if (!leads_run ())
    join_run ();
  else
    {
      if (is_right)
        make_folder_ready ();
      announce_run ();
    }
  if (!trace_run.has_folder)
    return;
  begin_blocks ();
  begin_traffic ();
}

bool
begin_run (void)
{
  pthread_once (&once, prepare);
  return trace_run.has_folder;
}
