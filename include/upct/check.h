/* upct/check.h: the checks in code of upcc -fupc-check. The driver includes it after
   upct/access.h; for generated code only.

   The index of a declared array is compared with its extent. The target of a pointer-to-shared
   is looked up in the shadow of the segment (upct/shadow.h). */

#ifndef _UPCT_CHECK_H
#define _UPCT_CHECK_H
#pragma GCC system_header

#include <upct/recent.h>
#include <upct/strip.h>
#include <upct/shadow.h>

#ifndef __UPC_CHECK
#define __UPC_CHECK __UPC_CALL
#endif

/* Each of these ends the run with one line that begins with FILE and LINE. */

/* INDEX is not below COUNT, the extent of ARRAY. */
extern void __upc_index_failed (long __index, unsigned long __count, const char *__array,
                                const char *__file, int __line)
    __attribute__ ((__cold__, __noreturn__));

/* A pointer-to-shared TYPE to an object of THREAD becomes a private pointer. */
extern void __upc_cast_failed (unsigned long __thread_index, const char *__type, const char *__file,
                               int __line) __attribute__ ((__cold__, __noreturn__));

/* A pointer-to-shared TYPE to ADDRESS, in a block that was freed, becomes a private pointer. */
extern void __upc_freed_cast_failed (const void *__address, const char *__type, const char *__file,
                                     int __line) __attribute__ ((__cold__, __noreturn__));

/* WHAT moves a pointer-to-shared by DISTANCE elements. */
extern void __upc_reach_failed (long __distance, const char *__what, const char *__file, int __line)
    __attribute__ ((__cold__, __noreturn__));

/* A generic pointer-to-shared with PHASE becomes TYPE, whose blocks have BLOCK elements. */
extern void __upc_phase_failed (unsigned long __phase, unsigned long __block, const char *__type,
                                const char *__file, int __line)
    __attribute__ ((__cold__, __noreturn__));

#ifdef __UPC_NETWORK__
/* Do BYTES at ADDRESS, which another node has, belong to one object? */
extern int __upc_is_far_and_whole (const void *__address, unsigned long __bytes)
    __attribute__ ((__cold__));
#endif

/* BYTES at ADDRESS may not be accessed. In the struct form a null pointer-to-shared leads to an
   address out of the segment, and an index below the first object to one shortly before it. Each
   object that is compiled with checks has this function, as it refers to one that makes the heap a
   checked one. With several processes the shadow of what is far is empty; the process that has it is asked. */
#ifndef __UPC_NETWORK__
__attribute__ ((__noreturn__))
#endif
static __attribute__ ((__noinline__, __used__, __cold__)) void
__upc_access_failed (const volatile void *__address, unsigned long __bytes, const char *__what,
                     const char *__file, int __line)
{
  unsigned long __at = (unsigned long) __address - __UPC_SEGMENT_BASE;

#ifdef __UPC_NETWORK__
  if (__upc_is_far_and_whole ((const void *) __address, __bytes))
    return;
#endif
#ifdef __UPC_PTS_STRUCT__
  if (__at >= (__UPC_STRIDE << __UPC_THREAD_BITS) && -__at < __upc_image () / 2)
    __at %= 1ul << __UPC_PARTITION_BITS;
  else if (__at >= (__UPC_STRIDE << __UPC_THREAD_BITS))
    __at += __upc_image ();
#endif
  __upc_bad_access (__at / __UPC_STRIDE, __at % __UPC_STRIDE, __bytes, __what, __file, __line);
}

/* What a partition's stride has beyond any offset. */
#define __UPC_STRIDE_SLACK (__UPC_STRIDE - (1ul << __UPC_PARTITION_BITS))

/* A byte of the shadow, as a type of its own: stores of the program's types do not change it, so that
   compilers look up once what a loop accesses again and again. What may free a block is a call. */
typedef struct
{
  unsigned char __value : 8;
} __upc_shadow_byte;

/* The shadow of ADDRESS. */
__UPC_CHECK const __upc_shadow_byte *
__upc_shadow_of (unsigned long __address)
{
  return (const __upc_shadow_byte *) (__UPC_SHADOW_BASE - __UPC_SEGMENT_BASE / __UPC_SHADOW_UNIT
                                      + __address / __UPC_SHADOW_UNIT);
}

/* Whether UNIT, the shadow of ADDRESS, has BYTES more from there on. One comparison does: no sum is
   larger than what a whole unit has. */
__UPC_CHECK int
__upc_has_bytes (unsigned int __unit, unsigned long __address, unsigned long __bytes)
{
  return __unit >= __upc_shadow_part + __address % __UPC_SHADOW_UNIT + __bytes;
}

