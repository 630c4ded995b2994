/* Plain data, and what is left out of the search. */

#ifndef EXPLORE_PLAIN_H
#define EXPLORE_PLAIN_H

#include <stdbool.h>

bool plain_is_left_out (const volatile void *p);

#endif
