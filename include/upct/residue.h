/* upct/residue.h: the iterations of a loop whose order is free (tools/upc2c/plan/residue.c), by their
   residues. Part of upct/access.h. */

#ifndef _UPCT_RESIDUE_H
#define _UPCT_RESIDUE_H
#pragma GCC system_header

#include <upct/strip.h>

/* Iterations that are congruent modulo so many times THREADS follow each other, in strips; all
   residues of one chunk come before the next chunk, so that what they share stays in caches: private
   arrays, lines of memory with several elements. Set-up costs little beside so many iterations. */
enum
{
  __UPC_CHUNK = 4096,      /* iterations, … */
  __UPC_LEAST_ROUNDS = 64, /* … and at least so many to a strip */
  __UPC_FEW = 32,          /* fewer iterations are done sooner in their order, … */
  __UPC_FEW_ROUNDS = 3,    /* … and so are those of fewer rounds, … */
  __UPC_SHORT_ROUNDS = 8   /* … or fewer than so many where each round is a strip of its own */
};

typedef struct
{
  unsigned long __at;               /* the first iteration of the strip; after the last, __end */
  unsigned long __count;            /* iterations left of this residue, 0 after the last one; … */
  unsigned long __stride;           /* … from one to the next */
  unsigned long __end;              /* how many iterations there are */
  unsigned long __chunk, __residue; /* where the chunk begins, and what is done of it */
  unsigned long __length;           /* of a chunk that is not the last one */
  /* The chunk has __rounds * __stride + __rest iterations. Of phases __rest is the first own one of phase 0. */
  unsigned long __rounds, __rest;
  /* Of phases: how many follow each other in each round of the strip; where, and how many, that are at most. */
  unsigned long __width, __middle, __most;
} __upc_residues;

/* Goes to the chunk at __at. */
__UPC_INLINE unsigned long
__upc_residues_chunk (__upc_residues *__s)
{
  unsigned long __left = __s->__end - __s->__at;

  if (__left > __s->__length)
    __left = __s->__length;
  __s->__chunk = __s->__at;
  __s->__residue = 0;
  __s->__rounds = __left / __s->__stride;
  __s->__rest = __left % __s->__stride;
  __s->__count = __s->__rounds + (__s->__rest != 0);
  return __s->__at;
}

/* END iterations, by residues modulo BLOCK * THREADS. */
__UPC_INLINE __upc_residues
__upc_residues_begin (unsigned long __end, unsigned long __block)
{
  __upc_residues __s;
  unsigned long __rounds;

  __s.__at = 0;
  __s.__end = __end;
  __s.__stride = __block * (unsigned long) __upc_threads;
  __rounds = __UPC_CHUNK / __s.__stride;
  if (__rounds < __UPC_LEAST_ROUNDS)
    __rounds = __UPC_LEAST_ROUNDS;
  __s.__length = __rounds * __s.__stride;
  __upc_residues_chunk (&__s);
  return __s;
}

/* Of a upc_forall, whose iteration 0 has element POSITION of a layout in such blocks, the thread's own ones. Their
   residues are those of the phases; from phase MIDDLE on MOST phases are one, if that is more than 1 (upc2c's
   plan/middle.c). Chunks have whole blocks then: what is before the first own one that begins is a chunk, and so
   is what is left behind all whole rounds. */

/* Where the chunk ends. */
static __inline__ unsigned long
__upc_phases_chunk_end (const __upc_residues *__s)
{
  unsigned long __left = __s->__end - __s->__chunk;

  if (__s->__most > 1 && __s->__rest)
    return __s->__rest < __s->__end ? __s->__rest : __s->__end;
  if (__left > __s->__length)
    return __s->__chunk + __s->__length;
  if (__s->__most > 1 && __left > __s->__stride)
    return __s->__end - __left % __s->__stride;
  return __s->__end;
}

static __inline__ __attribute__ ((__noinline__, __unused__)) __upc_residues
__upc_phases_find (__upc_residues __s, unsigned long __block)
{
  unsigned long __end = __upc_phases_chunk_end (&__s), __first;

  for (;; __s.__residue++)
    {
      if (__s.__residue == __block)
        {
          __s.__residue = 0;
          __s.__chunk = __end;
          if (__s.__most > 1)
            __s.__rest = 0;
          __end = __upc_phases_chunk_end (&__s);
        }
      __s.__at = __s.__end;
      __s.__count = 0;
      if (__s.__chunk >= __s.__end)
        return __s;
      __first = __s.__rest + __s.__residue;
      __s.__at = __s.__chunk + (__first < __s.__stride ? __first : __first - __s.__stride);
      __s.__width = __s.__residue == __s.__middle && __s.__at + __s.__most <= __end ? __s.__most
                                                                                    : 1;
      if (__s.__at < __end)
        {
          __s.__count = (__end - __s.__width - __s.__at) / __s.__stride + 1;
          return __s;
        }
    }
}

