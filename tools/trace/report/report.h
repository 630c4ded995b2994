/* upc-trace: reads a trace twice, a thread at a time and a chunk at a time, so that its memory
   depends on what a program has of threads and sites, not on how long it ran. The first
   reading counts (profile.h); the second writes the timelines, which need to know the whole
   to choose what they show.

   The files are what some run left, perhaps damaged: nothing in them is trusted. */

#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "tools/common/common.h"
#include "tools/trace/events.h"
#include "tools/trace/record.h"

#include <stdio.h>
#include <sys/stat.h>

/* site.c: the sites of events, the same for all threads. */

struct site
{
  const char *file; /* never null; "" is not known */
  const char *path; /* the same in reports: below the folder of all */
  const char *name; /* of the function, or of what is called */
  const struct trace_event *event;
  unsigned tag;
  unsigned line;
  unsigned column;
  const char *format; /* a user event's */
  uint32_t call;      /* number of its tag and name: what START and END have in common */
  uint32_t row;       /* number of its call, file and line: a row of the profile */
};

struct sites
{
  struct site *site;
  size_t count, capacity;
  uint32_t calls, rows;
  struct hash_table *texts, *by_site, *by_call, *by_row;
};

void sites_begin (struct sites *sites);
/* When all are known: leaves out of absolute paths the folders that are the same in all, up to and with a
   slash, and returns these; "" for none. */
const char *sites_strip (struct sites *sites);
/* The only copy of these BYTES, with an end; COUNT is below 64 Ki. */
const char *sites_text (struct sites *sites, const char *bytes, size_t count);
/* The number of a site, a new one if it is. */
uint32_t sites_add (struct sites *sites, unsigned tag, const char *file, const char *name,
                    const char *format, unsigned line, unsigned column);

/* clock.c: the TICKS of a thread's process on the clock of thread 0's process. */
uint64_t ticks_on_first (const struct trace_header *header, uint64_t ticks);
double ns_of_ticks (uint64_t rate);

/* reader.c: the records of a thread, in order. */

struct event
{
  enum trace_kind kind; /* START, END, ATOMIC, OFF, ON, PAUSE */
  uint32_t site;
  int64_t ns; /* since the trace began */
  const uint64_t *words;
  unsigned count;
};

/* What the recorder wrote of a user event: by its tag. */
struct user_text
{
  const char *name, *format;
};

struct reader
{
  const char *path;
  int file;
  bool is_truncated;
  uint64_t chunks; /* complete ones in the file, as far as they are read */
  uint64_t next;   /* the chunk after the one being read */
  bool has_open_chunk;
  uint32_t position;
  uint64_t ticks;
  struct trace_chunk *chunk;
  struct sites *sites;
  uint32_t *site_of; /* by the thread's number of the site: the site and 1 */
  size_t site_capacity;
  struct user_text *user;
  double ns_per_tick;
  const struct trace_header *header;
  uint64_t origin; /* see ticks_on_first */
};

/* Opens a plain file to read; what is none ends the program. */
int open_regular (const char *path, struct stat *about);
/* How a thread's file stands; false: it holds nothing, which was said. */
bool read_header (const char *path, struct trace_header *header);
void reader_open (struct reader *reader, const char *path, const struct trace_header *header,
                  uint64_t origin, struct sites *sites);
bool reader_next (struct reader *reader, struct event *event);
/* Nanoseconds since the trace began. */
int64_t reader_ns (const struct reader *reader, uint64_t ticks);
void reader_close (struct reader *reader);

/* trace.c: the folder. */

struct thread_file
{
  char *path; /* null: there is none */
  struct trace_header header;
  int64_t begin_ns, end_ns; /* end: known after the first reading */
  uint64_t events;
  bool is_truncated;
};

struct trace
{
  const char *folder;
  char program[sizeof ((struct trace_header *) 0)->program + 1];
  char host[sizeof ((struct trace_header *) 0)->host + 1];
  char command[sizeof ((struct trace_header *) 0)->command + 1];
  char date[32];
  unsigned threads;
  struct thread_file *thread;
  uint64_t origin; /* see ticks_on_first */
  int64_t duration_ns;
  uint64_t events;
  uint64_t dropped;
  uint64_t sampled, stood_for; /* gets and puts that stand for others, and for how many */
  unsigned killed;             /* threads that did not come to an end */
  unsigned missing;
  bool is_cut;
  struct sites sites;
  const char *sources; /* the folder that the sites' paths are below, or "" */
};