/* Whether UNIT, of the shadow, and MORE units behind it are whole. */
__UPC_CHECK int
__upc_is_run (unsigned int __unit, unsigned long __more)
{
  return __unit >= __upc_shadow_whole + __more;
}

/* Whether BYTES from ADDRESS on lie in a block; of more than a unit of the shadow, the first and the
   last byte. Words are aligned, and lie in one unit; others in as many more as the largest of
   their size may need. Most units are whole: nothing else is asked of those. */
__UPC_CHECK int
__upc_is_addressable (unsigned long __address, unsigned long __bytes)
{
  unsigned long __last = __address + __bytes - 1;
  unsigned int __unit = __upc_shadow_of (__address)->__value;

  if (__bytes <= __UPC_SHADOW_UNIT && (__bytes & (__bytes - 1)) == 0)
    return __builtin_expect (__upc_is_run (__unit, 0), 1)
           || __upc_has_bytes (__unit, __address, __bytes);
  return __builtin_expect (
             __upc_is_run (__unit, (__bytes + __UPC_SHADOW_UNIT - 2) / __UPC_SHADOW_UNIT), 1)
         || (__upc_has_bytes (__unit, __address, 1)
             && __upc_has_bytes (__upc_shadow_of (__last)->__value, __last, 1));
}

/* Whether ADDRESS, OFFSET bytes from where a pointer-to-shared leads, may have a shadow. Where a packed
   pointer leads always may. That of a thread that is not there has none: the look-up crashes, and the
   report of the crash names the thread. */
__UPC_CHECK int
__upc_has_shadow (unsigned long __address, long __offset)
{
#ifndef __UPC_PTS_STRUCT__
  if (__builtin_constant_p (__offset)
      && (unsigned long) __offset + __UPC_LOOK_BEFORE < __UPC_STRIDE_SLACK)
    return 1;
#endif
  (void) __offset;
  return __address - __UPC_SEGMENT_BASE < __UPC_STRIDE << __UPC_THREAD_BITS;
}

/* BASE, of which BYTES from OFFSET on are accessed. Where UNITS is not 0 so many units from FIRST on,
   which have these bytes and others of the same record, are looked at before: compilers do so once
   for several accesses. */
__UPC_CHECK void *
__upc_checked (void *__base, long __first, unsigned int __units, long __offset,
               unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned long __record = (unsigned long) __base + (unsigned long) __first;
  unsigned long __address = (unsigned long) __base + (unsigned long) __offset;

  if (__units > 0
      && __builtin_expect (__upc_has_shadow (__record, __first)
                               && __upc_is_run (__upc_shadow_of (__record)->__value, __units - 1),
                           1))
    return __base;
  if (__builtin_expect (
          !__upc_has_shadow (__address, __offset) || !__upc_is_addressable (__address, __bytes), 0))
    __upc_access_failed ((const void *) __address, __bytes, __what, __file, __line);
  return __base;
}

/* A record of SIZE bytes at ADDRESS, of which the shadow says that it is not there. It may be all that a block has of one, and
   what is wrong in the member, BYTES from OFFSET on, is said by its own check. */
static __attribute__ ((__noinline__, __unused__, __cold__)) void
__upc_record_failed (unsigned long __address, unsigned long __size, long __offset,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned int __before = __upc_shadow_of (__address - __UPC_SHADOW_UNIT)->__value;

  if ((__address % __UPC_SHADOW_UNIT == 0 && !__upc_is_run (__before, 0))
      || !__upc_is_addressable (__address + (unsigned long) __offset, __bytes))
    return;
  if (__upc_is_addressable (__address, 1))
    __address += __size - 1;
  __upc_access_failed ((const void *) __address, 1, __what, __file, __line);
}

/* BASE, a record of SIZE bytes, 25 to 32, of which BYTES from OFFSET on are accessed. Between blocks of such a size there are 16
   bytes, so that some members of a record beside one would be in the next block. But that record would begin in the second
   unit of a block or in no object, and no such record is whole there. */
__UPC_CHECK void *
__upc_checked_record (void *__base, unsigned long __size, long __offset, unsigned long __bytes,
                      const char *__what, const char *__file, int __line)
{
  const unsigned long __more = __size == 2 * __UPC_SHADOW_UNIT;
  unsigned long __address = (unsigned long) __base;

  if (__upc_has_shadow (__address, 0))
    {
      unsigned int __unit = __upc_shadow_of (__address)->__value;

      if (__more
          && __builtin_expect (__upc_is_run (__unit, 1 + (__address % __UPC_SHADOW_UNIT != 0)), 1))
        return __base;
      if (__builtin_expect (!__upc_is_run (__unit, __more), 0))
        __upc_record_failed (__address, __size, __offset, __bytes, __what, __file, __line);
    }
  return __upc_checked (__base, 0, 0, __offset, __bytes, __what, __file, __line);
}

