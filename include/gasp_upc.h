/* gasp_upc.h: the events of a UPC program (GASP 1.4, 4 and 5): numbers, types, arguments,
   where each is raised and what it costs.

   Events come from code that upcc compiled with --profile or --profile-local, and from
   objects of GNU UPC and Clang UPC compiled with -fupc-instrument. "code" below: the
   compiled code itself raises the event, around the call or the access, with file and line,
   and from upcc with the column; in objects of the other compilers their `g` entry points do.
   "upcc": only upcc's code does. "runtime": the function does; file is null and line 0 where
   nobody knows them.

   Cost without a tool: a test and a branch around each event in instrumented code, under
   2 ns; none in other code, but for the functions marked "runtime", which have one branch.
   With a tool: a call of some nanoseconds, and what the tool does.

   Each thread's GASP_START events have their GASP_END, properly nested, whatever the way
   out: what longjmp skips is closed at the next event of the thread, and what is open when
   the program ends, by exit, upc_global_exit, _Exit, abort or an error, is closed before the
   exit's own event, at the place and with the arguments that it began with; results that there
   are not are 0 or point to a null pointer-to-shared. User events are the program's own to
   pair. A crash by a signal closes nothing.

   Functions of bupc_extensions.h raise those of the functions of UPC that they are like:
   bupc_memget_async, memput, memcpy, memset and their kin NB_…_INIT, bupc_waitsync and its kin
   NB_SYNC, bupc_memput_signal MEMPUT, bupc_all_reduce_all ALL_REDUCE, bupc_exit COLLECTIVE_EXIT.
   Its others, and functions of gasnet_coll.h, upc_castable.h, upc_io.h and upc_tick.h, raise none.

   Events that this implementation has not (5.5): GASP_UPC_NB_GET_DATA and _PUT_DATA, as
   each transfer is complete when it is started, and the GASP_UPC_CACHE_… ones, as there is
   no cache. Tools that name them all the same are compiled with GASP_ALL_EVENTS,
   GASP_COMPAT_1_3 or GASP_COMPAT_1_5 defined. */

#ifndef _GASP_UPC_H
#define _GASP_UPC_H

#include <gasp.h>

/* Counts up when an event of our own is added. (5.5) */
#define GASP_UPC_VERSION 1

/* User events have the numbers from START to END, inclusive. (5.3) */
#define GASP_UPC_USEREVT_START 1000u
#define GASP_UPC_USEREVT_END 1999u

/* A pointer to one of these is the address of a pointer-to-shared, to be read in UPC code:
   `shared void *p = *(shared void **) dst`, `upc_lock_t *l = *(upc_lock_t **) lck`. The
   specification writes both PTS and pts. (5.4) */
typedef void gasp_upc_PTS_t;
typedef void gasp_upc_pts_t;
typedef void gasp_upc_lock_t;

/* A transfer in flight, a upc_handle_t. The trivial one is complete already. (5.4.6) */
typedef void *gasp_upc_nb_handle_t;
#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t) 0)