__UPC_INLINE __upc_residues
__upc_phases_begin (unsigned long __end, long __position, unsigned long __block,
                    unsigned long __middle, unsigned long __most)
{
  __upc_residues __s = __upc_residues_begin (__end, __block);
  long __stride = (long) __s.__stride,
       __own = (long) __block * __upc_mythread - __position % __stride;

  __s.__chunk = 0;
  __s.__residue = 0;
  __s.__rest = (unsigned long) (__own < 0           ? __own + __stride
                                : __own >= __stride ? __own - __stride
                                                    : __own);
  __s.__middle = __middle;
  __s.__most = __most;
  return __upc_phases_find (__s, __block);
}

__UPC_INLINE unsigned long
__upc_phases_next (__upc_residues *__s, unsigned long __left, unsigned long __block)
{
  if (__left < __s->__count)
    {
      __s->__count -= __left;
      return __s->__at += __left * __s->__stride;
    }
  __s->__residue += __s->__width;
  *__s = __upc_phases_find (*__s, __block);
  return __s->__at;
}

/* Whether the iterations had better come in their order. */
__UPC_INLINE int
__upc_residues_are_few (const __upc_residues *__s)
{
  return __s->__end < __UPC_FEW || __s->__end < __UPC_FEW_ROUNDS * __s->__stride;
}

/* The same where strips have one iteration of each round. */
__UPC_INLINE int
__upc_residues_are_short (const __upc_residues *__s)
{
  return __s->__end < __UPC_FEW || __s->__end < __UPC_SHORT_ROUNDS * __s->__stride;
}

/* Where the elements are that a reference accesses in all iterations: so far from the start of each
   partition, in blocks that may belong to any thread. */
typedef struct
{
  unsigned long __from, __to; /* whole blocks */
  char *__first, *__last;     /* the elements of the first and the last iteration */
  unsigned long __block, __bytes;
} __upc_reach;

__UPC_INLINE unsigned long
__upc_offset_in (const char *__address)
{
  return ((unsigned long) __address - __UPC_SEGMENT_BASE) % __UPC_STRIDE;
}

/* The last element is DISTANCE further than the first. What leads below the start of a partition has no
   such place: not all of it is accessed. */
__UPC_INLINE __upc_reach
__upc_reach_between (char *__first, long __first_phase, char *__last, long __last_phase,
                     long __distance, unsigned long __block, unsigned long __bytes)
{
  unsigned long __a = __upc_offset_in (__first) - (unsigned long) __first_phase * __bytes;
  unsigned long __b = __upc_offset_in (__last) - (unsigned long) __last_phase * __bytes;
  unsigned long __from = __distance < 0 ? __b : __a;
  unsigned long __to = (__distance < 0 ? __a : __b) + __block * __bytes;

  if (__from >= __to)
    __from = 0, __to = ~0ul;
  return (__upc_reach){ __from, __to, __first, __last, __block, __bytes };
}

/* Of P[N] and P[N + DISTANCE]. */
__UPC_INLINE __upc_reach
__upc_reach_of_index (__upc_pts __p, long __n, long __distance, unsigned long __block,
                      unsigned long __bytes)
{
  long __m = __n + __distance;

  return __upc_reach_between ((char *) __upc_index_address (__p, __n, __block, __bytes),
                              __upc_strip_phase_index (__p, __n, __block),
                              (char *) __upc_index_address (__p, __m, __block, __bytes),
                              __upc_strip_phase_index (__p, __m, __block), __distance, __block,
                              __bytes);
}

/* Of the elements N and N + DISTANCE of a static array. */
__UPC_INLINE __upc_reach
__upc_reach_of_element (const volatile void *__array, long __n, long __distance,
                        unsigned long __block, unsigned long __bytes)
{
  long __m = __n + __distance;

  return __upc_reach_between (__upc_strip_address (__array, __n, __block, __bytes),
                              __upc_strip_phase (__n, __block),
                              __upc_strip_address (__array, __m, __block, __bytes),
                              __upc_strip_phase (__m, __block), __distance, __block, __bytes);
}

/* Whether two references may access one element, but for each iteration its own. */
__UPC_INLINE int
__upc_may_meet (__upc_reach __a, __upc_reach __b)
{
  if (__a.__to <= __b.__from || __b.__to <= __a.__from)
    return 0;
  return __a.__first != __b.__first || __a.__last != __b.__last || __a.__from != __b.__from
         || __a.__to != __b.__to || __a.__block != __b.__block || __a.__bytes != __b.__bytes;
}

/* What follows a strip of LEFT iterations: where the next one begins. */
__UPC_INLINE unsigned long
__upc_residues_next (__upc_residues *__s, unsigned long __left)
{
  __s->__at += __left * __s->__stride;
  if (__s->__count -= __left)
    return __s->__at;
  __s->__residue++;
  __s->__count = __s->__residue == __s->__stride ? 0
                                                 : __s->__rounds + (__s->__residue < __s->__rest);
  if (__s->__count)
    return __s->__at = __s->__chunk + __s->__residue;
  __s->__at = __s->__chunk + __s->__rounds * __s->__stride + __s->__rest;
  return __upc_residues_chunk (__s);
}

#endif
