/* upc_strict.h: upc.h, and shared accesses are strict from here on (UPC 1.3, 7.1). */

#ifndef _UPC_STRICT_H
#define _UPC_STRICT_H

#include <upc.h>

#endif

/* Every inclusion asserts the pragma. */
#pragma upc strict
