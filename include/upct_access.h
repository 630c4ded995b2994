/* upct_access.h: shared data as compiled UPC programs reach it. The driver includes
   it before the program; what the translator writes calls these functions, all of
   them inline. Only builtin types, no other headers, names that C leaves to
   implementations; C89 with GNU extensions, so that any -std takes it.

   A relaxed access is a C lvalue of the element's type at an address that these
   functions compute: everything a C compiler knows to do with loads and stores it
   does here too.

   Block sizes and element sizes are constants wherever the translator calls, so
   that branches on them and divisions by them fold away. Element sizes are those
   of the ultimate element type, and so are the units of indexes and distances.

   A division by THREADS, where it is no constant, is a multiplication by a
   reciprocal that the runtime keeps (see runtime/start/start.h). */

#ifndef _UPCT_ACCESS_H
#define _UPCT_ACCESS_H
#pragma GCC system_header

#include "upct_segment.h"

#define __UPC_INLINE \
  static __inline__ __attribute__ ((__always_inline__, __artificial__, __unused__))

/* What the runtime provides. These never change once the program's code runs, so
   the compiler may keep them in registers across calls and stores. */
#ifndef __UPC_FIXED
#define __UPC_FIXED const
#endif
#ifdef __UPC_STATIC_THREADS__
enum { __upc_threads = THREADS };
#else
extern __UPC_FIXED int __upc_threads __asm__ ("THREADS");
extern __UPC_FIXED unsigned long __upc_threads_reciprocal;
#endif
extern __thread __UPC_FIXED int __upc_mythread;
extern __thread int __upc_depth;
extern void __upc_notify (int __id);
extern void __upc_wait (int __id);
extern void __upc_barrier (int __id);
extern void __upc_fence (void);
/* The value of a barrier that has none. */
enum { __upc_no_id = -__INT_MAX__ - 1 };
extern char __upc_shared_start[] __attribute__ ((__visibility__ ("hidden")));

/* Where the program's image of static shared data begins; an object's distance from it
   is the object's offset. GCC must not see the symbol: in the difference of two symbols
   it may take either for the object that the address lies in, and then it believes
   that two addresses of one array are of two objects. So it reads a constant. */
extern char *const __upc_image_start;

__UPC_INLINE unsigned long
__upc_image (void)
{
#ifdef __clang__
  return (unsigned long) __upc_shared_start;
#else
  return (unsigned long) __upc_image_start;
#endif
}

/* The representation. */

#ifdef __UPC_PTS_STRUCT__

typedef struct
{
  unsigned long __vaddr;
  unsigned int __thread_index;
  unsigned int __phase;
} __upc_pts;

__UPC_INLINE __upc_pts
__upc_make (unsigned long __thread_index, unsigned long __offset, unsigned long __phase)
{
  __upc_pts __p;

  __p.__vaddr = __offset + __upc_image ();
  __p.__thread_index = __thread_index;
  __p.__phase = __phase;
  return __p;
}

__UPC_INLINE unsigned long
__upc_offset (__upc_pts __p)
{
  return __p.__vaddr - __upc_image ();
}

__UPC_INLINE unsigned long
__upc_thread (__upc_pts __p)
{
  return __p.__thread_index;
}

__UPC_INLINE unsigned long
__upc_phase (__upc_pts __p)
{
  return __p.__phase;
}

__UPC_INLINE __upc_pts
__upc_null (void)
{
  __upc_pts __p = { 0, 0, 0 };

  return __p;
}

__UPC_INLINE int
__upc_equal (__upc_pts __p, __upc_pts __q)
{
  return __p.__vaddr == __q.__vaddr && __p.__thread_index == __q.__thread_index;
}

/* P moved by signed distances in each field; the results are in range. */
__UPC_INLINE __upc_pts
__upc_shift (__upc_pts __p, long __bytes, long __threads, long __phases)
{
  __p.__vaddr += __bytes;
  __p.__thread_index += __threads;
  __p.__phase += __phases;
  return __p;
}

__UPC_INLINE __upc_pts
__upc_reset_phase (__upc_pts __p)
{
  __p.__phase = 0;
  return __p;
}

__UPC_INLINE unsigned long
__upc_addrfield (__upc_pts __p)
{
  return __p.__vaddr;
}

/* P as an integer, where a program casts it. */
__UPC_INLINE unsigned long
__upc_integer (__upc_pts __p)
{
  return __p.__vaddr;
}

