/* jemalloc arenas whose memory is a zone of the segment. */

#ifndef UPCR_ARENA_H
#define UPCR_ARENA_H

/* Flags for mallocx and dallocx of the calling thread's own arena and of the
   symmetric one, each through a thread cache of its own. Arenas and caches are
   made at a thread's first use: most threads of a large run never allocate. */
struct upcr_caches
{
  int local;
  int symmetric;
};

const struct upcr_caches *upcr_arena_caches (void);

#endif
