/* upct/residue.h: the iterations of a loop whose order is free (tools/upc2c/plan/residue.c), by their
   residues. Part of upct/access.h. */

#ifndef _UPCT_RESIDUE_H
#define _UPCT_RESIDUE_H
#pragma GCC system_header

#include <upct/arithmetic.h>

/* Iterations that are congruent modulo so many times THREADS follow each other, in strips; all
   residues of one span come before the next span, so that what they share stays in caches: private
   arrays, lines of memory with several elements. Set-up costs little beside so many iterations. */
enum
{
  __UPC_SPAN = 4096,      /* iterations, … */
  __UPC_LEAST_ROUNDS = 64 /* … and at least so many to a strip */
};

typedef struct
{
  unsigned long __at;              /* the first iteration of the strip; after the last, __end */
  unsigned long __count;           /* iterations left of this residue, 0 after the last one; … */
  unsigned long __stride;          /* … from one to the next */
  unsigned long __end;             /* how many iterations there are */
  unsigned long __span, __residue; /* where the span begins, and what is done of it */
  unsigned long __length;          /* of a span that is not the last one */
  unsigned long __rounds, __rest;  /* the span has __rounds * __stride + __rest iterations */
} __upc_residues;

/* Goes to the span at __at. */
__UPC_INLINE unsigned long
__upc_residues_span (__upc_residues *__s)
{
  unsigned long __left = __s->__end - __s->__at;

  if (__left > __s->__length)
    __left = __s->__length;
  __s->__span = __s->__at;
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
  __rounds = __UPC_SPAN / __s.__stride;
  if (__rounds < __UPC_LEAST_ROUNDS)
    __rounds = __UPC_LEAST_ROUNDS;
  __s.__length = __rounds * __s.__stride;
  __upc_residues_span (&__s);
  return __s;
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
    return __s->__at = __s->__span + __s->__residue;
  __s->__at = __s->__span + __s->__rounds * __s->__stride + __s->__rest;
  return __upc_residues_span (__s);
}

#endif
