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

/* Of the COUNT iterations that a loop still has, how many come before the next one that the tool wants. */
__UPC_WATCH_INLINE unsigned long
__upc_quiet_iterations (unsigned long __count)
{
  const int __left = upct_iterations_left;

  if (!upct_gasp_tool)
    return __count;
  if (__left <= 0)
    return 0;
  if (__count > (unsigned long) __left)
    __count = (unsigned long) __left;
  upct_iterations_left = __left - (int) __count;
  return __count;
}

/* A break was in the one with which COUNT of them were left. */
__UPC_WATCH_INLINE void
__upc_left_quiet (unsigned long __count)
{
  if (upct_gasp_tool)
    upct_iterations_left += (int) __count - 1;
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
