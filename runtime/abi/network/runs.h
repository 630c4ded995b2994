/* Runs of elements that batches of loops read (include/upct/batch.h). */

#ifndef UPCR_RUNS_H
#define UPCR_RUNS_H

#include "runtime/shared/shared.h"

#include <upct/batch.h>

/* Elements of a run that lie at a constant distance in one partition, for every STEP bytes of the run's values. */
struct upcr_piece
{
  const char *from;
  int64_t stride;
  char *to;
  size_t step, count;
  int next; /* far one of the same thread, in the order of the runs */
};

/* The far pieces of a list, and where their values arrive. */
struct upcr_far_runs
{
  struct upcr_piece *pieces;
  size_t count, room, bytes; /* of an element */
  int first[UPCR_MAX_THREADS], last[UPCR_MAX_THREADS];
  char *values;
  size_t values_room;
  struct upcr_far_runs *next;
};

/* Copies what is near of the runs of G to their values, and asks for the rest. NULL: there is no memory for that. */
struct upcr_far_runs *upcr_runs_gather (__upc_gathered *g, upcr_net_open *open);
/* What has come goes to its place, for FAR and those behind it, which are freed. */
void upcr_runs_place (struct upcr_far_runs *far);
/* Ends the list of runs G. */
void upcr_runs_end (__upc_gathered *g);

#endif
