/* upc_cray.h: what Cray's compilers add to UPC. For UPC source; C has no shared types. Collective
   frees are those of upc.h, atomic memory operations those of intrinsics.h. */

#ifndef _UPC_CRAY_H
#define _UPC_CRAY_H

#include <intrinsics.h>
#include <upc.h>

#endif
