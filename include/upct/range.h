/* upct/range.h: values that expressions may have in a nest of loops (tools/upc2c/plan/nest.c). Part of
   upct/access.h. */

#ifndef _UPCT_RANGE_H
#define _UPCT_RANGE_H
#pragma GCC system_header

#include <upct/pointer.h>

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

/* The values of sums and products. These are functions of the library (runtime/abi/range.c): they are called before a long
   nest, and in line they would take compilers longer than the nest does. */
extern __upc_range __upc_range_plus (__upc_range __a, __upc_range __b)
    __attribute__ ((__const__, __nothrow__));
extern __upc_range __upc_range_minus (__upc_range __a, __upc_range __b)
    __attribute__ ((__const__, __nothrow__));
/* Both. */
extern __upc_range __upc_range_either (__upc_range __a, __upc_range __b)
    __attribute__ ((__const__, __nothrow__));
extern __upc_range __upc_range_scaled (__upc_range __a, long __n)
    __attribute__ ((__const__, __nothrow__));
extern __upc_range __upc_range_times (__upc_range __a, __upc_range __b)
    __attribute__ ((__const__, __nothrow__));
/* Of a type that has the values between these: others would wrap around. */
extern __upc_range __upc_range_of_type (__upc_range __r, long __least, long __most)
    __attribute__ ((__const__, __nothrow__));
/* Elements of rows of COUNT, of SIZE each, which begin at ROW: none is outside of its row. */
extern __upc_range __upc_range_in_row (__upc_range __row, __upc_range __index, long __count,
                                       long __size) __attribute__ ((__const__, __nothrow__));

#endif