/* Before which address an element of BYTES must begin to be in the object that has one at ADDRESS, as far as one
   look tells; 0: the object may end within that one. */
__UPC_CHECK unsigned long
__upc_end_ahead (unsigned long __address, unsigned long __bytes)
{
  unsigned int __unit = __upc_shadow_of (__address)->__value;

  if (!__upc_is_run (__unit, 0))
    return 0;
  return (__address / __UPC_SHADOW_UNIT + (__unit - __upc_shadow_whole + 1)) * __UPC_SHADOW_UNIT
         - __bytes + 1;
}

/* BASE, an element of ELEMENT bytes that moves up in a strip, of which BYTES from OFFSET on are accessed. It is in its
   object before *AHEAD. */
__UPC_CHECK void *
__upc_checked_ahead (void *__base, unsigned long *__ahead, unsigned long __element, long __offset,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  if (__builtin_expect ((unsigned long) __base >= *__ahead, 0))
    {
      __upc_checked (__base, 0, 0, __offset, __bytes, __what, __file, __line);
      *__ahead = __upc_end_ahead ((unsigned long) __base, __element);
    }
  return __base;
}

/* Of accesses here and there in one object: COUNT elements from LOW on are in it. Nothing is known at first, and asked for only
   when some accesses have been looked up. */
typedef struct
{
  unsigned long __low, __count;
  unsigned int __misses;
} __upc_bounds;

enum
{
  __UPC_MISSES = 16
};

/* How many bytes an object has from ADDRESS on; 0: that would take long to say. Pure: what is invariant in a loop stays so. */
extern unsigned long __upc_bytes_ahead (const void *__address) __attribute__ ((__cold__, __pure__));

/* How many elements of BYTES, in blocks of BLOCK, an object has from ADDRESS on, where thread 0 has the first element of a
   block; 0: less than a block of each thread, or that would take long to say. */
extern unsigned long __upc_elements_ahead (const void *__address, unsigned long __block,
                                           unsigned long __bytes)
    __attribute__ ((__cold__, __pure__));

/* BASE, element INDEX, of ELEMENT bytes, from START on, of which BYTES from OFFSET on are accessed. Where the bounds are known,
   which are START's, it is found by them alone. */
__UPC_CHECK void *
__upc_checked_between (void *__base, __upc_bounds *__bounds, const void *__start, long __index,
                       unsigned long __element, long __offset, unsigned long __bytes,
                       const char *__what, const char *__file, int __line)
{
  if (__builtin_expect ((unsigned long) __index < __bounds->__count, 1))
    return (void *) (__bounds->__low + (unsigned long) __index * __element);
  __upc_checked (__base, 0, 0, __offset, __bytes, __what, __file, __line);
  if (++__bounds->__misses == __UPC_MISSES)
    {
      __bounds->__low = (unsigned long) __start;
      __bounds->__count = __upc_bytes_ahead (__start) / __element;
    }
  return __base;
}

/* The same of P[INDEX], in blocks of BLOCK elements. */
__UPC_CHECK void *
__upc_checked_among (void *__base, __upc_bounds *__bounds, __upc_pts __p, long __index,
                     unsigned long __block, unsigned long __element, long __offset,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  if (__builtin_expect ((unsigned long) __index < __bounds->__count, 1))
    return __base;
  __upc_checked (__base, 0, 0, __offset, __bytes, __what, __file, __line);
  if (++__bounds->__misses == __UPC_MISSES && __upc_phase (__p) == 0)
    __bounds->__count = __upc_elements_ahead (__upc_address (__p), __block, __element);
  return __base;
}

/* INDEX of ARRAY, which has COUNT elements. */
__UPC_CHECK long
__upc_index (long __index, unsigned long __count, const char *__array, const char *__file,
             int __line)
{
  if (__builtin_expect ((unsigned long) __index >= __count, 0))
    __upc_index_failed (__index, __count, __array, __file, __line);
  return __index;
}

/* The address of element INDEX of ARRAY, which has COUNT, in whole blocks of BLOCK: one that is in the block that RECENT has is
   within bounds. */
