/* upct/pointer.h: pointers-to-shared, packed and struct: fields, addresses and tests.
   Part of upct/access.h. */

#ifndef _UPCT_POINTER_H
#define _UPCT_POINTER_H
#pragma GCC system_header

#include <upct/objects.h>
#include <upct/segment.h>

/* What calls them is instrumented, or is not: gcc 12 crashes where variables of theirs are, and it is not (sanopt). */
#if defined __UPC_ASAN && !defined __clang__
#define __UPC_PLAIN , __no_sanitize__ ("address")
#else
#define __UPC_PLAIN
#endif

#define __UPC_INLINE \
  extern __inline__  \
      __attribute__ ((__gnu_inline__, __always_inline__, __artificial__, __unused__ __UPC_PLAIN))

/* Functions that code calls in the library where it is not optimised (runtime/abi/address.c,
   checked.c): in line an access would be 500 bytes there, and gcc would take 16 times as long as for
   private data. The library defines __UPC_ADDRESS, or __UPC_CHECK, as nothing. */
#if defined __OPTIMIZE__ || defined __UPC_PLUGIN__
#define __UPC_CALL __UPC_INLINE
#else
#define __UPC_CALL extern __inline__ __attribute__ ((__gnu_inline__, __unused__))
#endif

/* Pointers-to-shared and addresses. */
#ifndef __UPC_ADDRESS
#define __UPC_ADDRESS __UPC_CALL
#endif

/* What the runtime provides. These never change once the program's code runs, so
   the compiler may keep them in registers across calls and stores. */
#ifndef __UPC_FIXED
#define __UPC_FIXED const
#endif
#ifdef __UPC_STATIC_THREADS__
enum
{
  __upc_threads = THREADS,
  __upc_threads_log2 = (THREADS & (THREADS - 1)) == 0 && THREADS <= __UPC_MOST_PARTITIONS
                           ? __builtin_ctz (THREADS)
                           : 0
};
#else
extern __UPC_FIXED int __upc_threads;
extern __UPC_FIXED unsigned long __upc_threads_reciprocal;
extern __UPC_FIXED int __upc_threads_log2;
#endif

extern char *__UPC_FIXED __upc_partitions[__UPC_MOST_PARTITIONS];

/* Private variables. On x86-64 upc-privatize reaches them anyway; with the prefix of segment gs
   in the compiler's instructions it has nothing to rewrite; it rewrites the 64-bit addresses of
   other code models in any case. gcc has the word in GNU C alone.
   Where there is no such segment each POSIX thread has them as thread-local ones. */
#ifdef __aarch64__
#if defined __PIC__ && !defined __PIE__
#define __UPC_PRIVATE \
  extern __thread __attribute__ ((__visibility__ ("hidden"), __tls_model__ ("initial-exec")))
#else
#define __UPC_PRIVATE \
  extern __thread __attribute__ ((__visibility__ ("hidden"), __tls_model__ ("local-exec")))
#endif
#elif defined __SEG_GS && defined __code_model_small__ \
    && (defined __clang__ || !defined __STRICT_ANSI__)
#define __UPC_PRIVATE extern __seg_gs __attribute__ ((__visibility__ ("hidden")))
#else
#define __UPC_PRIVATE extern __attribute__ ((__visibility__ ("hidden")))
#endif
#ifdef __UPC_PLUGIN__
/* A plugin is loaded for each UPC thread (runtime/link/upc-plugin.c). */
#define __UPC_OF_PLUGIN extern __attribute__ ((__visibility__ ("hidden")))
__UPC_OF_PLUGIN const int __upc_mythread;
__UPC_OF_PLUGIN int *const __upc_depth_at;
__UPC_OF_PLUGIN const int __upc_is_first;
__UPC_OF_PLUGIN char *const __upc_plugin_image;
#pragma upct plugin
#else
__UPC_PRIVATE __UPC_FIXED int __upc_mythread;
__UPC_PRIVATE int __upc_depth;
#endif

extern char __upc_shared_start[] __attribute__ ((__visibility__ ("hidden")));

/* Where the program's image of static shared data begins; an object's distance from it
   is the object's offset. GCC must not see the symbol: in the difference of two symbols
   it may take either for the object that the address lies in, and then it believes
   that two addresses of one array are of two objects. So it reads a constant. */