/* BYTES past P in its own partition. */
__UPC_INLINE void *
__upc_address_past (__upc_pts __p, long __bytes)
{
  return (void *) (__p.__vaddr + __bytes - __upc_image () + __UPC_SEGMENT_BASE
                   + ((unsigned long) __p.__thread_index << __UPC_STRIDE_BITS));
}

#else

typedef struct
{
  unsigned long __bits;
} __upc_pts;

#define __UPC_OFFSET_SHIFT (__UPC_THREAD_BITS + __UPC_PHASE_BITS)

__UPC_INLINE __upc_pts
__upc_make (unsigned long __thread_index, unsigned long __offset, unsigned long __phase)
{
  __upc_pts __p;

  __p.__bits = __offset << __UPC_OFFSET_SHIFT | __thread_index << __UPC_PHASE_BITS | __phase;
  return __p;
}

__UPC_INLINE unsigned long
__upc_offset (__upc_pts __p)
{
  return __p.__bits >> __UPC_OFFSET_SHIFT;
}

__UPC_INLINE unsigned long
__upc_thread (__upc_pts __p)
{
  return __p.__bits >> __UPC_PHASE_BITS & ((1ul << __UPC_THREAD_BITS) - 1);
}

__UPC_INLINE unsigned long
__upc_phase (__upc_pts __p)
{
  return __p.__bits & ((1ul << __UPC_PHASE_BITS) - 1);
}

__UPC_INLINE __upc_pts
__upc_null (void)
{
  __upc_pts __p = { 0 };

  return __p;
}

__UPC_INLINE int
__upc_equal (__upc_pts __p, __upc_pts __q)
{
  return (__p.__bits ^ __q.__bits) >> __UPC_PHASE_BITS == 0;
}

/* P moved by signed distances in each field. Every field of the result is in range,
   the offset modulo 2^34, so one addition moves all three: what one field borrows
   from the next the next one's own distance makes up for. */
__UPC_INLINE __upc_pts
__upc_shift (__upc_pts __p, long __bytes, long __threads, long __phases)
{
  __p.__bits += ((unsigned long) __bytes << __UPC_OFFSET_SHIFT)
                + ((unsigned long) __threads << __UPC_PHASE_BITS) + (unsigned long) __phases;
  return __p;
}

__UPC_INLINE __upc_pts
__upc_reset_phase (__upc_pts __p)
{
  __p.__bits = __p.__bits >> __UPC_PHASE_BITS << __UPC_PHASE_BITS;
  return __p;
}

__UPC_INLINE unsigned long
__upc_addrfield (__upc_pts __p)
{
  return __upc_offset (__p);
}

/* P as an integer, where a program casts it. */
__UPC_INLINE unsigned long
__upc_integer (__upc_pts __p)
{
  return __p.__bits;
}

/* BYTES past P in its own partition. The offset is taken modulo 2^34: P may be an
   intermediate value that points before its array, even before the partition. */
__UPC_INLINE void *
__upc_address_past (__upc_pts __p, long __bytes)
{
  unsigned long __moved = __p.__bits + ((unsigned long) __bytes << __UPC_OFFSET_SHIFT);

  return (void *) (__UPC_SEGMENT_BASE + (__upc_thread (__p) << __UPC_STRIDE_BITS)
                   + (__moved >> __UPC_OFFSET_SHIFT));
}

#endif

/* Addresses and tests. */

__UPC_INLINE void *
__upc_address (__upc_pts __p)
{
  return __upc_address_past (__p, 0);
}

__UPC_INLINE int
__upc_is_null (__upc_pts __p)
{
  return __upc_equal (__p, __upc_null ());
}

/* P as a condition. */
__UPC_INLINE int
__upc_is_set (__upc_pts __p)
{
  return !__upc_is_null (__p);
}

/* The cast to a private pointer: null stays null. */
__UPC_INLINE void *
__upc_local (__upc_pts __p)
{
  return __upc_is_null (__p) ? (void *) 0 : __upc_address (__p);
}

__UPC_INLINE int
__upc_is_mine (__upc_pts __p)
{
  return __upc_thread (__p) == (unsigned long) __upc_mythread;
}

/* The affinity of a upc_forall that is an integer. */
__UPC_INLINE int
__upc_is_my_turn (long __n)
{
  long __turn = __n % __upc_threads;

  return (__turn < 0 ? __turn + __upc_threads : __turn) == __upc_mythread;
}

