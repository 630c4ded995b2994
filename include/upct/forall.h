/* upct/forall.h: the iterations of a loop in strips that a thread does. Those of a upc_forall
   (UPC 1.3, 6.6.2) are found without visiting the others. Part of upct/access.h. */

#ifndef _UPCT_FORALL_H
#define _UPCT_FORALL_H
#pragma GCC system_header

#include <upct/strip.h>

/* A set of iterations is a sequence of runs, which are done in strips. There are three kinds. All
   iterations, of a for, are one run. Of a upc_forall whose affinity is an affine expression of the
   induction variable iteration n belongs to the thread that has element POSITION + n * STEP of a
   layout. The elements of a run have a constant stride in their thread's memory: those of one
   block, or in cyclic layouts all of the thread's. */
typedef struct
{
  unsigned long __at;     /* the first iteration of the strip; after the last, __end */
  unsigned long __count;  /* iterations left of the run, 0 after the last one; … */
  unsigned long __stride; /* … from one to the next */
  unsigned long __end;    /* how many iterations there are, of all threads */
  unsigned long __local;  /* which of its thread's elements the strip's first one has, … */
  long __pitch;           /* … and from one to the next */
  long __phase;           /* of the first one, where the step is by one */
  unsigned long __thread_index;
  int __visits_all; /* another upc_forall controls: every iteration is to be done */
  /* Steps other than by one. */
  long __position, __step;
  unsigned long __block;
} __upc_iterations;

/* The trip count of a loop whose induction variable moves by STEP over DISTANCE. */
__UPC_INLINE unsigned long
__upc_count (unsigned long __distance, long __step)
{
  if (__distance == 0 || __step <= 0)
    return __distance == 0 ? 0 : ~0ul >> 1;
  return (__distance - 1) / (unsigned long) __step + 1;
}

/* Of a loop whose condition is behind its body. */
__UPC_INLINE unsigned long
__upc_at_least_one (unsigned long __count)
{
  return __count ? __count : 1;
}

/* VALUE as the first position, where a long holds it and all that follow; else one of the first round that lies as VALUE does
   in a layout of such blocks. */
__UPC_INLINE long
__upc_unsigned_position (unsigned long __value, unsigned long __block)
{
  unsigned long __round = __block * (unsigned long) __upc_threads;

  if (__builtin_expect (__value >> 62 == 0, 1))
    return (long) __value;
  return (long) (__round ? __value % __round : __value);
}

__UPC_INLINE __upc_iterations
__upc_all_begin (unsigned long __end)
{
  __upc_iterations __s = { .__count = __end };

  return __s;
}

/* The run at __at, with __block more elements in it than there may be iterations. */
__UPC_INLINE void
__upc_owned_limit (__upc_iterations *__s, unsigned long __left)
{
  if (__s->__at >= __s->__end)
    {
      __s->__at = __s->__end;
      __left = 0;
    }
  else if (__left > __s->__end - __s->__at)
    __left = __s->__end - __s->__at;
  __s->__count = __left;
}

/* A thread's own iterations of a cyclic layout are one run. */
__UPC_INLINE unsigned long
__upc_owned_left (const __upc_iterations *__s, unsigned long __block, unsigned long __phase)
{
  if (__block != 1)
    return __block - __phase;
  if (__s->__visits_all || __s->__at >= __s->__end)
    return 1;
  return __upc_divide_by_threads (__s->__end - __s->__at - 1) + 1;
}

