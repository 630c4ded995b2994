/* The shared room: the segment, its heap, copies.

   The segment is one range of address space: THREADS partitions at a fixed
   stride. The same offset is the same object's piece in every partition:

       address = UPCR_SEGMENT_BASE + thread * UPCR_STRIDE + offset

   Base and stride are constants, so translation is a product and sums. What varies
   from run to run is how much of each partition is reserved. */

#ifndef UPCR_SHARED_H
#define UPCR_SHARED_H

#include "runtime/host/host.h"
#include "runtime/shared/copy.h"
#include "runtime/shared/pts.h"
#include <upct/segment.h>

#include <stdbool.h>
#include <stddef.h>

/* The constants stand in a public header: compiled programs compute with them. */
#define UPCR_SEGMENT_BASE __UPC_SEGMENT_BASE
#define UPCR_STRIDE __UPC_STRIDE
#define UPCR_PARTITION_BYTES (1ul << __UPC_PARTITION_BITS)

/* The first page of a partition is never mapped: offset 0 is the null pointer,
   and a null pointer with a member's offset added still faults. */
#define UPCR_NULL_BYTES UPCR_PAGE_BYTES

static inline char *
upcr_segment_address (uint32_t thread, uint64_t offset)
{
  return (char *) (UPCR_SEGMENT_BASE + thread * UPCR_STRIDE + offset);
}

static inline char *
upcr_pts_address (upcr_pts p)
{
  return upcr_segment_address (upcr_pts_thread (p), upcr_pts_offset (p));
}

/* Reserves the segment and opens the static shared data of all threads. Called
   once by the initial thread. HEAP_BYTES 0 takes what the partition allows. */
void upcr_segment_init (int threads, size_t heap_bytes);

/* Gives it all back, in a process that goes on without UPC threads. */
void upcr_segment_end (int threads);

/* Writes what an address is, when it is one of the segment (see diag.h). */
int upcr_segment_describe (const void *address, char *buffer, unsigned long bytes);

/* The same of an access of so many bytes, or of an unknown number: one that no function is called with, as with -1. */
#define UPCR_SOME_BYTES ((size_t) 1 << 63)
int upcr_describe_access (const void *address, size_t accessed, char *buffer, size_t bytes);

/* Is it in a piece of a static object, of a thread that is not there? */
bool upcr_is_beyond_threads (const void *address);

/* Texts of places in the segment are not longer, but for names that are. */
enum
{
  UPCR_TEXT_BYTES = 640
};

/* Writes what is wrong with an access of BYTES at OFFSET of THREAD's partition: `4 bytes past the
   end of thread 3's piece of 'shared int a[4*THREADS]', declared at f.upc:6`. BYTES 0: what is
   there. Returns the length. */
int upcr_access_text (uint32_t thread, uint64_t offset, uint64_t bytes, char *buffer, size_t size);

/* Null, or what an index or a member has led to from there: no object is. */
bool upcr_is_beside_null (uint64_t thread, uint64_t offset);

/* Writes ` by thread 0 at f.upc:6; thread 1 allocated it at f.upc:5 by upc_global_lock_alloc`, of what
   has been freed at ADDRESS, as far as that is known. */
void upcr_freeing_text (const void *address, char *text, size_t bytes);

/* The same two, whichever process has the partition. Not in signal handlers. */
#ifdef UPCR_NETWORK
void upcr_text_anywhere (uint32_t thread, uint64_t offset, uint64_t bytes, char *text, size_t size);
void upcr_freeing_text_anywhere (const void *address, char *text, size_t bytes);
#else
#define upcr_text_anywhere upcr_access_text
#define upcr_freeing_text_anywhere upcr_freeing_text
#endif

/* Writes which static shared object is or has the pointer-to-shared P: `'l[3]'`, or `byte 8 of 'r[3]'`.
   Threads may be writing there. False: none is found. */
bool upcr_find_pointer (upcr_pts p, char *text, size_t bytes);

/* Ends the run with that text. WHAT: the function that accesses, or NULL. */
_Noreturn void upcr_refuse_access (uint32_t thread, uint64_t offset, uint64_t bytes,
                                   const char *what);

/* The bytes that each thread has of the block in use of all threads which begins at OFFSET; 0: none
   does, or the heap is a checked one. */
uint64_t upcr_symmetric_bytes (uint64_t offset);

/* Whether a block in use begins at OFFSET of THREAD's partition: its own one, or of thread 0 one of all threads. False in a
   checked heap. */
bool upcr_begins_block (uint32_t thread, uint64_t offset);

/* Is the heap a checked one (checked.h)? Set before the segment is made, as the run wants it. */
extern bool upcr_is_checked;
bool upcr_wants_checked_heap (void);

/* In such a run: do BYTES at OFFSET of THREAD's partition, of which this process has the shadow, belong to one object? */
bool upcr_is_whole (uint32_t thread, uint64_t offset, uint64_t bytes);

/* Does memcheck watch the run? It has to see each access where the program does it. */
bool upcr_is_watched (void);

/* Defined in runtime/abi/checked_heap.c, which a program has that checks its accesses or looks for races. */
extern const char upcr_has_checks;
bool upcr_checks_accesses (void);