/* Pointer to the static shared object at OBJECT in section upc_shared, and the
   address of its first element, which thread 0 has. */
__UPC_INLINE unsigned long
__upc_offset_of (const volatile void *__object)
{
  return (unsigned long) __object - __upc_image ();
}

__UPC_INLINE __upc_pts
__upc_object (const volatile void *__object)
{
#ifdef __UPC_PTS_STRUCT__
  __upc_pts __p = { (unsigned long) __object, 0, 0 };

  return __p;
#else
  return __upc_make (0, __upc_offset_of (__object), 0);
#endif
}

__UPC_INLINE void *
__upc_object_address (const volatile void *__object)
{
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset_of (__object));
}

/* BYTES into the object P points to: a member, or an element of a member. Its
   type has indefinite layout, so there is no phase (UPC 1.3, 6.4.4). */
__UPC_INLINE __upc_pts
__upc_member (__upc_pts __p, long __bytes)
{
  return __upc_reset_phase (__upc_shift (__p, __bytes, 0, 0));
}

/* Division. */

__UPC_INLINE unsigned long
__upc_divide_by_threads (unsigned long __n)
{
#ifdef __UPC_STATIC_THREADS__
  return __n / THREADS;
#else
  __extension__ typedef unsigned __int128 __upc_wide;

#ifdef __clang__
  /* LLVM would make the whole induction variable 128 bits wide. */
  __asm__ ("" : "+r" (__n));
#endif
  return (unsigned long) (((__upc_wide) (__n << 1) * __upc_threads_reciprocal) >> 64);
#endif
}

/* Rounding towards negative infinity: for negative N, ~N is not negative, and
   floor (N / D) is ~(~N / D). */
__UPC_INLINE long
__upc_floor_threads (long __n)
{
  long __sign = __n >> 63;

  return (long) __upc_divide_by_threads ((unsigned long) (__n ^ __sign)) ^ __sign;
}

__UPC_INLINE long
__upc_floor_block (long __n, unsigned long __block)
{
  long __sign = __n >> 63;

  if (__builtin_constant_p ((__block & (__block - 1)) == 0) && (__block & (__block - 1)) == 0)
    return __n >> __builtin_ctzl (__block);
  return (long) ((unsigned long) (__n ^ __sign) / __block) ^ __sign;
}

/* Arithmetic (UPC 1.3, 6.4.2). BLOCK 0 is the indefinite layout. */

/* How far element N from one with phase PHASE on thread THREAD is, in each field. */
typedef struct
{
  long __elements;
  long __threads;
  long __phases;
} __upc_distance;

__UPC_INLINE __upc_distance
__upc_walk (unsigned long __thread_index, unsigned long __phase, long __n, unsigned long __block)
{
  __upc_distance __d;
  long __blocks, __rows;

  if (__block == 1)
    {
      __rows = __upc_floor_threads ((long) __thread_index + __n);
      __d.__elements = __rows;
      __d.__threads = __n - __rows * __upc_threads;
      __d.__phases = 0;
      return __d;
    }
  __blocks = __upc_floor_block ((long) __phase + __n, __block);
  __rows = __upc_floor_threads ((long) __thread_index + __blocks);
  __d.__phases = __n - __blocks * (long) __block;
  __d.__threads = __blocks - __rows * __upc_threads;
  __d.__elements = __rows * (long) __block + __d.__phases;
  return __d;
}

__UPC_INLINE __upc_pts
__upc_add (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d;

  if (__block == 0)
    return __upc_shift (__p, __n * (long) __bytes, 0, 0);
  __d = __upc_walk (__upc_thread (__p), __block == 1 ? 0 : __upc_phase (__p), __n, __block);
  return __upc_shift (__p, __d.__elements * (long) __bytes, __d.__threads, __d.__phases);
}

/* The address of P[N]. */
__UPC_INLINE void *
__upc_index_address (__upc_pts __p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_distance __d;

  if (__block == 0)
    return __upc_address_past (__p, __n * (long) __bytes);
  __d = __upc_walk (__upc_thread (__p), __block == 1 ? 0 : __upc_phase (__p), __n, __block);
  return (char *) __upc_address_past (__p, __d.__elements * (long) __bytes)
         + __d.__threads * (1L << __UPC_STRIDE_BITS);
}

