/* Reads a thread's file a chunk at a time. The run may still be writing it: sizes and counts
   are looked at once. */

#include "tools/trace/report/report.h"

#include <gasp.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  FIRST_CHUNK = TRACE_HEADER_BYTES + TRACE_CHUNK_BYTES,
  CHUNK_WORDS = TRACE_CHUNK_BYTES / 8 - 3,
  USER_EVENTS = GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1
};

static const struct user_text no_user_text = { "user event", "" };

int
open_regular (const char *path, struct stat *about)
{
  /* Nobody may ever write to what is a pipe. */
  int file = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

  if (file < 0 || fstat (file, about) != 0)
    fail_file (path, "cannot read: %s", strerror (errno));
  if (!S_ISREG (about->st_mode))
    fail_file (path, "not a file");
  return file;
}

static size_t
read_at (const struct reader *reader, void *bytes, size_t count, off_t offset)
{
  size_t have = 0;

  while (have < count)
    {
      ssize_t got = pread (reader->file, (char *) bytes + have, count - have, offset + have);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        fail_file (reader->path, "cannot read: %s", strerror (errno));
      if (got == 0)
        break;
      have += got;
    }
  return have;
}

static void
check_header (const char *path, const struct trace_header *header)
{
  if (memcmp (header->magic, TRACE_MAGIC, sizeof header->magic) != 0)
    fail_file (path, "not a thread's file of a trace");
  if (header->version != TRACE_VERSION)
    fail_file (path, "format version %u; this upc-trace reads version %d", header->version,
               TRACE_VERSION);
  if (header->threads < 1 || header->threads > TRACE_MAX_THREADS
      || header->thread >= header->threads)
    fail_file (path, "damaged header: thread %u of %u", header->thread, header->threads);
  if (header->rate == 0 || header->rate >> 60 || header->first_rate == 0 || header->first_rate >> 60
      || header->state > TRACE_STOPPED || header->program_bytes > sizeof header->program
      || header->host_bytes > sizeof header->host || header->command_bytes > sizeof header->command)
    fail_file (path, "damaged header");
}

bool
read_header (const char *path, struct trace_header *header)
{
  struct stat about;
  struct reader reader = { .path = path, .file = open_regular (path, &about) };
  static const char nothing[sizeof header->magic];

  memset (header, 0, sizeof *header);
  read_at (&reader, header, sizeof *header, 0);
  close (reader.file);
  if (about.st_size < FIRST_CHUNK && memcmp (header->magic, TRACE_MAGIC, sizeof header->magic) == 0)
    fail_file (path, "too short: %lld bytes", (long long) about.st_size);
  /* The magic is what the recorder writes last. */
  if (memcmp (header->magic, nothing, sizeof nothing) == 0)
    {
      warn_file (path, "empty: the thread had not started");
      return false;
    }
  check_header (path, header);
  return true;
}

/* Of ticks before the trace's beginning: 0. A damaged time may be anything; 2^62 ns are a
   century. */
int64_t
reader_ns (const struct reader *reader, uint64_t ticks)
{
  uint64_t since = ticks_on_first (reader->header, ticks) - reader->origin;
  double ns = since < 1ull << 63 ? (double) since * ns_of_ticks (reader->header->first_rate) : 0;

  return ns < 0x1p62 ? (int64_t) ns : (int64_t) 1 << 62;
}

/* The chunk's own words, before its records are looked at. */
static void
check_chunk (const struct reader *reader, uint64_t number)
{
  const struct trace_chunk *chunk = reader->chunk;

  if (chunk->magic != TRACE_CHUNK_MAGIC)
    fail_file (reader->path, "chunk %llu: damaged", (unsigned long long) number);
  if (chunk->used > CHUNK_WORDS)
    fail_file (reader->path, "chunk %llu: %u words, more than a chunk holds",
               (unsigned long long) number, chunk->used);
  if (chunk->number != number)
    fail_file (reader->path, "chunk %llu: its number is %llu", (unsigned long long) number,
               (unsigned long long) chunk->number);
}

/* How many chunks there are, and whether the open one follows them. */
static void
survey (struct reader *reader, off_t size)
{
  uint64_t complete = size < FIRST_CHUNK ? 0 : (size - FIRST_CHUNK) / TRACE_CHUNK_BYTES;
  struct trace_chunk *open = reader->chunk;

  if (read_at (reader, open, sizeof *open, TRACE_HEADER_BYTES) != sizeof *open)
    fail_file (reader->path, "too short: %lld bytes", (long long) size);
  reader->chunks = complete;
  reader->has_open_chunk = open->number == complete;
  if (open->number > complete)
    {
      warn_file (reader->path, "ends after chunk %llu of %llu; reading up to there",
                 (unsigned long long) complete, (unsigned long long) open->number);
      reader->is_truncated = true;
    }
  /* One less: it has just been appended. */
  else if (complete - open->number > 1)
    fail_file (reader->path, "the open chunk's number is %llu, behind %llu chunks",
               (unsigned long long) open->number, (unsigned long long) complete);
}

void
reader_open (struct reader *reader, const char *path, const struct trace_header *header,
             uint64_t origin, struct sites *sites)
{
  struct stat about;

  *reader = (struct reader){ .path = path, .sites = sites, .header = header, .origin = origin };
  reader->file = open_regular (path, &about);
  reader->chunk = xcalloc (1, sizeof *reader->chunk);
  reader->user = xcalloc (USER_EVENTS, sizeof *reader->user);
  for (int i = 0; i < USER_EVENTS; i++)
    reader->user[i] = no_user_text;
  reader->ns_per_tick = ns_of_ticks (header->rate);
  reader->ticks = header->start_ticks;
  survey (reader, about.st_size);
  reader->chunk->used = 0;
}

