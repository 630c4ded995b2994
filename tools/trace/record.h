/* What the files of a trace hold: the recorder writes them, upc-trace reads them.

   A trace is a folder. `run` in it marks it as one: it is locked (flock) while the run
   lasts. Each thread has a file of its own, thread-N.bin:

       0        struct trace_header
       4096     the open chunk
       69632    chunk 0, 1, 2, …: complete ones, as they were when they were open

   The header and the open chunk are mapped by the recorder, so what they hold outlives any
   end of the process. A full chunk is appended by one write; then `used` is zeroed, then
   `number` counts up. So the open chunk's records are the file's last ones if its number is
   that of complete chunks in the file, and if it is less they are in the file already. A
   write that was cut off leaves less than a chunk at the end, which is none.

   A chunk is records of 64-bit words, one behind the other. The first word of a record:

       bits 0-31    ticks since the record before, or since the chunk's `ticks`
       bits 32-51   the site, a number that a TRACE_SITE record of this thread has defined
       bits 52-59   how many words follow
       bits 60-63   enum trace_kind

   Files are of the machine that wrote them: little-endian. */

#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stdint.h>

#define TRACE_MAGIC "UPCT-trc"
#define TRACE_MARKER "UPCT trace\n"

enum
{
  TRACE_VERSION = 3,
  TRACE_MAX_THREADS = 1024,
  TRACE_HEADER_BYTES = 4096,
  TRACE_CHUNK_BYTES = 65536,
  TRACE_CHUNK_MAGIC = 0x4b4e4843,
  TRACE_MAX_PAYLOAD = 255, /* words behind the first one */
  TRACE_MAX_SITES = 1 << 20,
  TRACE_MAX_TEXT = 960, /* bytes of each string of a definition */
  TRACE_RATE_SHIFT = 40
};

enum trace_kind
{
  /* Of a get or put: a transfer, and how many accesses it stands for unless that is one. */
  TRACE_START = 1,
  TRACE_END,
  TRACE_ATOMIC,
  TRACE_TIME, /* a word: ticks, where the distance does not fit in 32 bits */
  TRACE_SITE, /* tag | line << 32; column | file bytes << 32 | name bytes << 48; both texts,
                   file first, without ends. The first word's site is what is defined */
  TRACE_USER, /* tag | name bytes << 32 | format bytes << 48; both texts */
  TRACE_OFF,  /* gasp_control */
  TRACE_ON,
  TRACE_PAUSE /* a word: ticks that writing a chunk took, up to this place */
};

/* How the thread stands. What is RUNNING when nobody runs any more was killed. */
enum trace_state
{
  TRACE_RUNNING,
  TRACE_ENDED,
  TRACE_STOPPED /* by upc_global_exit of any thread */
};

/* A moment on a process's clock and on that of thread 0's process, which is wrong by WIDTH / 2 at most. */
struct trace_clock
{
  uint64_t ticks;
  uint64_t first;
  uint64_t width;
};

struct trace_header
{
  char magic[8];
  uint32_t version;
  uint32_t thread;
  uint32_t threads;
  uint32_t state;
  uint64_t run; /* the same number in all files of a run */
  uint64_t start_ticks;
  uint64_t end_ticks; /* 0 while RUNNING */
  uint64_t rate;      /* nanoseconds of 1 << TRACE_RATE_SHIFT ticks */
  /* What recording takes, in 1/256 ticks. Of a start and its end: altogether, and the part
     that lies between the two times; the same with a transfer. */
  uint64_t pair_cost;
  uint64_t pair_inside;
  uint64_t transfer_cost;
  uint64_t transfer_inside;
  uint32_t is_cut; /* UPC_TRACE_LIMIT was reached, or the disk was full */
  uint32_t program_bytes;
  uint64_t dropped; /* events that were not recorded since */
  uint64_t
      cpu_ns;   /* CPU time of the thread since START_TICKS, up to the last full chunk or the end */
  int64_t date; /* when the run began: seconds since 1970 */
  uint32_t host_bytes;
  uint32_t command_bytes;
  char program[256];
  char host[64];
  char command[1024];  /* the program's words, with a zero behind each */
  uint64_t first_rate; /* `rate` of thread 0's process */
  struct trace_clock
      clock[2]; /* at the beginning and at the end; 0: the clock is that of thread 0's process */
};

struct trace_chunk
{
  uint32_t magic;
  uint32_t used; /* words */
  uint64_t number;
  uint64_t ticks; /* when it was begun */
  uint64_t word[TRACE_CHUNK_BYTES / 8 - 3];
};

_Static_assert(sizeof (struct trace_header) <= TRACE_HEADER_BYTES, "the header fits");
_Static_assert(sizeof (struct trace_chunk) == TRACE_CHUNK_BYTES, "a chunk is as large as said");

static inline uint64_t
trace_first_word (enum trace_kind kind, uint32_t site, unsigned words, uint32_t ticks)
{
  return (uint64_t) kind << 60 | (uint64_t) words << 52 | (uint64_t) site << 32 | ticks;
}

static inline enum trace_kind
trace_kind_of (uint64_t first)
{
  return (enum trace_kind) (first >> 60);
}

static inline unsigned
trace_words_of (uint64_t first)
{
  return first >> 52 & 0xff;
}

static inline uint32_t
trace_site_of (uint64_t first)
{
  return first >> 32 & 0xfffff;
}

/* A transfer is one word: bytes, and the threads whose memory is read and written. Where
   TRACE_EACH stands, each thread takes part with that many bytes; NOBODY: no shared
   memory. */
enum
{
  TRACE_EACH = 0xffe,
  TRACE_NOBODY = 0xfff
};
#define TRACE_MAX_BYTES ((1ull << 40) - 1)

static inline uint64_t
trace_transfer (uint64_t bytes, unsigned from, unsigned to)
{
  return (bytes < TRACE_MAX_BYTES ? bytes : TRACE_MAX_BYTES) | (uint64_t) from << 40
         | (uint64_t) to << 52;
}

/* The change of a heap is one word, too: bytes, whose heap it is (TRACE_EACH: as many bytes of
   each thread's), and in the place of a target these. */
enum
{
  TRACE_LESS = 1,       /* bytes were freed; else they were allocated */
  TRACE_SHARED_HEAP = 2 /* else it is the thread's private memory */
};

/* A lock is one word: where it is in its thread's memory, and above that the thread and 1. */
enum
{
  TRACE_LOCK_THREAD_SHIFT = 48
};
#define TRACE_LOCK_PLACE ((1ull << TRACE_LOCK_THREAD_SHIFT) - 1)

static inline uint64_t
trace_bytes_of (uint64_t transfer)
{
  return transfer & TRACE_MAX_BYTES;
}

static inline unsigned
trace_from_of (uint64_t transfer)
{
  return transfer >> 40 & 0xfff;
}

static inline unsigned
trace_to_of (uint64_t transfer)
{
  return transfer >> 52;
}

#endif