/* P + 1 and P - 1: no division, a comparison for each field that may wrap. */
__UPC_INLINE __upc_pts
__upc_next (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  long __back = (__block - 1) * __bytes;
  __upc_pts __in_block, __in_row, __in_next_row;

  if (__block == 0)
    return __upc_shift (__p, __bytes, 0, 0);
  __in_block = __upc_shift (__p, __bytes, 0, 1);
  __in_row = __upc_shift (__p, -__back, 1, 1 - (long) __block);
  __in_next_row = __upc_shift (__p, __bytes, 1 - (long) __upc_threads, 1 - (long) __block);
  if (__block != 1 && __upc_phase (__p) != __block - 1)
    return __in_block;
  return __upc_thread (__p) == (unsigned long) __upc_threads - 1 ? __in_next_row : __in_row;
}

__UPC_INLINE __upc_pts
__upc_previous (__upc_pts __p, unsigned long __block, unsigned long __bytes)
{
  long __forward = (__block - 1) * __bytes;
  __upc_pts __in_block, __in_row, __in_previous_row;

  if (__block == 0)
    return __upc_shift (__p, -(long) __bytes, 0, 0);
  __in_block = __upc_shift (__p, -(long) __bytes, 0, -1);
  __in_row = __upc_shift (__p, __forward, -1, (long) __block - 1);
  __in_previous_row = __upc_shift (__p, -(long) __bytes, (long) __upc_threads - 1,
                                   (long) __block - 1);
  if (__block != 1 && __upc_phase (__p) != 0)
    return __in_block;
  return __upc_thread (__p) == 0 ? __in_previous_row : __in_row;
}

/* P - Q in elements. Blocks lie in rows of THREADS: what is left of the offsets
   without the phases is whole rows apart. */
__UPC_INLINE long
__upc_difference (__upc_pts __p, __upc_pts __q, unsigned long __block, unsigned long __bytes)
{
  long __apart = (long) (__upc_offset (__p) - __upc_offset (__q));
  long __phases, __threads, __rows;

  if (__block == 0)
    return __apart / (long) __bytes;
  __phases = __block == 1 ? 0 : (long) __upc_phase (__p) - (long) __upc_phase (__q);
  __threads = (long) __upc_thread (__p) - (long) __upc_thread (__q);
  __rows = (__apart - __phases * (long) __bytes) / (long) (__block * __bytes);
  return (__rows * __upc_threads + __threads) * (long) __block + __phases;
}

/* Updates of pointers in place: the new value, or the old one for p++ and p--. */

__UPC_INLINE __upc_pts
__upc_advance (volatile __upc_pts *__p, long __n, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __moved = __upc_add (*(__upc_pts *) __p, __n, __block, __bytes);

  *(__upc_pts *) __p = __moved;
  return __moved;
}

__UPC_INLINE __upc_pts
__upc_advance_after (volatile __upc_pts *__p, long __n, unsigned long __block,
                     unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_add (__old, __n, __block, __bytes);
  return __old;
}

__UPC_INLINE __upc_pts
__upc_pre_increment (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  return *(__upc_pts *) __p = __upc_next (*(__upc_pts *) __p, __block, __bytes);
}

__UPC_INLINE __upc_pts
__upc_pre_decrement (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  return *(__upc_pts *) __p = __upc_previous (*(__upc_pts *) __p, __block, __bytes);
}

__UPC_INLINE __upc_pts
__upc_post_increment (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_next (__old, __block, __bytes);
  return __old;
}

__UPC_INLINE __upc_pts
__upc_post_decrement (volatile __upc_pts *__p, unsigned long __block, unsigned long __bytes)
{
  __upc_pts __old = *(__upc_pts *) __p;

  *(__upc_pts *) __p = __upc_previous (__old, __block, __bytes);
  return __old;
}

/* Elements of static arrays: thread 0 has the first one, with phase 0. */

__UPC_INLINE __upc_pts
__upc_element (const volatile void *__array, long __n, unsigned long __block,
               unsigned long __bytes)
{
  return __upc_add (__upc_object (__array), __n, __block, __bytes);
}

/* The address of element N, which exists, so that N is not negative. */
__UPC_INLINE void *
__upc_element_address (const volatile void *__array, unsigned long __n, unsigned long __block,
                       unsigned long __bytes)
{
  unsigned long __start = __UPC_SEGMENT_BASE + __upc_offset_of (__array);
  unsigned long __blocks, __rows, __thread_index;

  if (__block == 0)
    return (void *) (__start + __n * __bytes);
  __blocks = __n / __block;
  __rows = __upc_divide_by_threads (__blocks);
  __thread_index = __blocks - __rows * (unsigned long) __upc_threads;
  return (void *) (__start + (__thread_index << __UPC_STRIDE_BITS)
                   + (__n - (__blocks - __rows) * __block) * __bytes);
}