void
reader_close (struct reader *reader)
{
  close (reader->file);
  free (reader->chunk);
  free (reader->user);
  free (reader->site_of);
}

static bool
next_chunk (struct reader *reader)
{
  uint64_t number = reader->next++;
  bool is_open = number == reader->chunks;
  off_t offset = is_open ? TRACE_HEADER_BYTES : FIRST_CHUNK + (off_t) number * TRACE_CHUNK_BYTES;

  if (number > reader->chunks || (is_open && !reader->has_open_chunk))
    return false;
  if (read_at (reader, reader->chunk, sizeof *reader->chunk, offset) != sizeof *reader->chunk)
    fail_file (reader->path, "chunk %llu: truncated while it was read",
               (unsigned long long) number);
  /* It was appended since. */
  if (is_open && reader->chunk->number == number + 1)
    return false;
  check_chunk (reader, number);
  reader->position = 0;
  if (reader->chunk->ticks > reader->ticks)
    reader->ticks = reader->chunk->ticks;
  return true;
}

static _Noreturn void
fail_record (const struct reader *reader, const char *what)
{
  fail_file (reader->path, "chunk %llu, word %u: %s", (unsigned long long) reader->next - 1,
             reader->position, what);
}

/* Two texts behind each other in WORDS from FIRST on. */
static void
take_texts (struct reader *reader, const uint64_t *words, unsigned count, unsigned first,
            const char **a, size_t a_bytes, const char **b, size_t b_bytes)
{
  const char *bytes = (const char *) (words + first);

  if (a_bytes + b_bytes > 8 * (size_t) (count - first))
    fail_record (reader, "a string longer than its record");
  /* A text ends at its first zero, whatever its record says. */
  *a = sites_text (reader->sites, bytes, strnlen (bytes, a_bytes));
  *b = sites_text (reader->sites, bytes + a_bytes, strnlen (bytes + a_bytes, b_bytes));
}

static void
define_user (struct reader *reader, const uint64_t *words, unsigned count)
{
  struct user_text text;
  unsigned tag;

  if (count < 1)
    fail_record (reader, "an event's name without its number");
  tag = (uint32_t) words[0];
  take_texts (reader, words, count, 1, &text.name, words[0] >> 32 & 0xffff, &text.format,
              words[0] >> 48);
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END)
    reader->user[tag - GASP_UPC_USEREVT_START] = text;
}

static void
define_site (struct reader *reader, uint32_t site, const uint64_t *words, unsigned count)
{
  const char *file, *name, *format = "";
  unsigned tag;

  if (count < 2)
    fail_record (reader, "a truncated site");
  tag = (uint32_t) words[0];
  take_texts (reader, words, count, 2, &file, words[1] >> 32 & 0xffff, &name, words[1] >> 48);
  if (tag >= GASP_UPC_USEREVT_START && tag <= GASP_UPC_USEREVT_END)
    {
      name = reader->user[tag - GASP_UPC_USEREVT_START].name;
      format = reader->user[tag - GASP_UPC_USEREVT_START].format;
    }
  reader->site_of = grow_array (reader->site_of, site + 1, &reader->site_capacity,
                                sizeof *reader->site_of);
  reader->site_of[site]
      = 1 + sites_add (reader->sites, tag, file, name, format, words[0] >> 32, (uint32_t) words[1]);
}

/* Clocks of two CPUs may differ a little: time never goes back. */
static void
set_ticks (struct reader *reader, const uint64_t *words, unsigned count)
{
  if (count != 1)
    fail_record (reader, "a time that is not one word");
  if (words[0] > reader->ticks)
    reader->ticks = words[0];
}

/* False: it was none that others hear of. */
static bool
take_record (struct reader *reader, struct event *event)
{
  const uint64_t *at = reader->chunk->word + reader->position;
  unsigned count = trace_words_of (*at);
  uint32_t site = trace_site_of (*at);

  if (reader->position + 1 + count > reader->chunk->used)
    fail_record (reader, "a record longer than its chunk");
  *event = (struct event){ .kind = trace_kind_of (*at), .words = at + 1, .count = count };
  switch (event->kind)
    {
    case TRACE_TIME:
      set_ticks (reader, at + 1, count);
      break;
    case TRACE_SITE:
      define_site (reader, site, at + 1, count);
      break;
    case TRACE_USER:
      define_user (reader, at + 1, count);
      break;
    case TRACE_START:
    case TRACE_END:
    case TRACE_ATOMIC:
      if (site >= reader->site_capacity || !reader->site_of[site])
        fail_record (reader, "an event at an unknown site");
      event->site = reader->site_of[site] - 1;
      /* fall through */
    case TRACE_OFF:
    case TRACE_ON:
    case TRACE_PAUSE:
      if (event->kind == TRACE_PAUSE && count != 1)
        fail_record (reader, "a pause that is not one word");
      reader->ticks += (uint32_t) *at;
      event->ns = reader_ns (reader, reader->ticks);
      reader->position += 1 + count;
      return true;
    default:
      fail_record (reader, "not a record");
    }
  reader->position += 1 + count;
  return false;
}

bool
reader_next (struct reader *reader, struct event *event)
{
  for (;;)
    {
      while (reader->position >= reader->chunk->used)
        if (!next_chunk (reader))
          return false;
      if (take_record (reader, event))
        return true;
    }
}
