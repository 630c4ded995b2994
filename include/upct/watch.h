/* upct/watch.h: inline code for upcc --profile, beside upct/gasp.h. The driver includes it after
   upct/access.h; for generated code only. */

#ifndef _UPCT_WATCH_H
#define _UPCT_WATCH_H
#pragma GCC system_header

#include <upct/gasp.h>

/* Not static: C's own inline functions, which use no static ones, have events too. */
#define __UPC_WATCH_INLINE \
  extern __inline__ __attribute__ ((__gnu_inline__, __always_inline__, __artificial__))

/* Is there somebody to tell? */
__UPC_WATCH_INLINE int
__upc_watching (void)
{
  return __builtin_expect (upct_gasp_tool, 0);
}

/* Is ADDRESS another thread's? */
__UPC_WATCH_INLINE int
__upc_is_remote (const volatile void *__address)
{
  return ((unsigned long) __address - __UPC_SEGMENT_BASE) / __UPC_STRIDE
         != (unsigned long) __upc_mythread;
}

/* Is this get or put one that the tool is told of? */
__UPC_WATCH_INLINE int
__upc_watching_access (void)
{
  if (!upct_gasp_tool)
    return 0;
  if (__builtin_expect (upct_accesses_left > 0, 1))
    {
      upct_accesses_left--;
      return 0;
    }
  return 1;
}

/* The same of an access to ADDRESS where those to a thread's own data are not told, */
__UPC_WATCH_INLINE int
__upc_watching_at (const volatile void *__address)
{
  return __builtin_expect (upct_gasp_tool, 0) && __upc_is_remote (__address);
}

/* and of a get or put. */
__UPC_WATCH_INLINE int
__upc_watching_access_at (const volatile void *__address)
{
  return __upc_watching_at (__address) && __upc_watching_access ();
}

/* Is the tool told of none of the gets and puts of the iterations from N to *LEFT, each of which has COUNT? *LEFT is
   where those end that it is told nothing of; or else where the one ends that it wants, if it does not want all. */
__UPC_WATCH_INLINE int
__upc_is_quiet (unsigned long *__left, unsigned long __n, int __count)
{
  const long __accesses = upct_accesses_left;
  long __most;

  if (!upct_gasp_tool || __count == 0)
    return 1;
  if (__accesses <= 0)
    return 0;
  if (__builtin_expect ((*__left - __n) * (unsigned long) __count < (unsigned long) __accesses, 1))
    {
      upct_accesses_left -= (int) (*__left - __n) * __count;
      return 1;
    }
  __most = (__accesses - 1) / __count;
  upct_accesses_left -= (int) __most * __count;
  if (__most != 0)
    *__left = __n + (unsigned long) __most;
  else if (*__left - __n > 2)
    *__left = __n + 2;
  return __most != 0;
}

/* A copy of P of which the compiler does not know where it points. */
__UPC_WATCH_INLINE void *
__upc_unseen (void *__p)
{
  __asm__("" : "+r"(__p));
  return __p;
}

/* Open the frame and give what is in it: its initial value. */
__UPC_WATCH_INLINE unsigned long
__upc_enter (struct upct_gasp_frame *__frame, const struct upct_site *__site,
             const char *__signature)
{
  __frame->depth = 0;
  if (__upc_watching ())
    upct_gasp_enter (__frame, __site, __signature);
  return __frame->depth;
}

__UPC_WATCH_INLINE unsigned long
__upc_enter_forall (struct upct_gasp_frame *__frame, const struct upct_site *__site)
{
  __frame->depth = 0;
  if (__upc_watching ())
    upct_gasp_enter_forall (__frame, __site);
  return __frame->depth;
}

/* The cleanup of a frame. */
__UPC_WATCH_INLINE void
__upc_leave (struct upct_gasp_frame *__frame)
{
  if (__upc_watching ())
    upct_gasp_leave (__frame, (const struct upct_site *) 0);
}

#endif