/* The iterations of a upc_forall that are a thread's own, where affinity follows the
   counter: element POSITION + n of a layout for iteration n. Between two blocks of
   its own the thread jumps over those of the others. */
typedef struct
{
  unsigned long __at;    /* the iteration */
  unsigned long __end;   /* how many there are, of all threads */
  unsigned long __left;  /* in the block from here on */
  unsigned long __local; /* which of the elements its thread has */
  unsigned long __thread_index;
  int __visits_all;      /* another upc_forall controls: every iteration is to be done */
} __upc_share;

__UPC_INLINE __upc_share
__upc_share_begin (unsigned long __end, long __position, unsigned long __block, int __visits_all)
{
  __upc_share __s;
  long __blocks = __block == 1 ? __position : __upc_floor_block (__position, __block);
  long __phase = __position - __blocks * (long) __block;
  long __rows = __upc_floor_threads (__blocks);
  long __ahead = __upc_mythread - (__blocks - __rows * __upc_threads);

  __s.__at = 0;
  __s.__end = __end;
  __s.__visits_all = __visits_all;
  __s.__thread_index = __upc_mythread;
  if (__visits_all)
    __s.__thread_index = __blocks - __rows * __upc_threads;
  else if (__ahead != 0)
    {
      if (__ahead < 0)
        {
          __ahead += __upc_threads;
          __rows++;
        }
      __s.__at = __ahead * (long) __block - __phase;
      __phase = 0;
    }
  __s.__left = (long) __block - __phase;
  __s.__local = __rows * (long) __block + __phase;
  return __s;
}

__UPC_INLINE void
__upc_share_next (__upc_share *__s, unsigned long __block)
{
  __s->__at++;
  __s->__local++;
  if (__block != 1 && --__s->__left != 0)
    return;
  __s->__left = __block;
  if (!__builtin_expect (__s->__visits_all, 0))
    {
      __s->__at += (__upc_threads - 1ul) * __block;
      return;
    }
  /* A branch, not conditional moves: they would be on the path of every iteration. */
  __asm__ __volatile__ ("");
  if (++__s->__thread_index == (unsigned long) __upc_threads)
    __s->__thread_index = 0;
  else
    __s->__local -= __block;
}

/* The position of P in a row: what a share that starts at P begins with. */
__UPC_INLINE long
__upc_position (__upc_pts __p, unsigned long __block)
{
  return (long) (__upc_thread (__p) * __block + (__block == 1 ? 0 : __upc_phase (__p)));
}

/* The address of the element of ARRAY that belongs to the iteration. */
__UPC_INLINE void *
__upc_share_address (const volatile void *__array, __upc_share __s, unsigned long __bytes)
{
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset_of (__array)
                   + (__s.__thread_index << __UPC_STRIDE_BITS) + __s.__local * __bytes);
}

/* The order of the loads and stores of strict accesses. */
enum { __upc_strict = __ATOMIC_SEQ_CST };

/* Strict accesses: the order of UPC 1.3, 5.1.2.3 is that of a full fence before
   each, and behind a store; as in runtime/abi/access.c. */
__UPC_INLINE void
__upc_strict_fence (void)
{
#ifdef __UPC_TSAN
  /* ThreadSanitizer does not see fences: every one meets every other here. */
  extern unsigned int __upc_fence_word __asm__ ("upcr_fence_word");

  __atomic_fetch_add (&__upc_fence_word, 1, __ATOMIC_ACQ_REL);
#else
  __atomic_thread_fence (__ATOMIC_SEQ_CST);
#endif
}

/* Behind a strict read of BYTES at VALUE: where threads exceed CPUs, a loop of such
   reads gives the CPU away (runtime/sync/poll.h). */
extern int __upc_crowded;
extern void __upc_strict_read (unsigned long __value);

__UPC_INLINE void
__upc_saw (const void *__value, unsigned long __bytes)
{
  unsigned long __bits = 0;

  if (__builtin_expect (__atomic_load_n (&__upc_crowded, __ATOMIC_RELAXED), 0))
    {
      __builtin_memcpy (&__bits, __value, __bytes);
      __upc_strict_read (__bits);
    }
}

#endif
