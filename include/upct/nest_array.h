/* upct/nest_array.h: the interface between the runtime and nests of loops that may have their arrays in
   private copies (upct/nest.h). The type of pointers-to-shared is __upc_nest_pts. */

#ifndef _UPCT_NEST_ARRAY_H
#define _UPCT_NEST_ARRAY_H

enum
{
  __UPC_MOST_NEST_ARRAYS = 8,
  __UPC_LEAST_NEST = 2048, /* accesses; a nest of fewer is done sooner than it is looked at */
  __UPC_LEAST_CHECKED_NEST = 256
};

typedef struct
{
  __upc_nest_pts __start; /* where element 0 is */
  unsigned long __count;  /* elements; 0: those of the block of the heap that START leads to */
  unsigned long __block;  /* elements in a block of the layout; 0: all are in one */
  unsigned long __bytes;  /* of an element */
  int __is_written;
  long __low,
      __high; /* the elements that the nest accesses are between these; none are known if low > high */
  double __accesses;      /* how many times, at most */
  __upc_nest_pts __copy;  /* where element 0 would be of the copy, which is in one block */
  void *__old;            /* what the copy had at first, if the array IS_WRITTEN; … */
  unsigned long __first;  /* … from this round of blocks on, … */
  unsigned long __rounds; /* … so many; 0: the array itself is used */
  void *__memory;         /* of the first array: that of all copies, or null */
} __upc_nest_array;

#endif