extern char *const __upc_image_start;

__UPC_INLINE unsigned long
__upc_image (void)
{
#if defined __clang__ && !defined __UPC_PLUGIN__
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

__UPC_ADDRESS __upc_pts
__upc_make (unsigned long __thread_index, unsigned long __offset, unsigned long __phase)
{
  __upc_pts __p;

  __p.__vaddr = __offset + __upc_image ();
  __p.__thread_index = __thread_index;
  __p.__phase = __phase;
  return __p;
}

__UPC_ADDRESS unsigned long
__upc_offset (__upc_pts __p)
{
  return __p.__vaddr - __upc_image ();
}

__UPC_ADDRESS unsigned long
__upc_thread (__upc_pts __p)
{
  return __p.__thread_index;
}

__UPC_ADDRESS unsigned long
__upc_phase (__upc_pts __p)
{
  return __p.__phase;
}

__UPC_ADDRESS __upc_pts
__upc_null (void)
{
  __upc_pts __p = { 0, 0, 0 };

  return __p;
}

__UPC_ADDRESS int
__upc_equal (__upc_pts __p, __upc_pts __q)
{
  return __p.__vaddr == __q.__vaddr && __p.__thread_index == __q.__thread_index;
}

/* P moved by signed distances in each field; the results are in range. */
__UPC_ADDRESS __upc_pts
__upc_shift (__upc_pts __p, long __bytes, long __threads, long __phases)
{
  __p.__vaddr += __bytes;
  __p.__thread_index += __threads;
  __p.__phase += __phases;
  return __p;
}

__UPC_ADDRESS __upc_pts
__upc_reset_phase (__upc_pts __p)
{
  __p.__phase = 0;
  return __p;
}

__UPC_ADDRESS unsigned long
__upc_addrfield (__upc_pts __p)
{
  return __p.__vaddr;
}

/* P as an integer, where a program casts it. */
__UPC_ADDRESS unsigned long
__upc_integer (__upc_pts __p)
{
  return __p.__vaddr;
}

/* BYTES past P in its own partition. */
__UPC_ADDRESS void *
__upc_address_past (__upc_pts __p, long __bytes)
{
  return (void *) (__p.__vaddr + __bytes - __upc_image () + __UPC_SEGMENT_BASE
                   + __p.__thread_index * __UPC_STRIDE);
}

#else

/* Under -fsanitize=address gcc has each parameter that is a structure in memory, between red zones that the function
   writes: an integer it takes for what it is. Both are passed in the same registers. */
#if defined __SANITIZE_ADDRESS__ && defined __OPTIMIZE__ && !defined __clang__
typedef unsigned long __upc_pts;
#define __UPC_BITS(p) (p)
#else
typedef struct
{
  unsigned long __bits;
} __upc_pts;
#define __UPC_BITS(p) ((p).__bits)
#endif

#define __UPC_OFFSET_SHIFT (__UPC_THREAD_BITS + __UPC_PHASE_BITS)

__UPC_ADDRESS __upc_pts
__upc_make (unsigned long __thread_index, unsigned long __offset, unsigned long __phase)
{
  __upc_pts __p;

  __UPC_BITS (__p) = __offset << __UPC_OFFSET_SHIFT | __thread_index << __UPC_PHASE_BITS | __phase;
  return __p;
}

__UPC_ADDRESS unsigned long
__upc_offset (__upc_pts __p)
{
  return __UPC_BITS (__p) >> __UPC_OFFSET_SHIFT;
}

__UPC_ADDRESS unsigned long
__upc_thread (__upc_pts __p)
{
  return __UPC_BITS (__p) >> __UPC_PHASE_BITS & ((1ul << __UPC_THREAD_BITS) - 1);
}

__UPC_ADDRESS unsigned long
__upc_phase (__upc_pts __p)
{
  return __UPC_BITS (__p) & ((1ul << __UPC_PHASE_BITS) - 1);
}

__UPC_ADDRESS __upc_pts
__upc_null (void)
{
  __upc_pts __p = { 0 };

  return __p;
}

__UPC_ADDRESS int
__upc_equal (__upc_pts __p, __upc_pts __q)
{
  return (__UPC_BITS (__p) ^ __UPC_BITS (__q)) >> __UPC_PHASE_BITS == 0;
}

/* P moved by signed distances in each field. Every field of the result is in range,
   the offset modulo 2^34, so one addition moves all three: what one field borrows
   from the next the next one's own distance makes up for. */
__UPC_ADDRESS __upc_pts
__upc_shift (__upc_pts __p, long __bytes, long __threads, long __phases)
{
  __UPC_BITS (__p) += ((unsigned long) __bytes << __UPC_OFFSET_SHIFT)
                      + ((unsigned long) __threads << __UPC_PHASE_BITS) + (unsigned long) __phases;
  return __p;
}

__UPC_ADDRESS __upc_pts
__upc_reset_phase (__upc_pts __p)
{
  __UPC_BITS (__p) = __UPC_BITS (__p) >> __UPC_PHASE_BITS << __UPC_PHASE_BITS;
  return __p;
}

__UPC_ADDRESS unsigned long
__upc_addrfield (__upc_pts __p)
{
  return __upc_offset (__p);
}

/* P as an integer, where a program casts it. */
__UPC_ADDRESS unsigned long
__upc_integer (__upc_pts __p)
{
  return __UPC_BITS (__p);
}

/* BYTES past P in its own partition. The offset is taken modulo 2^34: P may be an
   intermediate value that points before its array, even before the partition. */
__UPC_ADDRESS void *
__upc_address_past (__upc_pts __p, long __bytes)
{
  unsigned long __moved = __UPC_BITS (__p) + ((unsigned long) __bytes << __UPC_OFFSET_SHIFT);

  return (void *) (__UPC_SEGMENT_BASE + __upc_thread (__p) * __UPC_STRIDE
                   + (__moved >> __UPC_OFFSET_SHIFT));
}

#endif

/* Addresses and tests. */

__UPC_ADDRESS void *
__upc_address (__upc_pts __p)
{
  return __upc_address_past (__p, 0);
}

__UPC_ADDRESS int
__upc_is_null (__upc_pts __p)
{
  return __upc_equal (__p, __upc_null ());
}

/* P as a condition. */
__UPC_ADDRESS int
__upc_is_set (__upc_pts __p)
{
  return !__upc_is_null (__p);
}

/* The cast to a private pointer: null stays null. Without a branch: the compiler would follow
   the one with null to where the program uses the pointer, and warn of it. */
__UPC_ADDRESS void *
__upc_local (__upc_pts __p)
{
  return (void *) ((unsigned long) __upc_address (__p) & -(unsigned long) __upc_is_set (__p));
}

__UPC_INLINE int
__upc_is_mine (__upc_pts __p)
{
  return __upc_thread (__p) == (unsigned long) __upc_mythread;
}

/* The affinity of a upc_forall that is an integer. */
__UPC_INLINE int
__upc_is_my_iteration (long __n)
{
  long __owner = __n % __upc_threads;

  return (__owner < 0 ? __owner + __upc_threads : __owner) == __upc_mythread;
}

/* Pointer to the static shared object at OBJECT in section upc_shared, and the
   address of its first element, which thread 0 has. */
__UPC_ADDRESS unsigned long
__upc_offset_of (const volatile void *__object)
{
#ifdef __UPC_PLUGIN__
  return (unsigned long) __object - (unsigned long) __upc_plugin_image;
#else
  return (unsigned long) __object - __upc_image ();
#endif
}

__UPC_ADDRESS __upc_pts
__upc_object (const volatile void *__object)
{
#if defined __UPC_PTS_STRUCT__ && !defined __UPC_PLUGIN__
  __upc_pts __p = { (unsigned long) __object, 0, 0 };

  return __p;
#else
  return __upc_make (0, __upc_offset_of (__object), 0);
#endif
}

__UPC_ADDRESS void *
__upc_object_address (const volatile void *__object)
{
  return (void *) (__UPC_SEGMENT_BASE + __upc_offset_of (__object));
}

/* BYTES into the object P points to: a member, or an element of a member. Its
   type has indefinite layout, so there is no phase (UPC 1.3, 6.4.4). */
__UPC_ADDRESS __upc_pts
__upc_member (__upc_pts __p, long __bytes)
{
  return __upc_reset_phase (__upc_shift (__p, __bytes, 0, 0));
}

#endif
