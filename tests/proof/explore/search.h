/* The search: what is chosen where there is a choice, and which executions are left out. */

#ifndef EXPLORE_SEARCH_H
#define EXPLORE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

/* At random, with that SEED: else all there are, depth first. */
void search_at_random (unsigned seed);

/* Before each execution. */
void search_begin (void);

/* One of 0 to POSSIBILITIES - 1; 0 first. */
int search_choose (int possibilities);

/* Has the state HASH been explored, with USED or fewer preemptions before it? Then the rest of this
   execution has, too. */
bool search_has_seen (uint64_t hash, unsigned used);

/* Is there another execution? */
bool search_next (void);

#endif
