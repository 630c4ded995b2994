/* The net room: the other processes of a run. It is only in libupc-mpi.a, and only engines know
   what carries the messages (engine.h).

   Each process has the UPC threads of a range, in the order of its rank. The segment is at the
   same addresses in all processes, and each process has memory in the partitions of its own
   threads. So an address of the segment means the same object everywhere, and shows which process
   has it.

   An operation is started, and is complete when the count that the caller passed is 0 again. Then
   a get has its bytes, and all later loads and gets see what a put has stored. Operations that
   one thread starts for one process are done there in that order. The target does them all: its
   own memory orders its threads' atomic instructions and other processes' requests. */

#ifndef UPCR_NET_H
#define UPCR_NET_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who this process is of how many. Those of a node follow each other, however they were started; it shares
   memory with NEAR of them, itself among them, from FIRST_NEAR on. */
struct upcr_net_place
{
  int rank, size;
  int first_near, near;
};

/* The parent of this process (parent.c): before all else, and before there are threads, as who returns may be a child of the
   caller. Then which of so many THREADS this process has, for the parent to say if it is lost. */
void upcr_net_parent_begin (void);
void upcr_net_parent_tell (int threads);

/* Meets the other processes. Ends the run, with one line, where MPI refuses what this needs. */
void upcr_net_init (void);

struct upcr_net_place upcr_net_place (void);

/* The threads of process RANK, of THREADS dealt out to SIZE processes: the first ones have one more
   where they do not divide evenly. */
struct upcr_net_range
{
  int first, count;
};

struct upcr_net_range upcr_net_range (int threads, int size, int rank);

/* Those of all processes that share memory with this one. */
struct upcr_net_range upcr_net_near_range (int threads);

/* The process that has THREAD. */
int upcr_net_process_of (int threads, int size, int thread);

/* Lets this process share memory with others of its node, MOST of them at most, where the system lets it: each
   gets a file in memory, BYTES long and of zeros, that takes as much as is touched of it and is gone with the
   processes. All processes call it. CPUS is how many CPUs this process may use. */
void upcr_net_share (int most, size_t bytes, int cpus);

/* Those that share memory are a node; from upcr_net_share on, they have numbers. */
int upcr_net_node_count (void);
int upcr_net_first_of_node (int node);
int upcr_net_node_of (int process);

/* Maps BYTES at OFFSET of the file of PROCESS, which is near, at ADDRESS, or anywhere if that is NULL. Not its
   first page, which is the room's. Fails as mmap does. */
void *upcr_net_map (int process, void *address, size_t offset, size_t bytes);

/* All is mapped: the files are closed. */
void upcr_net_close_files (void);

/* How many operations are begun and not complete. */
typedef _Atomic uint32_t upcr_net_open;

/* Stores BYTES at TO in PROCESS's part of the segment. FROM may change when this returns. */
void upcr_net_put (int process, void *to, const void *from, size_t bytes, upcr_net_open *open);

/* The same of the bits that MASK has: for bit-fields, whose neighbours in a byte may be others'. */
void upcr_net_put_bits (int process, void *to, const void *from, const void *mask, size_t bytes,
                        upcr_net_open *open);

/* That in this process. */
void upcr_net_store_own_bits (unsigned char *to, const unsigned char *from,
                              const unsigned char *mask, size_t bytes);

/* Stores BYTE, BYTES times. */
void upcr_net_set (int process, void *to, int byte, size_t bytes, upcr_net_open *open);

/* Fetches BYTES from FROM in PROCESS's part of the segment. */
void upcr_net_get (int process, void *to, const void *from, size_t bytes, upcr_net_open *open);

/* Sends BYTES to a process that receives as many, without being asked: both know what comes. By one thread of each, in
   one order. FROM has to stay as it is until this is complete. */
void upcr_net_send (int process, const void *from, size_t bytes, upcr_net_open *open);
void upcr_net_receive (int process, void *to, size_t bytes, upcr_net_open *open);

/* ROWS rows of COUNT elements: STRIDE bytes from one element to the next, DISTANCE bytes from one row to the next. */
struct upcr_net_section
{
  const char *from;
  int64_t stride, distance;
  size_t count, rows;
};

/* Copies its elements, of BYTES each, from memory of this process to TO: STEP bytes from one to the next, ROW_STEP from
   one row to the next. */
void upcr_net_copy_section (char *to, int64_t step, int64_t row_step,
                            const struct upcr_net_section *section, size_t bytes);

/* Fetches elements of BYTES each, UPCR_NET_LONGEST_JOINED at most, from FROM in PROCESS's part of the segment to TO,
   which follow each other; those of one process together. */
enum
{
  UPCR_GATHER_BODY = 8192,     /* of a message that asks, … */
  UPCR_GATHERED_BYTES = 16384, /* … of its answer if that may be a refusal, … */
  UPCR_MOST_GATHERED
  = 256 << 10 /* … and of others, which go from memory to memory where they are long */
};

struct upcr_net_gather
{
  int process;
  size_t bytes;
  upcr_net_open *open;
  char *
      is_bad; /* NULL, or where a 1 goes if one of them may not be accessed: then nothing comes of a message */
  void *values;
  size_t length, body_bytes; /* of the values asked for, and of the message without its last run */
  const char *first, *last;  /* elements of that run, … */
  unsigned count;            /* … how many it has, … */
  int64_t stride;            /* … and from one to the next, if there are two */
  char body[UPCR_GATHER_BODY];
};

