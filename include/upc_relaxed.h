/* upc_relaxed.h: upc.h, and shared accesses are relaxed from here on (UPC 1.3,
   7.1). */

#ifndef _UPC_RELAXED_H
#define _UPC_RELAXED_H

#include <upc.h>

#endif

/* Every inclusion asserts the pragma. */
#pragma upc relaxed
