/* The blocks of the plain heap, found by its shadow (shadow.h). Nothing is counted when blocks are
   allocated or freed, so that this costs nothing there. */

#ifndef UPCR_PLAIN_H
#define UPCR_PLAIN_H

#include "runtime/shared/shadow.h"
#include "runtime/shared/use.h"

/* What is in use of each partition, and behind them of all: USES has THREADS + 1. Sizes are those
   that the allocator rounds up to, and MOST is what pages have been taken. Other threads may allocate
   and free meanwhile: then their blocks count or do not. */
void upcr_plain_uses (struct upcr_use *uses);

#endif
