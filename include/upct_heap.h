/* upct_heap.h: what a program can ask about the shared heap. For UPC, C and C++. */

#ifndef _UPCT_HEAP_H
#define _UPCT_HEAP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Prints to stderr how many blocks and bytes of the shared heap are in use, and how many bytes that
   has been at most: in all, and by the thread that they have affinity to. With UPC_CHECK=1 also by the
   line that allocated them, the most bytes first; without it sizes are rounded up, and the most is
   that of whole pages. Blocks that other threads allocate or free meanwhile count or do not. Not
   collective. */
extern void upc_heap_report (void);

#ifdef __cplusplus
}
#endif

#endif