void trace_open (struct trace *trace, const char *folder);
/* How the run ended, in words for the reports; "" for what needs none. */
const char *trace_remarks (const struct trace *trace);

/* replay.c: a thread's records as intervals that nest. */

/* An interval that has ended. Times in ns; what recording takes is taken out of `inclusive`
   and `exclusive`, but not out of `start` and `end`. */
struct interval
{
  uint32_t site;
  unsigned depth;
  int64_t start, end;
  double inclusive, exclusive;
  bool has_transfer;
  uint64_t transfer;
  uint32_t weight;        /* accesses that a get or put stands for, with itself; 1: others */
  const uint64_t *values; /* the start's words of a user event or a number */
  unsigned value_count;
  const uint64_t *end_values;
  unsigned end_count;
  bool is_unfinished;  /* the trace ended in it */
  bool is_continued;   /* the rest of one that another interval's end has split */
  bool is_nested_call; /* in another of the same call */
  bool is_nested_row;
};

/* What a reading is for: functions may be null. */
struct visitor
{
  void (*begin_thread) (void *data, unsigned thread);
  void (*enter) (void *data, const struct interval *begun);
  void (*leave) (void *data, const struct interval *interval);
  void (*point) (void *data, uint32_t site, int64_t ns, unsigned depth, const uint64_t *words,
                 unsigned count);
  void (*heap) (void *data, int64_t ns, uint64_t change); /* record.h has what CHANGE says */
  void (*measure) (void *data, int64_t ns, bool on);
  void (*end_thread) (void *data, unsigned thread, int64_t ns, double outside);
  void *data;
};

/* Reads thread THREAD and tells the VISITORS, up to one whose `data` is null. */
void replay (struct trace *trace, unsigned thread, const struct visitor *visitors);

/* choice.c: which of very many slices are shown: the longest, and of those that are as
   long as the last of them, each thread's first ones. */

struct choice
{
  uint64_t bucket[512];
  unsigned border;      /* the bucket that is shown in part */
  uint64_t each_thread; /* slices of the border's that a thread may show */
  uint64_t left;
  bool is_all;
};

void choice_count (struct choice *choice, int64_t ns);
void choice_decide (struct choice *choice, uint64_t most, unsigned threads);
void choice_begin_thread (struct choice *choice);
bool choice_takes (struct choice *choice, int64_t ns);

/* text.c */

/* "12.3 ms" and the like. */
const char *format_ns (char *buffer, double ns);
const char *format_bytes (char *buffer, double bytes);
enum
{
  SHORT_TEXT = 32
};
/* FILE:LINE, or "?" */
const char *site_text (char *buffer, size_t bytes, const struct site *site);
enum
{
  SITE_TEXT = 1200
};
/* Control characters become spaces: texts are those of programs, and come to a terminal. */
void make_printable (char *text, size_t count);
/* A string of JSON with its quotes; `<` is escaped too, so that it may stand in HTML. */
void write_json_text (FILE *file, const char *text);
void write_html_text (FILE *file, const char *text);
/* The arguments of a user event or the number of a record as text; "" for none. */
const char *values_text (char *buffer, size_t bytes, const struct site *site, const uint64_t *words,
                         unsigned count);
enum
{
  VALUES_TEXT = 1024
};

/* The writers: each makes its files in FOLDER. */

struct profile;
void write_profile (const struct trace *trace, const struct profile *profile, const char *folder);
void write_matrix (const struct trace *trace, const struct profile *profile, const char *folder);

struct otf2_writer;
struct otf2_writer *otf2_begin (struct trace *trace, const char *folder);
struct visitor otf2_visitor (struct otf2_writer *writer);
void otf2_end (struct otf2_writer *writer);

struct chrome_writer;
struct chrome_writer *chrome_begin (struct trace *trace, struct choice choice, const char *folder);
struct visitor chrome_visitor (struct chrome_writer *writer);
void chrome_end (struct chrome_writer *writer);

struct page_writer;
struct page_writer *page_begin (struct trace *trace, const struct profile *profile,
                                struct choice choice);
struct visitor page_visitor (struct page_writer *writer);
/* Behind the second reading: does the page want a third one, of VISITOR? */
bool page_wants_more (struct page_writer *writer, struct visitor *visitor);
void page_end (struct page_writer *writer, const char *folder);

/* output.c: a file in FOLDER, and its end; what cannot be written is an error. */
FILE *create_file (const char *folder, const char *name);
void close_file (FILE *file, const char *folder, const char *name);

#endif
