/* libgasp-trace.a: a tool of gasp.h that records each event of each thread in a file of the
   thread's own.

   The statics here are private to each UPC thread; what is in the section upc_process is
   there once. On the path of an event there are no locks and no memory is allocated: a full
   chunk is one pwrite. */

#ifndef TRACE_RECORDER_H
#define TRACE_RECORDER_H

#include "tools/trace/record.h"
#include "tools/trace/traffic.h"

#include <gasp.h>

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROCESS_WIDE __attribute__ ((section ("upc_process")))

/* A site as the program names it: by the addresses of constant texts. */
struct recorded_site
{
  const char *file;
  const char *name; /* the function's; null of other events */
  uint32_t tag;
  uint32_t line;
  uint32_t column;
  uint32_t number; /* 0: this slot is free */
};

enum
{
  SITE_SLOTS = 1 << 16,
  SITE_MOST = SITE_SLOTS / 4 * 3
};

/* What a thread records with. It lies in pages that a fork leaves zero in the child, which
   so records nothing. */
struct _gasp_context_S
{
  bool is_recording; /* there is a file, and gasp_control has not said stop */
  bool has_file;
  bool has_ended;
  int on; /* as gasp_control was told last */
  int thread;
  uint64_t last;               /* the ticks of the last record */
  uint64_t pause;              /* ticks that writing has taken and no record says yet */
  uint64_t cpu_at_start;       /* CPU time of the thread, in ns */
  struct trace_header *header; /* both mapped */
  struct trace_chunk *chunk;
  uint32_t sites; /* defined so far */
  struct sampling
  {
    uint64_t told;     /* gets and puts, and iterations without any */
    uint64_t accesses; /* gets and puts of an iteration, so far */
    int stands_for;    /* so many the next one that is told */
    int distance;      /* the mean of such */
    uint64_t sampled;  /* the ticks when the last one was told */
  } access, iteration;
  uint32_t weight;      /* accesses that the event being recorded stands for */
  uint32_t chance;      /* a state of random numbers */
  uint64_t *moved;      /* its row of upct_traffic; null: there is none */
  uint64_t reallocated; /* the block that realloc has: as it was (heap.c) */
  unsigned char user_defined[(GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START) / 8 + 1];
  struct recorded_site site[SITE_SLOTS];
};

/* One for the process. */
struct trace_run
{
  atomic_bool is_stopped;  /* nothing is recorded any more, whatever the reason */
  atomic_llong bytes_left; /* bytes that may still be written */
  atomic_flag is_reported;
  atomic_bool is_broken; /* the folder cannot be written to any more */
  bool has_folder;
  struct trace_header header; /* what each thread's begins as */
  char folder[4096];          /* absolute */
};
extern struct trace_run trace_run;

/* run.c: where the trace goes. The first thread that calls it makes the folder ready, the
   others wait for that; false where there is none. */
bool begin_run (void);

/* One line `PROGRAM: trace: KIND: …` on stderr. */
void trace_say (const char *kind, const char *format, ...) __attribute__ ((format (printf, 2, 3)));

/* Stops all recording, for good; true in the first call. */
bool stop_run (void);

/* file.c: the file of a thread. */
bool open_file (gasp_context_t context);
/* From here on time counts. */
void begin_time (gasp_context_t context);
/* The open chunk to the end of the file, and a new one. False when recording has stopped. */
bool write_chunk (gasp_context_t context);
void end_file (gasp_context_t context, enum trace_state state);

/* site.c: the number of a site; defines it in the file when it is new. */
uint32_t add_site (gasp_context_t context, struct recorded_site key, uint32_t slot);

/* user.c: user events, which have the same numbers in all threads. */
unsigned create_event (const char *name, const char *format);
/* The values of an event, as format.h has them; returns how many words. */
unsigned take_values (unsigned tag, va_list args, uint64_t *words);
void define_user_event (gasp_context_t context, unsigned tag);

/* arguments.c: the words that a record says of an event's arguments. */
unsigned take_arguments (gasp_context_t context, unsigned tag, gasp_evttype_t type, va_list args,
                         uint64_t *words);

/* blocks.c: the blocks that are in use, by their addresses: how large each one is and whose. */
bool begin_blocks (void);
/* False: there is no room any more. A key is an address, never 0. */
bool add_block (uint64_t key, uint64_t value);
/* The VALUE that it was added with; 0: none was, or another thread has taken it. */
uint64_t take_block (uint64_t key);

/* heap.c: the changes of heaps, as record.h has them, of an event of tools/trace/events.h. They
   return how many words. */
unsigned take_allocated (gasp_context_t context, unsigned payload, va_list *args, uint64_t *word);
/* The block that realloc is given is taken; returns the bytes asked for. */
uint64_t begin_realloc (gasp_context_t context, va_list *args);
unsigned take_freed (const char *letters, va_list *args, uint64_t *word);

/* traffic.c: what threads have moved up to now, for who watches the run. */
void begin_traffic (void);
void begin_own_traffic (gasp_context_t context);
void count_traffic (gasp_context_t context, uint64_t transfer);
void forget_traffic (gasp_context_t context);

/* sample.c: how many accesses the get or put stands for that begins, one of those that upct_accesses_left or
   upct_iterations_left has let through. */
bool read_sample (void);
uint32_t sample_access (gasp_context_t context);

/* calibrate.c: what recording takes, measured and written to the header. */
void calibrate (gasp_context_t context);

/* report.c: runs upc-trace on the folder. */
void run_report (void);

/* upcall.upc: what only UPC can tell. */
int upcall_mythread (void);
int upcall_threads (void);
/* The thread that *POINTER, a pointer-to-shared, points to. */
int upcall_thread_of (const void *pointer);
/* Its phase. */
size_t upcall_phase_of (const void *pointer);
int upcall_is_null (const void *pointer);
/* Which object it points to, as a number that no other one has and no private address is. */
unsigned long upcall_place_of (const void *pointer);
/* The calling thread's element of the shared int array that *POINTER points to. */
int upcall_own_element (const void *pointer);

/* Room for a record of WORDS words with the first; null when there is none any more. */
static inline uint64_t *
reserve (gasp_context_t context, unsigned words)
{
  struct trace_chunk *chunk = context->chunk;

  if (__builtin_expect (chunk->used + words > sizeof chunk->word / sizeof *chunk->word, 0)
      && !write_chunk (context))
    return NULL;
  return chunk->word + chunk->used;
}

/* The record counts from here on, even when the process is killed: a store that is made is
   in the file's page. The compiler may not make it before those of the record. */
static inline void
commit (gasp_context_t context, unsigned words)
{
  atomic_signal_fence (memory_order_release);
  context->chunk->used += words;
}

#endif
