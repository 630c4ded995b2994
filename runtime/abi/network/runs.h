/* Runs of elements that batches of loops read (include/upct/batch.h). */

#ifndef UPCR_RUNS_H
#define UPCR_RUNS_H

#include "runtime/net/net.h"
#include "runtime/shared/shared.h"

#include <upct/batch.h>

/* Elements of runs that lie in one partition, at constant distances: of each run every so-manieth. STEP bytes from one
   value to the next, ROW_STEP from one run's to the next one's. */
struct upcr_piece
{
  struct upcr_net_section section;
  char *to;
  size_t step, row_step;
  bool is_near;
  int next; /* far one of the same thread, in the order of the runs */
};

/* The pieces of a list, and where the values of the far ones arrive. */
struct upcr_far_runs
{
  struct upcr_piece *pieces;
  size_t count, room;
  size_t bytes; /* of an element */
  size_t far_elements;
  int first[UPCR_MAX_THREADS], last[UPCR_MAX_THREADS]; /* far pieces */
  char *values;
  size_t values_room;
  struct upcr_far_runs *next;
};

/* Asks for what is far of the runs of G, and copies the rest to their values. NULL: there is no memory for that. IS_BAD, if it
   is not NULL, becomes 1 if an element may not be accessed. */
struct upcr_far_runs *upcr_runs_gather (__upc_gathered *g, char *is_bad, upcr_net_open *open);

/* Whether AT may be accessed, as far as this process knows. */
static inline bool
upcr_may_access (const void *at, size_t bytes)
{
  return upcr_is_near (at) ? upcr_is_near_and_whole (at, bytes) : upcr_is_shared_memory (at, bytes);
}

/* What has come goes to its place, for FAR and those behind it, which are freed. */
void upcr_runs_place (struct upcr_far_runs *far);
/* Ends the list of runs G. */
void upcr_runs_end (__upc_gathered *g);

#endif
