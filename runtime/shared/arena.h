/* jemalloc arenas that allocate from a zone of the segment. */

#ifndef UPCR_ARENA_H
#define UPCR_ARENA_H

/* jemalloc's number of the calling thread's own arena, and of the symmetric one. Arenas are
   made at their first use: most threads of a large run never allocate. */
unsigned upcr_arena_local (void);
unsigned upcr_arena_symmetric (void);

/* Gives the free extents of all arenas, which jemalloc keeps for some seconds, back to the zones. */
void upcr_arenas_purge (void);

/* Ends the run: jemalloc refuses CONTROL. */
_Noreturn void upcr_arena_fail (const char *control, int error);

#endif