__UPC_INLINE __upc_iterations
__upc_owned_begin (unsigned long __end, long __position, unsigned long __block, int __visits_all)
{
  __upc_iterations __s;
  long __blocks = __block == 1 ? __position : __upc_floor_block (__position, __block);
  long __phase = __position - __blocks * (long) __block;
  long __rounds = __upc_floor_threads (__blocks);
  long __ahead = __upc_mythread - (__blocks - __rounds * __upc_threads);

  __s.__at = 0;
  __s.__end = __end;
  __s.__stride = __block == 1 ? __upc_threads : 1;
  __s.__pitch = 1;
  __s.__visits_all = __visits_all;
  __s.__thread_index = __upc_mythread;
  if (__visits_all)
    __s.__thread_index = __blocks - __rounds * __upc_threads;
  else if (__ahead != 0)
    {
      if (__ahead < 0)
        {
          __ahead += __upc_threads;
          __rounds++;
        }
      __s.__at = __ahead * (long) __block - __phase;
      __phase = 0;
    }
  __s.__local = __rounds * (long) __block + __phase;
  __s.__phase = __phase;
  __upc_owned_limit (&__s, __upc_owned_left (&__s, __block, __phase));
  return __s;
}

__UPC_INLINE unsigned long
__upc_owned_next (__upc_iterations *__s, unsigned long __left, unsigned long __block)
{
  __s->__at += __s->__visits_all ? __left : __left * __s->__stride;
  __s->__local += __left;
  __s->__phase += __left;
  if (__s->__count -= __left)
    return __s->__at;
  if (!__builtin_expect (__s->__visits_all, 0))
    {
      if (__block == 1)
        return __s->__at = __s->__end;
      __s->__at += (__upc_threads - 1ul) * __block;
    }
  else if (++__s->__thread_index == (unsigned long) __upc_threads)
    __s->__thread_index = 0;
  else
    __s->__local -= __block;
  __s->__phase = 0;
  __upc_owned_limit (__s, __block);
  return __s->__at;
}

/* How many iterations from __at on are owned, whatever blocks they are in. */
__UPC_INLINE unsigned long
__upc_owned_rest (const __upc_iterations *__s, unsigned long __block)
{
  unsigned long __left = __s->__end - __s->__at, __first = __block - (unsigned long) __s->__phase;
  unsigned long __others = (__upc_threads - 1ul) * __block, __blocks, __rounds, __last;

  if (__left <= __first + __others)
    return __left < __first ? __left : __first;
  __left -= __first + __others;
  __blocks = __left / __block;
  __rounds = __upc_divide_by_threads (__blocks);
  __last = __left - __rounds * __upc_threads * __block;
  return __first + __rounds * __block + (__last < __block ? __last : __block);
}

/* Makes all of these the last strip, and returns how many they are. */
__UPC_INLINE unsigned long
__upc_owned_all (__upc_iterations *__s, unsigned long __block)
{
  __s->__count = __upc_owned_rest (__s, __block);
  __s->__at = __s->__end;
  return __s->__count;
}

/* The same for any STEP, and any block size from 1 on; these are not inlined. */

__UPC_INLINE long
__upc_floor_modulo (long __n, long __d)
{
  long __r = __n % __d;

  return __r < 0 ? __r + __d : __r;
}

/* Iteration __at of such a set: the thread that has its element, and the element's number
   there. */
__UPC_INLINE unsigned long
__upc_steps_locate (__upc_iterations *__s)
{
  long __n = __s->__position + (long) __s->__at * __s->__step;
  long __blocks = (__n - __upc_floor_modulo (__n, __s->__block)) / (long) __s->__block;
  long __thread_index = __upc_floor_modulo (__blocks, __upc_threads);
  long __rounds = (__blocks - __thread_index) / __upc_threads;

  __s->__local = __rounds * __s->__block + __upc_floor_modulo (__n, __s->__block);
  return __s->__thread_index = __thread_index;
}

/* Each step goes from one block to the same phase in another: after THREADS steps at
   most the threads repeat. */
__UPC_INLINE void
__upc_steps_of_blocks (__upc_iterations *__s)
{
  unsigned long __last = __s->__at + __upc_threads, __first;

  while (__s->__at < __last && __upc_steps_locate (__s) != (unsigned long) __upc_mythread)
    __s->__at++;
  __first = __s->__at;
  if (__first < __last)
    do
      __s->__at++;
    while (__upc_steps_locate (__s) != (unsigned long) __upc_mythread);
  __s->__stride = __s->__at - __first;
  __s->__pitch = __s->__step * (long) __s->__stride / __upc_threads;
  __s->__at = __first;
  __s->__count = 0;
  if (__first == __last || __first >= __s->__end)
    __s->__at = __s->__end;
  else
    {
      __upc_steps_locate (__s);
      __s->__count = (__s->__end - 1 - __first) / __s->__stride + 1;
    }
}

