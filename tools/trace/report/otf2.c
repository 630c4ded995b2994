/* An OTF2 archive: otf2/trace.otf2. A location for each UPC thread, a region for each site,
   and for each transfer an RMA operation on one window that stands for all shared memory. */

#include "tools/trace/report/report.h"

#include <otf2/otf2.h>

#include <gasp.h>

#include <stdlib.h>
#include <string.h>

enum
{
  EVENT_CHUNK_BYTES = 1 << 20,
  DEFINITION_CHUNK_BYTES = 4 << 20,
  NODE = 0,
  PROCESS = 0,
  LOCATIONS_GROUP = 0,
  THREADS_GROUP = 1,
  WORLD = 0,
  WINDOW = 0
};

struct otf2_writer
{
  struct trace *trace;
  OTF2_Archive *archive;
  OTF2_EvtWriter *events;
  uint64_t *counts;   /* of each thread's events */
  uint64_t transfers; /* of the thread, as numbers of its operations */
  OTF2_GlobalDefWriter *definitions;
  struct hash_table *strings;
  uint32_t string_count;
};

static OTF2_FlushType
before_flush (void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool final)
{
  (void) data, (void) type, (void) location, (void) caller, (void) final;
  return OTF2_FLUSH;
}

static OTF2_TimeStamp
after_flush (void *data, OTF2_FileType type, OTF2_LocationRef location)
{
  (void) data, (void) type, (void) location;
  return 0;
}

static OTF2_ErrorCode
on_error (void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
          const char *format, va_list args)
{
  const struct otf2_writer *writer = data;
  char text[512];

  (void) file, (void) line, (void) function;
  vsnprintf (text, sizeof text, format, args);
  fail_file (writer->trace->folder, "cannot write the OTF2 archive: %s: %s",
             OTF2_Error_GetDescription (code), text);
}

/* Errors end the program in on_error. */
static void
check (OTF2_ErrorCode code)
{
  if (code != OTF2_SUCCESS)
    fail ("cannot write the OTF2 archive: %s", OTF2_Error_GetDescription (code));
}

struct otf2_writer *
otf2_begin (struct trace *trace, const char *folder)
{
  static const OTF2_FlushCallbacks flush = { before_flush, after_flush };
  struct otf2_writer *writer = xcalloc (1, sizeof *writer);
  char *path = arena_format ("%s/otf2", folder);

  writer->trace = trace;
  writer->counts = xcalloc (trace->threads, sizeof *writer->counts);
  writer->strings = hash_new ();
  OTF2_Error_RegisterCallback (on_error, writer);
  writer->archive = OTF2_Archive_Open (path, "trace", OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                                       DEFINITION_CHUNK_BYTES, OTF2_SUBSTRATE_POSIX,
                                       OTF2_COMPRESSION_NONE);
  if (!writer->archive)
    fail_file (path, "cannot make an OTF2 archive");
  check (OTF2_Archive_SetFlushCallbacks (writer->archive, &flush, NULL));
  check (OTF2_Archive_SetSerialCollectiveCallbacks (writer->archive));
  check (OTF2_Archive_SetCreator (writer->archive, "upc-trace"));
  check (OTF2_Archive_OpenEvtFiles (writer->archive));
  return writer;
}

static void
begin_thread (void *data, unsigned thread)
{
  struct otf2_writer *writer = data;

  writer->events = OTF2_Archive_GetEvtWriter (writer->archive, thread);
  writer->transfers = 0;
}

static const struct site *
site_of (const struct otf2_writer *writer, uint32_t site)
{
  return &writer->trace->sites.site[site];
}

static bool
is_collective (const struct site *site)
{
  return site->event->category == TRACE_COLLECTIVE;
}

static bool
is_get (const struct site *site, uint64_t transfer, OTF2_LocationRef me)
{
  return site->event->payload == TRACE_READ
         || (trace_to_of (transfer) == me && trace_from_of (transfer) != me);
}

/* A copy between two others is a put. */
static void
begin_transfer (struct otf2_writer *writer, const struct site *site, int64_t ns, uint64_t transfer)
{
  unsigned from = trace_from_of (transfer), to = trace_to_of (transfer);
  unsigned threads = writer->trace->threads;
  OTF2_LocationRef me;

  if (is_collective (site))
    {
      check (OTF2_EvtWriter_RmaCollectiveBegin (writer->events, NULL, ns));
      return;
    }
  if (from >= threads || to >= threads)
    return;
  check (OTF2_EvtWriter_GetLocationID (writer->events, &me));
  writer->transfers++;
  if (is_get (site, transfer, me))
    check (OTF2_EvtWriter_RmaGet (writer->events, NULL, ns, WINDOW, from, trace_bytes_of (transfer),
                                  writer->transfers));
  else
    check (OTF2_EvtWriter_RmaPut (writer->events, NULL, ns, WINDOW, to, trace_bytes_of (transfer),
                                  writer->transfers));
  /* It blocks, so nothing comes in between but what the access itself does. */
  check (
      OTF2_EvtWriter_RmaOpCompleteBlocking (writer->events, NULL, ns, WINDOW, writer->transfers));
}

