/* Pointers-to-shared and addresses, for unoptimised code, which calls these functions
   (include/upct/pointer.h). */

#ifdef UPCR_PTS_STRUCT
#define __UPC_PTS_STRUCT__ 1
#endif
#define __UPC_ADDRESS

#include <upct/recent.h>
#include <upct/tabled.h>