/* The type of a reduction: the letters of upc_all_reduceC and its kin. (5.4.8) */
typedef enum
{
  GASP_UPC_REDUCTION_C,
  GASP_UPC_REDUCTION_UC,
  GASP_UPC_REDUCTION_S,
  GASP_UPC_REDUCTION_US,
  GASP_UPC_REDUCTION_I,
  GASP_UPC_REDUCTION_UI,
  GASP_UPC_REDUCTION_L,
  GASP_UPC_REDUCTION_UL,
  GASP_UPC_REDUCTION_F,
  GASP_UPC_REDUCTION_D,
  GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* Table 1: a function of the program begins and ends.
   Start, End: const char *funcsig. The function's type and name and parameters from upcc,
   its name from the other compilers. Code. */
#define GASP_C_FUNC 1u

/* Table 2: the C library's memory.
   MALLOC   Start: size_t nbytes; End: size_t nbytes, void *returnptr
   REALLOC  Start: void *ptr, size_t size; End: void *ptr, size_t size, void *returnptr
   FREE     Start, End: void *ptr
   upcc. */
#define GASP_C_MALLOC 2u
#define GASP_C_REALLOC 3u
#define GASP_C_FREE 4u

/* Table 3: the end.
   COLLECTIVE_EXIT     Start, End: int status. Around the wait for the other threads when
                       main returns or exit is called; exit handlers run after it, without
                       events. Runtime.
   NONCOLLECTIVE_EXIT  Atomic: int status. upc_global_exit, _Exit, _exit, quick_exit, abort, a
                       failed assertion, and an error that ends the run, in the thread that
                       ends it. The status of abort is 134, as shells have it. Runtime. */
#define GASP_UPC_COLLECTIVE_EXIT 5u
#define GASP_UPC_NONCOLLECTIVE_EXIT 6u

/* Table 4: synchronisation statements.
   NOTIFY, WAIT, BARRIER  Start, End: int named, int expr. expr is undefined if named is 0.
   FENCE                  Start, End: none
   Code; GASP_UPC_FENCE from upcc, runtime for the other compilers. */
#define GASP_UPC_NOTIFY 7u
#define GASP_UPC_WAIT 8u
#define GASP_UPC_BARRIER 9u
#define GASP_UPC_FENCE 10u

/* Table 5: upc_forall.
   Start, End: none. Code. */
#define GASP_UPC_FORALL 11u

/* Table 6: the library.
   GLOBAL_ALLOC, ALL_ALLOC  Start: size_t nblocks, size_t nbytes;
                            End: size_t nblocks, size_t nbytes, gasp_upc_PTS_t *newshrd_ptr
   ALLOC                    Start: size_t nbytes; End: size_t nbytes, gasp_upc_PTS_t *newshrd_ptr.
                            upc_local_alloc too.
   FREE                     Start, End: gasp_upc_PTS_t *shrd_ptr. upc_all_free too, in each
                            thread.
   GLOBAL_LOCK_ALLOC, ALL_LOCK_ALLOC  Start: none; End: gasp_upc_lock_t *lck
   LOCK_FREE                Start, End: gasp_upc_lock_t *lck. upc_all_lock_free too.
   LOCK, UNLOCK             Start, End: gasp_upc_lock_t *lck
   LOCK_ATTEMPT             Start: gasp_upc_lock_t *lck; End: gasp_upc_lock_t *lck, int result
   MEMCPY                   Start, End: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n
   MEMGET                   Start, End: void *dst, gasp_upc_PTS_t *src, size_t n
   MEMPUT                   Start, End: gasp_upc_PTS_t *dst, void *src, size_t n
   MEMSET                   Start, End: gasp_upc_PTS_t *dst, int c, size_t n
   Code. */
#define GASP_UPC_GLOBAL_ALLOC 12u
#define GASP_UPC_ALL_ALLOC 13u
#define GASP_UPC_ALLOC 14u
#define GASP_UPC_FREE 15u
#define GASP_UPC_GLOBAL_LOCK_ALLOC 16u
#define GASP_UPC_ALL_LOCK_ALLOC 17u
#define GASP_UPC_LOCK_FREE 18u
#define GASP_UPC_LOCK 19u
#define GASP_UPC_LOCK_ATTEMPT 20u
#define GASP_UPC_UNLOCK 21u
#define GASP_UPC_MEMCPY 22u
#define GASP_UPC_MEMGET 23u
#define GASP_UPC_MEMPUT 24u
#define GASP_UPC_MEMSET 25u

/* Table 7: accesses to shared variables in expressions and assignments.
   GET  Start, End: int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n
   PUT  Start, End: int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n
   The private side may be a temporary. A shared object that is assigned to a shared one by a
   call for both is read, GET, and then written, PUT; the private side of the one and the
   other is then the object's address as the thread sees it.
   Code; with upcc --profile not for accesses to what the thread has affinity to. */
#define GASP_UPC_GET 26u
#define GASP_UPC_PUT 27u

/* Table 8: upc_nb.h.
   NB_GET_INIT  Start: int is_relaxed, void *dst, gasp_upc_PTS_t *src, size_t n;
                End: the same, gasp_upc_nb_handle_t handle
   NB_PUT_INIT  Start: int is_relaxed, gasp_upc_PTS_t *dst, void *src, size_t n;
                End: the same, gasp_upc_nb_handle_t handle
   NB_SYNC      Start, End: gasp_upc_nb_handle_t handle. upc_sync, upc_synci and the attempts.
   upc_memget_nb and _nbi, upc_memput_nb and _nbi; the other two are below. handle is
   GASP_NB_TRIVIAL. Code from upcc, runtime for the other compilers. */
#define GASP_UPC_NB_GET_INIT 28u
#define GASP_UPC_NB_PUT_INIT 30u
#define GASP_UPC_NB_SYNC 32u

/* Table 10: upc_collective.h.
   ALL_BROADCAST, ALL_SCATTER, ALL_GATHER, ALL_GATHER_ALL, ALL_EXCHANGE
     Start, End: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t nbytes, int upc_flags
   ALL_PERMUTE
     Start, End: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, gasp_upc_PTS_t *perm,
                 size_t nbytes, int upc_flags
   ALL_REDUCE, ALL_PREFIX_REDUCE
     Start, End: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, int upc_op, size_t nelems,
                 size_t blk_size, void *func, int upc_flags, gasp_upc_reduction_t type
   Code from upcc, runtime for the other compilers. */
#define GASP_UPC_ALL_BROADCAST 36u
#define GASP_UPC_ALL_SCATTER 37u
#define GASP_UPC_ALL_GATHER 38u
#define GASP_UPC_ALL_GATHER_ALL 39u
#define GASP_UPC_ALL_EXCHANGE 40u
#define GASP_UPC_ALL_PERMUTE 41u
#define GASP_UPC_ALL_REDUCE 42u
#define GASP_UPC_ALL_PREFIX_REDUCE 43u

/* Events of our own, for library functions that GASP 1.4 does not know.
   NB_MEMCPY_INIT  Start: gasp_upc_PTS_t *dst, gasp_upc_PTS_t *src, size_t n;
                   End: the same, gasp_upc_nb_handle_t handle. upc_memcpy_nb and _nbi.
   NB_MEMSET_INIT  Start: gasp_upc_PTS_t *dst, int c, size_t n;
                   End: the same, gasp_upc_nb_handle_t handle. upc_memset_nb and _nbi.
   ATOMIC          Start, End: int is_relaxed, void *fetch, gasp_upc_PTS_t *target, int upc_op,
                   int upc_type. upc_atomic_relaxed and _strict; upc_type as upc_type_t.
   ALL_SORT        Start, End: gasp_upc_PTS_t *a, size_t elem_size, size_t nelems,
                   size_t blk_size, void *func, int upc_flags
   Code from upcc, runtime for the other compilers. */
#define GASP_UPCT_NB_MEMCPY_INIT 500u
#define GASP_UPCT_NB_MEMSET_INIT 501u
#define GASP_UPCT_ATOMIC 502u
#define GASP_UPCT_ALL_SORT 503u

#if defined GASP_ALL_EVENTS || defined GASP_COMPAT_1_3 || defined GASP_COMPAT_1_5
#define GASP_UPC_NB_GET_DATA 29u
#define GASP_UPC_NB_PUT_DATA 31u
#define GASP_UPC_CACHE_MISS 33u
#define GASP_UPC_CACHE_HIT 34u
#define GASP_UPC_CACHE_INVALIDATE 35u
#endif

#ifdef GASP_COMPAT_1_3
#define GASP_USEREVT_START GASP_UPC_USEREVT_START
#define GASP_USEREVT_END GASP_UPC_USEREVT_END
#define GASP_COLLECTIVE_EXIT GASP_UPC_COLLECTIVE_EXIT
#define GASP_NONCOLLECTIVE_EXIT GASP_UPC_NONCOLLECTIVE_EXIT
typedef gasp_upc_reduction_t gasp_upc_reduc_t;
#define GASP_UPC_REDUCE_C GASP_UPC_REDUCTION_C
#define GASP_UPC_REDUCE_UC GASP_UPC_REDUCTION_UC
#define GASP_UPC_REDUCE_S GASP_UPC_REDUCTION_S
#define GASP_UPC_REDUCE_US GASP_UPC_REDUCTION_US
#define GASP_UPC_REDUCE_I GASP_UPC_REDUCTION_I
#define GASP_UPC_REDUCE_UI GASP_UPC_REDUCTION_UI
#define GASP_UPC_REDUCE_L GASP_UPC_REDUCTION_L
#define GASP_UPC_REDUCE_UL GASP_UPC_REDUCTION_UL
#define GASP_UPC_REDUCE_F GASP_UPC_REDUCTION_F
#define GASP_UPC_REDUCE_D GASP_UPC_REDUCTION_D
#define GASP_UPC_REDUCE_LD GASP_UPC_REDUCTION_LD
#endif

#endif
