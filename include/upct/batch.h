/* upct/batch.h: loops that run in batches of iterations, in programs of several processes
   (tools/upc2c/plan/batch.c). Part of upct/network.h.

   Each access of the loop has a list of the elements that it reads in a batch, in that order: their
   addresses, then, for far elements, the places of their values. A batch ends when a list is full; one
   iteration alone may have more. An iteration reads itself what it does not find in its list. After a
   batch of which everything was near, several times as many iterations run without lists, until one finds
   something far.

   An access whose elements are at constant distances in all iterations of an inner loop has a list of these
   runs instead, and the values of all of their elements, in that order. */

#ifndef _UPCT_BATCH_H
#define _UPCT_BATCH_H

enum
{
  __UPC_BARE = 15
};

typedef struct
{
  const void *__first;
  unsigned long __count;
  unsigned long __before; /* elements of the runs before it */
} __upc_run;

typedef struct
{
  const void **__at;
  unsigned long __count, __next, __room;
  unsigned long __bytes; /* of an element */
  int __level;
  char *__values; /* of those that are far */
  /* Of runs: from one element to the next it is so many blocks of that many bytes, or elements where there are no
     blocks; and their list, with room for more of them and of their elements. */
  long __blocks;
  unsigned long __block_bytes;
  __upc_run *__runs;
  unsigned long __elements;
  int __is_closed;
} __upc_gathered;

typedef struct
{
  __upc_gathered *__gathered;
  int __many;
  int __is_checked; /* what is fetched is looked up (-fupc-check) */
  int __is_full;
  int __has_far;              /* of what the last batch read something was far */
  int __is_bare;              /* there are no lists */
  unsigned long __iterations; /* that were begun, of … */
  unsigned long __most;       /* … those that there are at most */
} __upc_batch;

/* P is one element more than there is room for. */
extern void __upc_batch_more (__upc_batch *__b, __upc_gathered *__g, const void *__p);
/* COUNT elements from FIRST on. */
extern void __upc_batch_note_run (__upc_batch *__b, __upc_gathered *__g, const void *__first,
                                  unsigned long __count);
/* Fetches what is of that level. */
extern void __upc_batch_fetch (__upc_batch *__b, int __level);
extern void __upc_batch_end (__upc_batch *__b);

#ifdef _UPCT_ACCESS_H
#pragma GCC system_header

/* Whether lists are to be made. */
__UPC_INLINE int
__upc_batch_begin (__upc_batch *__b)
{
  int __i;

  for (__i = 0; __i < __b->__many; __i++)
    {
      __b->__gathered[__i].__count = __b->__gathered[__i].__next = 0;
      __b->__gathered[__i].__elements = 0;
      __b->__gathered[__i].__is_closed = 0;
    }
  __b->__is_full = 0;
  __b->__is_bare = !__b->__is_bare && __b->__most != 0 && !__b->__has_far;
  __b->__most = __b->__is_bare ? __b->__most * __UPC_BARE : ~0ul;
  __b->__has_far = 0;
  __b->__iterations = 0;
  return !__b->__is_bare;
}

/* Whether there is one more iteration. */
__UPC_INLINE int
__upc_batch_next (__upc_batch *__b)
{
  if (__b->__is_full || __b->__iterations == __b->__most)
    return 0;
  __b->__iterations++;
  return 1;
}

__UPC_INLINE void
__upc_batch_note (__upc_batch *__b, __upc_gathered *__g, const void *__p)
{
  if (__builtin_expect (__g->__count < __g->__room, 1))
    __g->__at[__g->__count++] = __p;
  else
    __upc_batch_more (__b, __g, __p);
}

/* What is in no list. */
__UPC_INLINE void
__upc_batch_load (__upc_batch *__b, void *__value, const void *__p, unsigned long __bytes)
{
  if (__builtin_expect (!__upc_is_near (__p), 0))
    __b->__is_full = __b->__is_bare;
  __upc_load (__value, __p, __bytes);
}

/* Where the next element is, or its value; NULL: it is not in the list. */
__UPC_INLINE const void *
__upc_batch_take (__upc_gathered *__g)
{
  return __builtin_expect (__g->__next < __g->__count, 1) ? __g->__at[__g->__next++] : 0;
}

/* The values of the next run; NULL: it is not in the list. */
__UPC_INLINE const void *
__upc_batch_take_run (__upc_gathered *__g)
{
  return __g->__next < __g->__count
             ? __g->__values + __g->__runs[__g->__next++].__before * __g->__bytes
             : 0;
}
#endif

#endif