void upcr_net_gather_begin (struct upcr_net_gather *gather, size_t bytes, upcr_net_open *open);
void upcr_net_gather_add (struct upcr_net_gather *gather, int process, void *to, const void *from);
/* Row by row. */
void upcr_net_gather_add_section (struct upcr_net_gather *gather, int process, void *to,
                                  const struct upcr_net_section *section);
void upcr_net_gather_end (struct upcr_net_gather *gather);

/* Whether BYTES of this process's part may be accessed, as others ask; before any does. */
void upcr_net_hook_look_up (bool (*function) (const void *address, size_t bytes));

/* Calls: what the rooms above do at another process. A service replies once, then or later, from
   whatever thread; it must not wait for other processes. */
enum upcr_net_service
{
  UPCR_NET_ALLOC,
  UPCR_NET_FREE,
  UPCR_NET_CHECKED,
  UPCR_NET_USES,
  UPCR_NET_REPORT,
  UPCR_NET_LOCK,
  UPCR_NET_ATOMIC,
  UPCR_NET_OBJECT,
  UPCR_NET_POST,
  UPCR_NET_STAGE,
  UPCR_NET_CALLS,
  UPCR_NET_SEMAPHORE,
  UPCR_NET_CLOCK,
  UPCR_NET_SURVEY,
  UPCR_NET_SERVICES
};

struct upcr_net_caller
{
  int process;
  void *result; /* there */
  upcr_net_open *open;
};

typedef void upcr_net_function (struct upcr_net_caller caller, const void *arguments);

/* What FUNCTION is, in all processes, before any of them calls it. */
void upcr_net_serve (enum upcr_net_service service, upcr_net_function *function);

enum
{
  UPCR_NET_ARGUMENT_BYTES = 1024 /* of a call, and of its result */
};

/* In the own process the function is called at once. */
void upcr_net_call (int process, enum upcr_net_service service, const void *arguments, size_t bytes,
                    void *result, upcr_net_open *open);

/* A call without a reply, which never waits. They are counted: those that this process has begun, and those of other
   processes that it has done. */
struct upcr_net_tells
{
  uint64_t begun, done;
};

struct upcr_net_tells upcr_net_count_tells (void);
void upcr_net_tell (int process, enum upcr_net_service service, const void *arguments,
                    size_t bytes);
void upcr_net_reply (struct upcr_net_caller caller, const void *result, size_t bytes);

/* Stores and calls that go together, in messages of many: joins (join.c). Those of THREAD, a UPC thread of this
   process, are begun here and go when there is enough for a message, when the thread's upcr_net_push says so, or
   soon, by the progress thread. What the thread begins otherwise is to come behind a push; then it is done behind
   what was joined. OPEN counts messages, and is the same in all calls. */
enum
{
  UPCR_NET_LONGEST_JOINED = 256
};

void upcr_net_join_put (int thread, int process, void *to, const void *from, size_t bytes,
                        upcr_net_open *open);

/* The service's reply goes nowhere. */
void upcr_net_join_call (int thread, int process, enum upcr_net_service service,
                         const void *arguments, size_t bytes, upcr_net_open *open);
void upcr_net_push (int thread);

/* By the progress thread: what has been left for a while, of all threads of the process. */
void upcr_net_push_left (void);

/* Deals with what has come; true if something had. Any thread may call it, and a thread of the
   room's own does, now and then, so that no process waits for another one's program. */
bool upcr_net_progress (void);

/* Waits until *OPEN is 0, making progress. */
void upcr_net_await (upcr_net_open *open);

/* One look for what has come, by who waits for something else. */
void upcr_net_look (void);

/* Between two looks at something else that is waited for; *LOOKS counts them, 0 at first. */
void upcr_net_relax (unsigned *looks);

/* Have the processes that share memory more threads than CPUs? Set by upcr_net_share. */
extern bool upcr_net_is_oversubscribed;

/* What upcr_net_progress calls besides, in whatever thread. */
void upcr_net_hook_progress (void (*function) (void));

/* What the progress thread calls besides, at each of its looks. */
void upcr_net_hook_look (void (*function) (void));

/* A barrier of all processes, by one thread of each at a time; all get the greatest of what each gave. Begun once,
   tried until it is over. It is for the start and the end of a run. */
struct upcr_net_most
{
  int64_t value[2];
};

void upcr_net_barrier_begin (struct upcr_net_most mine);
bool upcr_net_barrier_try (struct upcr_net_most *all);

/* A moment on this process's clock (upcr_ticks_now) and on that of process 0, which may be wrong by WIDTH / 2 of the own
   ticks, WIDTH being at least 1. */
struct upcr_net_moment
{
  uint64_t own, first, width;
};

void upcr_net_serve_clock (void);

/* False: nothing tells the two clocks apart, as those of one machine. */
bool upcr_net_compare_clocks (struct upcr_net_moment *moment);

/* Begins the thread that makes progress. After the services are there. */
void upcr_net_start (void);

/* Set when the threads of this process have all ended: upcr_end_process then waits for the others',
   and ends with the first status that is not 0, in the order of ranks. Otherwise it ends all
   processes, at once. */
extern bool upcr_net_is_done;

#endif
