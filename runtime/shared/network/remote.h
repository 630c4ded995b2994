/* Shared memory of which other processes have a part: part of shared.h in libupc-mpi.a. Addresses are
   those of the segment, which is at the same place in all processes (runtime/net/net.h). An address
   that is not near is never dereferenced; it is sent in a message. */

#ifndef UPCR_SHARED_REMOTE_H
#define UPCR_SHARED_REMOTE_H

#include "runtime/net/net.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern UPCR_PER_PROCESS unsigned long __upc_near_start, __upc_near_bytes;

/* Does ADDRESS lie in a partition that this process has mapped: its own, or one of a process that shares
   memory with it? */
static inline bool
upcr_is_near (const volatile void *address)
{
  return (uintptr_t) address - __upc_near_start < __upc_near_bytes;
}

/* Does it lie in a partition that another node has? Not so private memory. */
static inline bool
upcr_is_far (const volatile void *address)
{
  return (uintptr_t) address - UPCR_SEGMENT_BASE < THREADS * UPCR_STRIDE && !upcr_is_near (address);
}

/* What the partitions of so many THREADS, and their shadows, take of the file of the process that has them. */
size_t upcr_partitions_bytes (int threads);

/* The advice to the system that makes PAGES of a partition empty. */
int upcr_emptying (const void *pages);

/* The process that has THREAD. upcr_know_processes is called once the threads are dealt out: to look it up is what each
   access to far memory does. */
extern int16_t upcr_processes[UPCR_MAX_THREADS];
void upcr_know_processes (void);

static inline int
upcr_process_of (int thread)
{
  return upcr_processes[thread];
}

/* The process that has ADDRESS, which is not near, for an access of BYTES there. Ends the run where
   there is nothing to be accessed. */
int upcr_process_at (const volatile void *address, size_t bytes);

/* Relaxed accesses to BYTES of shared memory at SHARED, of any process. A load waits, and sees what the
   calling thread has stored before. A store that is not near is there at the thread's next
   upcr_flush; VALUE may change at once. */
void upcr_load (void *value, const void *shared, size_t bytes);

/* The same, which has come when OPEN is 0. */
void upcr_load_begin (void *value, const void *shared, size_t bytes, upcr_net_open *open);

void upcr_store (void *shared, const void *value, size_t bytes);

/* The bits of VALUE that MASK has. */
void upcr_store_bits (void *shared, const void *value, const void *mask, size_t bytes);

void upcr_fill (void *shared, int byte, size_t bytes);

/* From shared to shared memory; they may be the same. */
void upcr_transfer (void *to, const void *from, size_t bytes);

/* Counts those of the calling UPC thread that are not there yet. */
upcr_net_open *upcr_own_stores (void);

/* Waits until all that the calling UPC thread has stored is there. */
void upcr_flush (void);

/* The same for all UPC threads of the process, when they have ended. */
void upcr_flush_all (void);

/* Where each partition has so much memory for the runtime, which its thread writes and others read by
   upcr_load. */
enum
{
  UPCR_MAILBOX_BYTES = 1024,
  UPCR_MAILBOX_PLACES = 0 /* where two words of barriers are (sync/network/barrier.c) */
};

char *upcr_mailbox (int thread);

/* The offset at which partitions end, which has to be the same in all processes. */
uint64_t upcr_heap_end (void);

/* At the start, once the segment is there: what other processes ask of this one. */
void upcr_serve_heap (void);
void upcr_serve_checked (void);
void upcr_serve_uses (void);
void upcr_serve_report (void);

/* In a checked heap: do BYTES at ADDRESS, of a partition that is far, belong to one object? */
bool upcr_is_far_and_whole (const void *address, uint64_t bytes);

/* The same of what is near. */
bool upcr_is_near_and_whole (const void *address, size_t bytes);

/* A note: where the calling thread runs. Nothing where that is no UPC thread. May be called in a signal handler. */
void upcr_tell_process (void);

/* Does a thread have that memory, whatever is in it? */
bool upcr_is_shared_memory (const volatile void *address, size_t bytes);

#endif