/* The next block of this thread from __at on, by steps of MOVED modulo the PERIOD of the
   layout. */
__UPC_INLINE void
__upc_steps_in_blocks (__upc_iterations *__s, long __moved, long __period)
{
  long __low = __upc_mythread * (long) __s->__block, __high = __low + __s->__block, __n, __ahead;

  __s->__stride = 1;
  __s->__pitch = __moved + (__s->__step - __moved) / __upc_threads;
  while (__s->__at < __s->__end)
    {
      __n = __upc_floor_modulo (__s->__position + (long) __s->__at * __s->__step, __period);
      if (__n >= __low && __n < __high)
        {
          __ahead = __moved > 0 ? (__high - 1 - __n) / __moved : (__n - __low) / -__moved;
          __upc_owned_limit (__s, __ahead + 1);
          __upc_steps_locate (__s);
          return;
        }
      __ahead = __upc_floor_modulo (__moved > 0 ? __low - __n : __n - (__high - 1), __period);
      if (__moved < 0)
        __s->__at += (__ahead - __moved - 1) / -__moved;
      else
        __s->__at += (__ahead + __moved - 1) / __moved;
    }
  __upc_owned_limit (__s, 0);
}

static __inline__ __attribute__ ((__noinline__, __unused__)) __upc_iterations
__upc_steps_find (__upc_iterations __s)
{
  long __period = (long) __s.__block * __upc_threads;
  long __moved;

  if (__s.__at >= __s.__end || __s.__block == 0)
    {
      __s.__at = __s.__end;
      __s.__count = 0;
      return __s;
    }
  if (__s.__visits_all)
    {
      __upc_steps_locate (&__s);
      __s.__stride = __s.__count = 1;
      return __s;
    }
  __moved = __upc_floor_modulo (__s.__step, __period);
  if (__moved > __period / 2)
    __moved -= __period;
  if (__moved % (long) __s.__block == 0)
    __upc_steps_of_blocks (&__s);
  else
    __upc_steps_in_blocks (&__s, __moved, __period);
  return __s;
}

__UPC_INLINE __upc_iterations
__upc_steps_begin (unsigned long __end, long __position, long __step, unsigned long __block,
                   int __visits_all)
{
  __upc_iterations __s;

  __s.__at = 0;
  __s.__count = 0;
  __s.__stride = 1;
  __s.__end = __end;
  __s.__local = 0;
  __s.__pitch = 0;
  __s.__phase = 0;
  __s.__thread_index = 0;
  __s.__visits_all = __visits_all;
  __s.__position = __position;
  __s.__step = __step;
  __s.__block = __block;
  return __upc_steps_find (__s);
}

__UPC_INLINE unsigned long
__upc_steps_next (__upc_iterations *__s, unsigned long __left)
{
  __s->__at += __left * __s->__stride;
  __s->__local += __left * (unsigned long) __s->__pitch;
  if (__left == __s->__count)
    *__s = __upc_steps_find (*__s);
  else
    __s->__count -= __left;
  return __s->__at;
}

/* The position of P in a round of THREADS blocks: that of a set that starts at P. */
__UPC_INLINE long
__upc_position (__upc_pts __p, unsigned long __block)
{
  return (long) (__upc_thread (__p) * __block + (__block == 1 ? 0 : __upc_phase (__p)));
}

/* The address of the element of ARRAY that belongs to the first iteration of the strip. */
__UPC_INLINE char *
__upc_owned_address (const volatile void *__array, __upc_iterations __s, unsigned long __bytes)
{
  return (char *) (__upc_strip_array (__array) + __s.__thread_index * __UPC_STRIDE
                   + __s.__local * __bytes);
}

#endif