__UPC_CHECK void *
__upc_recent_checked (__upc_recent_block *__recent, const volatile void *__array, long __index,
                      unsigned long __block, unsigned long __bytes, unsigned long __count,
                      const char *__name, const char *__file, int __line)
{
  if (__builtin_expect ((unsigned long) __index - __recent->__first >= __block, 0))
    *__recent = __upc_block_of_element (
        __array, __upc_index (__index, __count, __name, __file, __line), __block, __bytes);
  return (void *) (__recent->__at + (unsigned long) __index * __bytes);
}

/* The same for a strip of a loop, in which INDEX moves by STEP: the strip ends before that leaves
   the array. */
__UPC_CHECK void
__upc_strip_bounds (unsigned long *__left, long __index, long __step, unsigned long __count,
                    const char *__array, const char *__file, int __line)
{
  unsigned long __at = __upc_index (__index, __count, __array, __file, __line);

  if (__step > 0)
    __upc_strip_limit (__left, (__count - 1 - __at) / (unsigned long) __step + 1);
  else if (__step < 0)
    __upc_strip_limit (__left, __at / -(unsigned long) __step + 1);
}

/* INDEX in an address that nothing is accessed at: there is one past the end, too. */
__UPC_CHECK long
__upc_address_index (long __index, unsigned long __count, const char *__array, const char *__file,
                     int __line)
{
  if (__builtin_expect ((unsigned long) __index > __count, 0))
    __upc_index_failed (__index, __count, __array, __file, __line);
  return __index;
}

/* N, by which WHAT moves a pointer-to-shared to elements of BYTES in blocks of BLOCK: no more than all partitions have. */
__UPC_CHECK long
__upc_in_reach (long __n, unsigned long __block, unsigned long __bytes, const char *__what,
                const char *__file, int __line)
{
  unsigned long __most = (1ul << __UPC_PARTITION_BITS) / (__bytes ? __bytes : 1)
                         * (__block ? (unsigned long) __upc_threads : 1);

  if (__builtin_expect ((unsigned long) __n + __most > 2 * __most, 0))
    __upc_reach_failed (__n, __what, __file, __line);
  return __n;
}

/* Whether INDEX, which is in bounds, is so after as many ITERATIONS, too. */
__UPC_CHECK int
__upc_stays_in_bounds (long __index, long __step, unsigned long __iterations, unsigned long __count)
{
  return (unsigned long) __index + (unsigned long) __step * __iterations < __count;
}

/* Whether the bytes from LOW to HIGH, the last one, lie in one block. */
__UPC_CHECK int
__upc_is_range (unsigned long __low, unsigned long __high)
{
  const unsigned long __most = __upc_shadow_most - __upc_shadow_whole;
  const __upc_shadow_byte *__unit = __upc_shadow_of (__low), *__last = __upc_shadow_of (__high);

  if (__low - __UPC_SEGMENT_BASE >= __UPC_STRIDE << __UPC_THREAD_BITS)
    return 0;
  for (; (unsigned long) (__last - __unit) > __most; __unit += __most)
    if (__unit->__value != __upc_shadow_most)
      return 0;
  return (__unit == __last || __upc_is_run (__unit->__value, __last - __unit - 1))
         && __upc_has_bytes (__last->__value, __high, 1);
}

/* The accesses of a strip: as many of BYTES as are LEFT, from ADDRESS on by STRIDE. What is between
   them is looked at first, all at once. */
static __attribute__ ((__noinline__, __unused__, __cold__)) void
__upc_strip_looked_up (const char *__address, long __stride, unsigned long __left,
                       unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned long __first = (unsigned long) __address;
  unsigned long __last = __first + (__left - 1) * (unsigned long) __stride;
  unsigned long __low = __stride < 0 ? __last : __first, __high = __stride < 0 ? __first : __last;

  if (__upc_is_range (__low, __high + __bytes - 1))
    return;
#ifdef __UPC_NETWORK__
  if (__upc_is_far_and_whole ((const void *) __low, __high - __low + __bytes))
    return;
#endif
  for (; __left > 0; __left--, __address += __stride)
    __upc_checked ((void *) __address, 0, 0, 0, __bytes, __what, __file, __line);
}

/* Whether a strip of BYTES from LOW on is in whole units. As many units as it has at most are tried
   first, which is one number for all strips of a loop. Only strips at the ends of objects may have
   one less. */
__UPC_CHECK int
__upc_is_strip (unsigned long __low, unsigned long __bytes)
{
  if (__builtin_expect (__upc_is_run (__upc_shadow_of (__low)->__value,
                                      (__bytes + __UPC_SHADOW_UNIT - 2) / __UPC_SHADOW_UNIT),
                        1))
    return 1;
  /* Compilers shall not make one comparison of both. */
  __asm__("" : "+r"(__low));
  return __upc_is_run (__upc_shadow_of (__low)->__value,
                       (__low % __UPC_SHADOW_UNIT + __bytes - 1) / __UPC_SHADOW_UNIT);
}

