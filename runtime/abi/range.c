/* What a nest of loops accesses: the values that its indexes may have (include/upct/range.h), and the elements of its
   arrays. */

#ifdef UPCR_PTS_STRUCT
#define __UPC_PTS_STRUCT__ 1
#endif

#include <upct/nest.h>

__upc_range
__upc_range_plus (__upc_range a, __upc_range b)
{
  if (!__upc_range_is_known (a) || !__upc_range_is_known (b))
    return __upc_range_unknown ();
  return __upc_range_between (a.__low + b.__low, a.__high + b.__high);
}

__upc_range
__upc_range_minus (__upc_range a, __upc_range b)
{
  if (!__upc_range_is_known (a) || !__upc_range_is_known (b))
    return __upc_range_unknown ();
  return __upc_range_between (a.__low - b.__high, a.__high - b.__low);
}

__upc_range
__upc_range_either (__upc_range a, __upc_range b)
{
  if (!__upc_range_is_known (a) || !__upc_range_is_known (b))
    return __upc_range_unknown ();
  return __upc_range_between (a.__low < b.__low ? a.__low : b.__low,
                              a.__high > b.__high ? a.__high : b.__high);
}

__upc_range
__upc_range_scaled (__upc_range a, long n)
{
  long x, y;

  if (!__upc_range_is_known (a) || __builtin_mul_overflow (a.__low, n, &x)
      || __builtin_mul_overflow (a.__high, n, &y))
    return __upc_range_unknown ();
  return x < y ? __upc_range_between (x, y) : __upc_range_between (y, x);
}

__upc_range
__upc_range_times (__upc_range a, __upc_range b)
{
  if (!__upc_range_is_known (b))
    return b;
  return __upc_range_either (__upc_range_scaled (a, b.__low), __upc_range_scaled (a, b.__high));
}

__upc_range
__upc_range_of_type (__upc_range r, long least, long most)
{
  return r.__low < least || r.__high > most ? __upc_range_unknown () : r;
}

__upc_range
__upc_range_in_row (__upc_range row, __upc_range index, long count, long size)
{
  return index.__low < 0 || index.__high >= count
             ? __upc_range_unknown ()
             : __upc_range_plus (row, __upc_range_scaled (index, size));
}

void
__upc_nest_access (__upc_nest_array *a, __upc_range r, double times)
{
  if (!(times > 0))
    return;
  if (r.__low < a->__low)
    a->__low = r.__low;
  if (r.__high > a->__high)
    a->__high = r.__high;
  a->__accesses += times;
}