/* What the catalogue says of an event for OTF2; the operation only of collectives. */
static const struct in_otf2
{
  OTF2_RegionRole role;
  OTF2_CollectiveOp operation;
} in_otf2[] = {
#define ROLE(role)                                       \
  {                                                      \
    OTF2_REGION_ROLE_##role, OTF2_COLLECTIVE_OP_ALLTOALL \
  }
#define COLLECTIVE(role, operation)                              \
  {                                                              \
    OTF2_REGION_ROLE_COLL_##role, OTF2_COLLECTIVE_OP_##operation \
  }
#define EVENT(name, number, table, raised, arguments, label, category, role, ...) [number] = role,
#include "runtime/gasp/events.def"
};

static void
end_collective (struct otf2_writer *writer, const struct site *site, int64_t ns, uint64_t transfer)
{
  unsigned from = trace_from_of (transfer), to = trace_to_of (transfer);
  uint64_t bytes = trace_bytes_of (transfer), threads = writer->trace->threads;
  enum trace_payload payload = site->event->payload;
  uint32_t root = OTF2_UNDEFINED_UINT32;
  uint64_t sent = 0, received = bytes;

  if (trace_moves_at_end (site->event))
    check (OTF2_EvtWriter_RmaCollectiveBegin (writer->events, NULL, ns));
  if (payload == TRACE_TO_ROOT || trace_moves_at_end (site->event))
    {
      sent = bytes;
      received = 0;
    }
  if (from == TRACE_EACH)
    sent = received = bytes * threads;
  if ((payload == TRACE_TO_ROOT || payload == TRACE_REDUCE) && to < threads)
    root = to;
  else if (payload == TRACE_FROM_ROOT && from < threads)
    root = from;
  check (OTF2_EvtWriter_RmaCollectiveEnd (writer->events, NULL, ns, in_otf2[site->tag].operation,
                                          OTF2_RMA_SYNC_LEVEL_NONE, WINDOW, root, sent, received));
}

static void
enter (void *data, const struct interval *begun)
{
  struct otf2_writer *writer = data;

  check (OTF2_EvtWriter_Enter (writer->events, NULL, begun->start, begun->site));
  if (begun->has_transfer)
    begin_transfer (writer, site_of (writer, begun->site), begun->start, begun->transfer);
}

static void
leave (void *data, const struct interval *interval)
{
  struct otf2_writer *writer = data;

  if (interval->has_transfer && is_collective (site_of (writer, interval->site)))
    end_collective (writer, site_of (writer, interval->site), interval->end, interval->transfer);
  check (OTF2_EvtWriter_Leave (writer->events, NULL, interval->end, interval->site));
}

/* A moment is a region without a length. */
static void
point (void *data, uint32_t site, int64_t ns, unsigned depth, const uint64_t *words, unsigned count)
{
  struct otf2_writer *writer = data;

  (void) depth, (void) words, (void) count;
  check (OTF2_EvtWriter_Enter (writer->events, NULL, ns, site));
  check (OTF2_EvtWriter_Leave (writer->events, NULL, ns, site));
}

static void
measure (void *data, int64_t ns, bool on)
{
  struct otf2_writer *writer = data;

  check (OTF2_EvtWriter_MeasurementOnOff (writer->events, NULL, ns,
                                          on ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF));
}

static void
end_thread (void *data, unsigned thread, int64_t ns, double outside)
{
  struct otf2_writer *writer = data;

  (void) ns, (void) outside;
  check (OTF2_EvtWriter_GetNumberOfEvents (writer->events, &writer->counts[thread]));
  check (OTF2_Archive_CloseEvtWriter (writer->archive, writer->events));
}

struct visitor
otf2_visitor (struct otf2_writer *writer)
{
  return (struct visitor){ begin_thread, enter, leave, point, NULL, measure, end_thread, writer };
}

static OTF2_StringRef
string_of (struct otf2_writer *writer, const char *text)
{
  uint32_t number = hash_add (writer->strings, text, strlen (text));

  if (number == writer->string_count)
    {
      writer->string_count++;
      check (OTF2_GlobalDefWriter_WriteString (writer->definitions, number, text));
    }
  return number;
}

/* User events and unknown ones are code. */
static OTF2_RegionRole
role_of (const struct site *site)
{
  return site->event->tag ? in_otf2[site->event->tag].role : OTF2_REGION_ROLE_CODE;
}