/* Does the program read the shadow? Defined in runtime/abi/check.c, which it has then. */
extern const char upcr_has_access_checks;
bool upcr_reads_shadow (void);

/* Prints how much of the shared heap is in use, in all and by thread; in a checked heap also where it
   was allocated, the most bytes first. At any time. */
void upcr_report_heap (void);

/* Prints a note for each place whose blocks were never freed, the most bytes first, at the end of a
   run with a checked heap. */
void upcr_report_leaks (void);

/* In a run with a checked heap: the calling thread begins a non-blocking transfer of BYTES by WHAT, to DST or from SRC, one of
   which is null if it is private memory. This returns the handle, 0 if it is implicit or there is no memory; and completes that
   of HANDLE, or the implicit ones, or ends the run if it is none of its own. */
enum upcr_transfer_kind
{
  UPCR_TRANSFER_EXPLICIT,
  UPCR_TRANSFER_IMPLICIT,
  UPCR_TRANSFER_OF_FILE /* an operation of UPC-IO, which may last over barriers */
};
uint64_t upcr_transfer_begin (const char *what, enum upcr_transfer_kind kind, upcr_pts dst,
                              upcr_pts src, size_t bytes);
void upcr_transfer_end (uint64_t handle, const char *what);

/* Ends the run if the calling thread has a transfer under way, which WHAT, a barrier, does not complete. */
void upcr_refuse_transfers (const char *what);

/* Ends the run if a thread has a transfer under way to or from BLOCK, of BYTES, on all threads if it IS_SYMMETRIC, which WHAT
   frees. */
void upcr_refuse_transfers_of (upcr_pts block, uint64_t bytes, bool is_symmetric, const char *what);

/* In a run with a checked heap: prints errors for what the program has written past the ends of blocks in use
   and static objects, at the end of a run; false: nothing. */
bool upcr_report_overruns (void);

/* Prints an error for each transfer that was never completed, at the end of a run; false: for none. */
bool upcr_report_transfers (void);

/* End the run, which has a checked heap, unless one object has the BYTES at P, or at ADDRESS if that
   is in the segment. */
void upcr_check_bytes (upcr_pts p, size_t bytes, const char *what);
void upcr_check_address (const char *address, size_t bytes, const char *what);

/* Ends the run, which has a checked heap, if BYTES are copied to what overlaps them (UPC 1.3, 7.2.5); to
   themselves they may be. */
void upcr_check_apart (upcr_pts dst, upcr_pts src, size_t bytes, const char *what);
/* Ends the run: what is copied to OFFSET of THREAD's partition overlaps what it is copied from. */
void upcr_refuse_overlap_at (uint32_t thread, uint64_t offset, const char *what)
    __attribute__ ((__cold__, __noreturn__));

static inline void
upcr_check_range (upcr_pts p, size_t bytes, const char *what)
{
  if (__builtin_expect (upcr_is_checked, 0))
    upcr_check_bytes (p, bytes, what);
}

#ifdef UPCR_NETWORK
#include "runtime/shared/network/remote.h"
#endif

/* The heap. A null pointer when there is no memory, or the size is 0. WHAT names the caller's
   function in messages; without it that is upc_alloc, or upc_global_alloc. */
upcr_pts upcr_local_alloc (size_t bytes);
upcr_pts upcr_local_alloc_aligned (size_t bytes, size_t alignment, const char *what);
upcr_pts upcr_symmetric_alloc (size_t blocks, size_t block_bytes);
upcr_pts upcr_symmetric_alloc_for (size_t blocks, size_t block_bytes, const char *what);

/* Frees a block of either kind, of any thread; null is nothing. WHAT names the
   caller's function in messages. */
void upcr_heap_free (upcr_pts block, const char *what);

/* The same of what upcr_local_alloc_aligned allocated: a lock, a domain, a semaphore. */
void upcr_library_free (upcr_pts object, const char *what);

/* Memory of the calling thread's partition that the program never sees: no heap keeps account of it, or is slow with it as a
   checked one. Null if there is none; no thread but the calling one frees it. */
char *upcr_scratch_alloc (size_t bytes);
void upcr_scratch_free (char *memory);

/* The bytes of BLOCK in each partition that it is in, of a run with a checked heap; 0: none starts
   there. */
size_t upcr_block_bytes (upcr_pts block, bool *is_symmetric);

/* How many bytes from OFFSET on belong to one object in THREAD's partition, in such a run; 0: none, or it is a block that
   does not start there. */
uint64_t upcr_bytes_ahead (uint32_t thread, uint64_t offset);

/* The same, in every partition. */
uint64_t upcr_bytes_ahead_on_all (uint64_t offset);

/* Gives up the freed blocks that the calling thread keeps for its next allocations. */
void upcr_heap_release (const char *what);

/* Private pointers to the shared objects of any thread. */

/* The kinds of memory of upc_castable.h: all of them. */
enum
{
  UPCR_CASTABLE_ALL = 15
};

/* upc_thread_info_t. Returned in two registers; objects that know only the first two
   members look into the first. */
struct upcr_thread_info
{
  int guaranteed;
  int probable;
  int core;
  int numa_node;
};

void *upcr_cast (upcr_pts p);
struct upcr_thread_info upcr_thread_info (size_t thread);

#endif
