/* Plain data, and what is left out of the search. */

#ifndef EXPLORE_PLAIN_H
#define EXPLORE_PLAIN_H

#include <stdbool.h>
#include <stddef.h>

bool plain_is_left_out (const volatile void *p);

/* The running thread is about to do an atomic operation: that may not race with plain writes, as of who
   has freed the memory or not told of it yet. */
void plain_meet_atomic (const volatile void *p, size_t bytes);

#endif