static OTF2_Paradigm
paradigm_of (const struct site *site)
{
  return site->tag == GASP_C_FUNC                    ? OTF2_PARADIGM_COMPILER
         : site->event->category == TRACE_USER_EVENT ? OTF2_PARADIGM_USER
                                                     : OTF2_PARADIGM_UPC;
}

static void
define_regions (struct otf2_writer *writer)
{
  OTF2_StringRef nothing = string_of (writer, "");

  for (uint32_t i = 0; i < writer->trace->sites.count; i++)
    {
      const struct site *site = site_of (writer, i);
      OTF2_StringRef name = string_of (writer, site->name);
      OTF2_StringRef file = string_of (writer, site->file);
      OTF2_StringRef about = *site->format ? string_of (writer, site->format) : nothing;

      check (OTF2_GlobalDefWriter_WriteRegion (
          writer->definitions, i, name, name, about, role_of (site), paradigm_of (site),
          OTF2_REGION_FLAG_NONE, file, site->line, site->line));
    }
}

static void
define_threads (struct otf2_writer *writer)
{
  const struct trace *trace = writer->trace;
  OTF2_GlobalDefWriter *to = writer->definitions;
  uint64_t *members = xcalloc (trace->threads, sizeof *members);

  check (OTF2_GlobalDefWriter_WriteSystemTreeNode (to, NODE, string_of (writer, "machine"),
                                                   string_of (writer, "machine"),
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
  check (OTF2_GlobalDefWriter_WriteLocationGroup (to, PROCESS, string_of (writer, trace->program),
                                                  OTF2_LOCATION_GROUP_TYPE_PROCESS, NODE,
                                                  OTF2_UNDEFINED_LOCATION_GROUP));
  for (unsigned t = 0; t < trace->threads; t++)
    {
      char name[SHORT_TEXT];

      snprintf (name, sizeof name, "UPC thread %u", t);
      members[t] = t;
      check (OTF2_GlobalDefWriter_WriteLocation (to, t, string_of (writer, name),
                                                 OTF2_LOCATION_TYPE_CPU_THREAD, writer->counts[t],
                                                 PROCESS));
    }
  check (OTF2_GlobalDefWriter_WriteGroup (to, LOCATIONS_GROUP, string_of (writer, "UPC threads"),
                                          OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_UPC,
                                          OTF2_GROUP_FLAG_NONE, trace->threads, members));
  check (OTF2_GlobalDefWriter_WriteGroup (to, THREADS_GROUP, string_of (writer, "all threads"),
                                          OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_UPC,
                                          OTF2_GROUP_FLAG_NONE, trace->threads, members));
  check (OTF2_GlobalDefWriter_WriteComm (to, WORLD, string_of (writer, "all threads"),
                                         THREADS_GROUP, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
  check (OTF2_GlobalDefWriter_WriteRmaWin (to, WINDOW, string_of (writer, "shared memory"), WORLD,
                                           OTF2_RMA_WIN_FLAG_NONE));
  free (members);
}

/* Readers ask each location for definitions of its own: there are none. */
static void
write_local_definitions (struct otf2_writer *writer)
{
  check (OTF2_Archive_OpenDefFiles (writer->archive));
  for (unsigned t = 0; t < writer->trace->threads; t++)
    {
      OTF2_DefWriter *local = OTF2_Archive_GetDefWriter (writer->archive, t);

      check (OTF2_Archive_CloseDefWriter (writer->archive, local));
    }
  check (OTF2_Archive_CloseDefFiles (writer->archive));
}

/* A thread that has left nothing has a location without events. */
static void
write_missing (struct otf2_writer *writer)
{
  for (unsigned t = 0; t < writer->trace->threads; t++)
    if (!writer->trace->thread[t].path)
      {
        begin_thread (writer, t);
        end_thread (writer, t, 0, 0);
      }
}

void
otf2_end (struct otf2_writer *writer)
{
  enum
  {
    NS_A_SECOND = 1000000000
  };

  write_missing (writer);
  check (OTF2_Archive_CloseEvtFiles (writer->archive));
  write_local_definitions (writer);
  writer->definitions = OTF2_Archive_GetGlobalDefWriter (writer->archive);
  check (OTF2_GlobalDefWriter_WriteClockProperties (writer->definitions, NS_A_SECOND, 0,
                                                    writer->trace->duration_ns + 1,
                                                    OTF2_UNDEFINED_TIMESTAMP));
  define_threads (writer);
  define_regions (writer);
  check (OTF2_Archive_CloseGlobalDefWriter (writer->archive, writer->definitions));
  check (OTF2_Archive_Close (writer->archive));
  hash_free (writer->strings);
  free (writer->counts);
  free (writer);
}
