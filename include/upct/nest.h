/* upct/nest.h: nests of loops that may have their arrays in private copies (tools/upc2c/plan/nest.c). Part of
   upct/access.h. */

#ifndef _UPCT_NEST_H
#define _UPCT_NEST_H
#pragma GCC system_header

#include <upct/pointer.h>

#define __upc_nest_pts __upc_pts
#include <upct/nest_array.h>
#undef __upc_nest_pts

/* Copies the COUNT arrays, or finds that they may be used as if they were copies. 0: neither is worth while, or some of
   them may be the same memory. */
extern int __upc_nest_begin (__upc_nest_array *__arrays, unsigned __count);
/* Writes back what has changed. */
extern void __upc_nest_end (__upc_nest_array *__arrays, unsigned __count);
/* Whether what the nest accesses of each array that it writes is no other one's memory. */
extern int __upc_nest_is_apart (const __upc_nest_array *__arrays, unsigned __count);

/* In a run with checks, whether all that the nest may access is right. */
extern int __upc_nest_is_right (const __upc_nest_array *__arrays, unsigned __count);

/* Whether a nest of so many accesses may be worth while: LEAST, or more. */
__UPC_INLINE int
__upc_nest_is_long (double __accesses, int __least)
{
  return __accesses >= __least;
}

/* Whether one block has all that the nest accesses of A. */
__UPC_INLINE int
__upc_nest_is_in_one_block (const __upc_nest_array *__a)
{
  long __before = (long) (__upc_thread (__a->__start) * __a->__block + __upc_phase (__a->__start));

  return __a->__block == 0
         || (__a->__low >= -__before && __a->__low <= __a->__high
             && (unsigned long) (__a->__low + __before) / __a->__block
                    == (unsigned long) (__a->__high + __before) / __a->__block);
}

/* ThreadSanitizer is to see the program's own accesses. */
__UPC_INLINE int
__upc_nest_is_copied (__upc_nest_array *__arrays, unsigned __count)
{
#ifdef __UPC_TSAN
  (void) __arrays;
  (void) __count;
  return 0;
#else
  return __upc_nest_begin (__arrays, __count);
#endif
}

/* Values that an expression may have in a nest: from LOW to HIGH. What is too large to count with is unknown. */
typedef struct
{
  long __low, __high;
} __upc_range;

__UPC_INLINE __upc_range
__upc_range_unknown (void)
{
  __upc_range __r;

  __r.__low = -__LONG_MAX__ - 1;
  __r.__high = __LONG_MAX__;
  return __r;
}

__UPC_INLINE int
__upc_range_is_known (__upc_range __r)
{
  return __r.__low != -__LONG_MAX__ - 1;
}

/* Numbers of 60 bits, so that sums of two are none of 64. */
__UPC_INLINE __upc_range
__upc_range_between (long __low, long __high)
{
  const long __most = 1l << 60;
  __upc_range __r;

  __r.__low = __low;
  __r.__high = __high;
  return __low < -__most || __high > __most || __low > __most || __high < -__most
             ? __upc_range_unknown ()
             : __r;
}

__UPC_INLINE __upc_range
__upc_range_at (long __n)
{
  return __upc_range_between (__n, __n);
}

__UPC_INLINE __upc_range
__upc_range_plus (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low + __b.__low, __a.__high + __b.__high);
}

__UPC_INLINE __upc_range
__upc_range_minus (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low - __b.__high, __a.__high - __b.__low);
}

/* Both. */
__UPC_INLINE __upc_range
__upc_range_either (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low < __b.__low ? __a.__low : __b.__low,
                              __a.__high > __b.__high ? __a.__high : __b.__high);
}

__UPC_INLINE __upc_range
__upc_range_scaled (__upc_range __a, long __n)
{
  long __x, __y;

  if (!__upc_range_is_known (__a) || __builtin_mul_overflow (__a.__low, __n, &__x)
      || __builtin_mul_overflow (__a.__high, __n, &__y))
    return __upc_range_unknown ();
  return __x < __y ? __upc_range_between (__x, __y) : __upc_range_between (__y, __x);
}

__UPC_INLINE __upc_range
__upc_range_times (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__b))
    return __b;
  return __upc_range_either (__upc_range_scaled (__a, __b.__low),
                             __upc_range_scaled (__a, __b.__high));
}

/* Of a type that has the values between these: others would wrap around. */
__UPC_INLINE __upc_range
__upc_range_of_type (__upc_range __r, long __least, long __most)
{
  return __r.__low < __least || __r.__high > __most ? __upc_range_unknown () : __r;
}

/* Of an induction variable that goes by STEP from FIRST on and ends before BOUND. Where FIRST is one number, so is where it
   ends: tiles of 16 of 48 elements begin at 32 at last. */
__UPC_INLINE __upc_range
__upc_range_of_loop (__upc_range __first, __upc_range __bound, long __step)
{
  long __low = __step < 0 ? __bound.__low + 1 : __first.__low;
  long __high = __step < 0 ? __first.__high : __bound.__high - 1;
  long __rest;

  if (!__upc_range_is_known (__first) || !__upc_range_is_known (__bound))
    return __upc_range_unknown ();
  __rest = __first.__low == __first.__high && __low < __high ? (__high - __low) % __step : 0;
  return __step < 0 ? __upc_range_between (__low + __rest, __high)
                    : __upc_range_between (__low, __high - __rest);
}

/* How many values that are STEP apart; of what is unknown one, as there may be some. */
__UPC_INLINE double
__upc_range_count (__upc_range __r, long __step)
{
  if (!__upc_range_is_known (__r))
    return 1;
  return __r.__high >= __r.__low ? (double) ((__r.__high - __r.__low) / __step + 1) : 0;
}

/* Elements of rows of COUNT, of SIZE each, which begin at ROW: none is outside of its row. */
__UPC_INLINE __upc_range
__upc_range_in_row (__upc_range __row, __upc_range __index, long __count, long __size)
{
  return __index.__low < 0 || __index.__high >= __count
             ? __upc_range_unknown ()
             : __upc_range_plus (__row, __upc_range_scaled (__index, __size));
}

__UPC_INLINE void
__upc_nest_array_at (__upc_nest_array *__a, __upc_pts __start, int __is_written,
                     unsigned long __count, unsigned long __block, unsigned long __bytes)
{
  __a->__start = __start;
  __a->__count = __count;
  __a->__block = __block;
  __a->__bytes = __bytes;
  __a->__is_written = __is_written;
  __a->__low = __LONG_MAX__;
  __a->__high = -__LONG_MAX__ - 1;
  __a->__accesses = 0;
}

/* The nest accesses elements of A in R so many times. */
__UPC_INLINE void
__upc_nest_access (__upc_nest_array *__a, __upc_range __r, double __times)
{
  if (!(__times > 0))
    return;
  if (__r.__low < __a->__low)
    __a->__low = __r.__low;
  if (__r.__high > __a->__high)
    __a->__high = __r.__high;
  __a->__accesses += __times;
}

#endif
