/* What a thread keeps of freed memory: a cache of jemalloc's for its own arena and one for
   the symmetric arena, and its magazines. */

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

/* Gives back what the calling thread keeps, and joins what is free in both arenas: for an
   allocation that has failed. */
void upcr_caches_flush (void);

#endif
