/* upct_heap.h: what a program can ask about the shared heap. For UPC, C and C++. */

#ifndef _UPCT_HEAP_H
#define _UPCT_HEAP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Prints to stderr how many blocks and bytes of the shared heap are in use, and the maximum number of
   bytes so far: in all, and for each thread that they have affinity to. With UPC_CHECK=1 it also lists
   the source lines that allocated them, with the most bytes first. Without it sizes are rounded up,
   and the maximum is of whole pages. Blocks that other threads allocate or free during the call may
   or may not count. Not collective. */
extern void upc_heap_report (void);

#ifdef __cplusplus
}
#endif

#endif
