/* A thread's freed memory: a cache of jemalloc's for its own arena and one for the symmetric
   arena, and its magazines. */

#ifndef UPCR_CACHE_H
#define UPCR_CACHE_H

/* Flags for mallocx and dallocx. */
struct upcr_caches
{
  int local;
  int symmetric;
};

/* The calling thread's. Made at its first use, given back at the end of the thread. */
const struct upcr_caches *upcr_caches (void);

/* Gives what the calling thread keeps back to jemalloc. */
void upcr_caches_empty (void);

#endif