/* The same. Most strips are short, and have whole units alone. */
__UPC_CHECK void
__upc_strip_checked (const char *__address, long __stride, unsigned long __left,
                     unsigned long __bytes, const char *__what, const char *__file, int __line)
{
  unsigned long __first = (unsigned long) __address;
  unsigned long __distance = (__left - 1) * (unsigned long) (__stride < 0 ? -__stride : __stride);

  if (__builtin_expect (!__upc_has_shadow (__first, 0)
                            || !__upc_is_strip (__stride < 0 ? __first - __distance : __first,
                                                __distance + __bytes),
                        0))
    __upc_strip_looked_up (__address, __stride, __left, __bytes, __what, __file, __line);
}

/* Whether the bytes from LOW to HIGH, addresses in the partition of thread 0, lie in one block of each thread. */
static __inline__ __attribute__ ((__unused__)) int
__upc_are_ranges (unsigned long __low, unsigned long __high)
{
  long __left = __upc_threads;

  for (; __left > 0 && __upc_is_range (__low, __high); __left--)
    {
      __low += __UPC_STRIDE;
      __high += __UPC_STRIDE;
    }
  return __left == 0;
}

/* The accesses of a strip that moves by BLOCKS blocks of SIZE bytes: as many of BYTES as are LEFT, from AT on. The rows of
   blocks from the first to the last are looked at first, on all threads. */
static __attribute__ ((__noinline__, __unused__)) void
__upc_blocks_checked (__upc_block_cursor __at, long __blocks, unsigned long __size,
                      unsigned long __left, unsigned long __bytes, const char *__what,
                      const char *__file, int __line)
{
  unsigned long __low = __at.__at - __at.__thread_index * __UPC_STRIDE, __high = __low;

  if (__left > (unsigned long) __upc_threads && __left <= 0x7ffffffful
      && __at.__thread_index < (unsigned long) __upc_threads)
    {
      long __rows = __upc_floor_threads ((long) __at.__thread_index
                                         + __blocks * ((long) __left - 1));

      *(__rows < 0 ? &__low : &__high) += (unsigned long) __rows * __size;
      if (__upc_are_ranges (__low, __high + __bytes - 1))
        return;
    }
  for (; __left > 0; __left--, __upc_block_cursor_advance (&__at, __blocks, __size))
    __upc_checked ((void *) __at.__at, 0, 0, 0, __bytes, __what, __file, __line);
}

/* Whether all that a strip may access lies in one block: BYTES at ADDRESS in its first iteration, then those STRIDE below, in
   MOST iterations. One look tells: of what is too long for that nothing is said. A page of the shadow is there as a whole. */
__UPC_CHECK int
__upc_is_within (const char *__address, unsigned long __stride, unsigned long __most,
                 unsigned long __bytes)
{
  const unsigned long __page = 4096ul * __UPC_SHADOW_UNIT;
  unsigned long __first = (unsigned long) __address, __distance = (__most - 1) * __stride;

  return __most - 1 < __page / __stride && __upc_has_shadow (__first, 0)
         && (__first - __distance) / __page == __first / __page
         && __upc_is_strip (__first - __distance, __distance + __bytes);
}

/* The cast to a private pointer (UPC 1.3, 6.4.3): undefined for what has affinity to another
   thread. The value of a pointer to a block that was freed is indeterminate (C11, 6.2.4). */
__UPC_INLINE void *
__upc_local_checked (__upc_pts __p, const char *__type, const char *__file, int __line)
{
  char *__address = __upc_local (__p);

  if (!__upc_is_set (__p))
    return __address;
  if (__builtin_expect (!__upc_is_mine (__p), 0))
    __upc_cast_failed (__upc_thread (__p), __type, __file, __line);
  if (__builtin_expect (__upc_has_shadow ((unsigned long) __address, 0)
                            && __upc_shadow_of ((unsigned long) __address)->__value
                                   == __upc_shadow_freed,
                        0))
    __upc_freed_cast_failed (__address, __type, __file, __line);
  return __address;
}

/* The conversion of a generic pointer-to-shared keeps the phase, which must be one of the new
   type's (UPC 1.3, 6.4.3). */
__UPC_CHECK __upc_pts
__upc_in_phase (__upc_pts __p, unsigned long __block, const char *__type, const char *__file,
                int __line)
{
  if (__builtin_expect (__upc_phase (__p) >= __block, 0))
    __upc_phase_failed (__upc_phase (__p), __block, __type, __file, __line);
  return __p;
}

#endif
