/* What a nest of loops accesses: the values that its indexes may have (include/upct/range.h), and the elements of its
   arrays. */

#ifdef UPCR_PTS_STRUCT
#define __UPC_PTS_STRUCT__ 1
#endif

#include <upct/nest.h>

__upc_range
__upc_range_plus (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low + __b.__low, __a.__high + __b.__high);
}

__upc_range
__upc_range_minus (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low - __b.__high, __a.__high - __b.__low);
}

__upc_range
__upc_range_either (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__a) || !__upc_range_is_known (__b))
    return __upc_range_unknown ();
  return __upc_range_between (__a.__low < __b.__low ? __a.__low : __b.__low,
                              __a.__high > __b.__high ? __a.__high : __b.__high);
}

__upc_range
__upc_range_scaled (__upc_range __a, long __n)
{
  long __x, __y;

  if (!__upc_range_is_known (__a) || __builtin_mul_overflow (__a.__low, __n, &__x)
      || __builtin_mul_overflow (__a.__high, __n, &__y))
    return __upc_range_unknown ();
  return __x < __y ? __upc_range_between (__x, __y) : __upc_range_between (__y, __x);
}

__upc_range
__upc_range_times (__upc_range __a, __upc_range __b)
{
  if (!__upc_range_is_known (__b))
    return __b;
  return __upc_range_either (__upc_range_scaled (__a, __b.__low),
                             __upc_range_scaled (__a, __b.__high));
}

__upc_range
__upc_range_of_type (__upc_range __r, long __least, long __most)
{
  return __r.__low < __least || __r.__high > __most ? __upc_range_unknown () : __r;
}

__upc_range
__upc_range_in_row (__upc_range __row, __upc_range __index, long __count, long __size)
{
  return __index.__low < 0 || __index.__high >= __count
             ? __upc_range_unknown ()
             : __upc_range_plus (__row, __upc_range_scaled (__index, __size));
}

void
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
