/* bupc_extensions.h: Berkeley UPC's extensions to UPC. For UPC source; C has no shared types.

   upc.h includes this header, unless BUPC_DISABLE_EXTENSIONS is defined. None of the names is
   reserved: if a program declares one itself, its own declaration is used. If
   BUPC_USE_UPC_NAMESPACE is defined before the first header, most of them also exist with the
   prefix upc_ or UPC_ (upct/bupc_namespace.h).

   No function is collective unless it says so. An error that the runtime detects ends the run
   with a message that names the function and the source line, and exit status 1. */

#ifndef _BUPC_EXTENSIONS_H
#define _BUPC_EXTENSIONS_H

#include <upc.h>

#include <inttypes.h>
#include <stdint.h>

#ifndef __UPC_INLINE
#define __UPC_INLINE static __inline__ __attribute__ ((__unused__))
#endif

#pragma upct extension on

/* Time. Ticks are those of upc_tick.h. */

typedef uint64_t bupc_tick_t;
#define BUPC_TICK_MAX (~(uint64_t) 0)
#define BUPC_TICK_MIN ((uint64_t) 0)

/* Ticks since some moment in the past. */
extern uint64_t bupc_ticks_now (void) __asm__("upc_ticks_now");

/* Converts an interval of ticks to nanoseconds or microseconds, rounded down. The first call may
   wait until 25 ms after the first bupc_ticks_now of the run. */
extern uint64_t bupc_ticks_to_ns (uint64_t __ticks) __asm__("upc_ticks_to_ns");
extern uint64_t bupc_ticks_to_us (uint64_t __ticks);

/* The smallest interval that bupc_ticks_now can resolve, and the time of one call of it, in
   microseconds. Each call measures anew. */
extern double bupc_tick_granularityus (void);
extern double bupc_tick_overheadus (void);

/* Pointers. */

/* Writes a description of PTR to BUFFER, of MAXLEN bytes: its address, upc_addrfield, thread and
   phase, or <NULL>. Returns 0. If MAXLEN is less than BUPC_DUMP_MIN_LENGTH, it returns -1 with EINVAL
   in errno, and BUFFER says so if it has more than 15 bytes. */
#define BUPC_DUMP_MIN_LENGTH 100
#define UPC_DUMP_MIN_LENGTH BUPC_DUMP_MIN_LENGTH
extern int bupc_dump_shared (shared const void *__ptr, char *__buffer, int __maxlen);
extern int upc_dump_shared (shared const void *__ptr, char *__buffer,
                            int __maxlen) __asm__("bupc_dump_shared");

/* PTR + INCR for a PTR to elements of ELEMSZ bytes in blocks of BLOCKELEMS elements: the layout is
   known at run time only. BLOCKELEMS 0 is the indefinite block size. It is an error if ELEMSZ is
   0, or if the phase of PTR is invalid for such blocks. */
extern shared void *bupc_ptradd (shared void *__ptr, size_t __blockelems, size_t __elemsz,
                                 ptrdiff_t __incr);

/* PTR points into the shared memory of the calling thread. Returns the pointer-to-shared to the same
   place in the memory of THREAD, with phase PHASE. It is an error if PTR points elsewhere, or if THREAD
   or PHASE is invalid. */
extern shared void *bupc_local_to_shared (void *__ptr, int __threadid, int __phase);

/* The pointer-to-shared, with phase 0, to what PTR points to, in the shared memory of any thread;
   null if PTR points elsewhere. */
extern shared void *bupc_inverse_cast (void *__ptr);

/* The private address of *PTR, on any thread; null if PTR is null. */
extern void *bupc_cast (shared const void *__ptr) __asm__("upc_cast");

/* Whether bupc_cast has an address for PTR, or for all shared memory of THREAD: 1, except for memory
   of another node (upcc -fupc-network=mpi). It is an error if there is no such THREAD. */
extern int bupc_castable (shared const void *__ptr);
extern int bupc_thread_castable (unsigned int __threadid);

/* How far threads X and Y are from each other: BUPC_THREADS_SAME if they are one thread, else
   BUPC_THREADS_VERYNEAR in one process, _NEAR on one node, _VERYFAR otherwise. It is an error if one
   of them does not exist. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 100
#define BUPC_THREADS_NEAR 200
#define BUPC_THREADS_FAR 300
#define BUPC_THREADS_VERYFAR 400
extern unsigned int bupc_thread_distance (int __x, int __y);

/* The compiler warns, naming both types, if EXPR is not of type TYPE; top-level qualifiers do not
   count. EXPR is not evaluated. */
#ifndef bupc_assert_type
#define bupc_assert_type(expr, type) ((void) __builtin_upct_assert_type (expr, type))
#endif

/* The run. */

/* The same as upc_poll. */
extern void bupc_poll (void) __asm__("upc_poll");

/* The same as exit and getenv. */
extern void bupc_exit (int __status) __asm__("exit") __attribute__ ((__noreturn__));
extern char *bupc_getenv (const char *__name) __asm__("getenv");

/* Traces and statistics of Berkeley UPC. UPCT has none, so these do nothing, and masks are empty.
   bupc_trace_printf takes its arguments in two pairs of parentheses, and does not evaluate them. */
__UPC_INLINE void
bupc_trace_setmask (const char *__mask)
{
  (void) __mask;
}
__UPC_INLINE const char *
bupc_trace_getmask (void)
{
  return "";
}
__UPC_INLINE void
bupc_stats_setmask (const char *__mask)
{
  (void) __mask;
}
__UPC_INLINE const char *
bupc_stats_getmask (void)
{
  return "";
}
__UPC_INLINE int
bupc_trace_gettracelocal (void)
{
  return 0;
}
__UPC_INLINE void
bupc_trace_settracelocal (int __local)
{
  (void) __local;
}
#ifndef bupc_trace_printf
#define bupc_trace_printf(arguments) ((void) 0)
#endif

#pragma upct extension off

#include <upct/bupc_atomic.h>
#include <upct/bupc_copy.h>
#include <upct/bupc_sem.h>

#ifdef BUPC_USE_UPC_NAMESPACE
#include <upct/bupc_namespace.h>
#endif

#endif
