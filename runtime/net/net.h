/* The net room: the other processes of a run. It is in libupc-mpi.a alone, and only engines know
   what carries the messages (engine.h).

   Each process has the UPC threads of a range, in the order of its rank. The segment lies at the
   same addresses in all processes, and each has memory in the partitions of its own threads: so an
   address of the segment means the same object everywhere, and tells whose it is.

   Operations are begun, and are complete when the count that the caller gave them is 0 again: then a
   get has its bytes, and what a put has stored is seen by all loads and gets that come after. What
   one thread begins for one process is done there in that order. All is done by the target: its own
   threads' atomic instructions and other processes' requests are ordered by its own memory. */

#ifndef UPCR_NET_H
#define UPCR_NET_H

#include "runtime/host/host.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who this process is of how many, of which so many are on its node. */
struct upcr_net_place
{
  int rank, size;
  int node_size;
};

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

/* The process that has THREAD. */
int upcr_net_process_of (int threads, int size, int thread);

/* How many operations are begun and not complete. */
typedef _Atomic uint32_t upcr_net_open;

/* Stores BYTES at TO in PROCESS's part of the segment. FROM may change when this returns. */
void upcr_net_put (int process, void *to, const void *from, size_t bytes, upcr_net_open *open);

/* The same of the bits that MASK has: for bit-fields, whose neighbours in a byte may be others'. */
void upcr_net_put_bits (int process, void *to, const void *from, const void *mask, size_t bytes,
                        upcr_net_open *open);

/* Stores BYTE, BYTES times. */
void upcr_net_set (int process, void *to, int byte, size_t bytes, upcr_net_open *open);

/* Fetches BYTES from FROM in PROCESS's part of the segment. */
void upcr_net_get (int process, void *to, const void *from, size_t bytes, upcr_net_open *open);

/* Calls: what the rooms above do at another process. A service replies once, then or later, from
   whatever thread; it must not wait for other processes. */
enum upcr_net_service
{
  UPCR_NET_ALLOC,
  UPCR_NET_FREE,
  UPCR_NET_LOCK,
  UPCR_NET_ATOMIC,
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
  UPCR_NET_ARGUMENT_BYTES = 128 /* of a call, and of its result */
};

/* In the own process the function is called at once. */
void upcr_net_call (int process, enum upcr_net_service service, const void *arguments, size_t bytes,
                    void *result, upcr_net_open *open);
void upcr_net_reply (struct upcr_net_caller caller, const void *result, size_t bytes);

/* Deals with what has come; true if something had. Any thread may call it, and a thread of the
   room's own does, now and then, so that no process waits for another one's program. */
bool upcr_net_progress (void);

/* Waits until *OPEN is 0, making progress. */
void upcr_net_await (upcr_net_open *open);

/* Between two looks at something else that is waited for; *LOOKS counts them, 0 at first. */
void upcr_net_relax (unsigned *looks);

/* A barrier of all processes, by one thread of each at a time; all get the greatest of what each
   gave. Begun once, tried until it is over. */
struct upcr_net_most
{
  int64_t value[2];
};

void upcr_net_barrier_begin (struct upcr_net_most mine);
bool upcr_net_barrier_try (struct upcr_net_most *all);

/* Begins the thread that makes progress. After the services are there. */
void upcr_net_start (void);

/* Set when the threads of this process have all ended: upcr_end_process then waits for the others',
   and ends with the first status that is not 0, in the order of ranks. Otherwise it ends all
   processes, at once. */
extern bool upcr_net_is_done;

#endif
