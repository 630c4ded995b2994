/* upct/piece.h: the iterations of a loop whose order is free and which goes through arrays in blocks:
   thread by thread (tools/upc2c/plan/pieces.c). Part of upct/access.h. */

#ifndef _UPCT_PIECE_H
#define _UPCT_PIECE_H
#pragma GCC system_header

#include <upct/residue.h>

/* In a chunk, which begins with a block, those whose elements are in blocks R, R + THREADS, R + 2 * THREADS and so on
   are a strip, for each R: what they access lies in one piece of a thread's memory. Iterations before the
   first whole block are a strip of their own. Of the fields __residue is R, __rounds and __rest are not used. */

/* What piece __residue of the chunk has, or the first one of the next chunk. */
__UPC_INLINE unsigned long
__upc_pieces_find (__upc_residues *__s, unsigned long __block)
{
  unsigned long __left, __before, __rounds, __rest;

  if (__s->__residue == (unsigned long) __upc_threads)
    {
      __s->__residue = 0;
      __s->__chunk += __s->__length;
    }
  __left = __s->__end - __s->__chunk;
  __before = __s->__residue * __block;
  /* The last chunk may have no blocks for the last pieces. */
  if (__s->__chunk >= __s->__end || __left <= __before)
    {
      __s->__chunk = __s->__end;
      __s->__count = 0;
      return __s->__at = __s->__end;
    }
  if (__left > __s->__length)
    __left = __s->__length;
  __rounds = __left / __s->__stride;
  __rest = __left - __rounds * __s->__stride;
  __rest = __rest <= __before ? 0 : __rest - __before;
  __s->__count = __rounds * __block + (__rest < __block ? __rest : __block);
  return __s->__at = __s->__chunk + __before;
}

/* END iterations, of which the first one has elements at PHASE in blocks. */
__UPC_INLINE __upc_residues
__upc_pieces_begin (unsigned long __end, unsigned long __block, unsigned long __phase)
{
  __upc_residues __s = __upc_residues_begin (__end, __block);
  unsigned long __first = __block - __phase;

  __s.__residue = 0;
  __s.__chunk = 0;
  if (__phase == 0)
    {
      __upc_pieces_find (&__s, __block);
      return __s;
    }
  /* As if they were the last piece of a chunk. */
  __s.__count = __first < __end ? __first : __end;
  __s.__residue = (unsigned long) __upc_threads - 1;
  __s.__chunk = __first - __s.__length;
  return __s;
}

/* What follows a strip. */
__UPC_INLINE unsigned long
__upc_pieces_next (__upc_residues *__s, unsigned long __block)
{
  __s->__residue++;
  return __upc_pieces_find (__s, __block);
}

/* Iteration N of the strip. Chunks are short, and vectors of ints have twice as many elements as those of longs. */
__UPC_INLINE unsigned long
__upc_piece_iteration (const __upc_residues *__s, unsigned long __n, unsigned long __block)
{
  unsigned int __k = (unsigned int) __n, __size = (unsigned int) __block;

  return __s->__at + (__k + __k / __size * ((unsigned int) __s->__stride - __size));
}

#endif
