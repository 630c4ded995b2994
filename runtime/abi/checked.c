/* Checks of accesses for unoptimised code, which calls these functions (include/upct/check.h). */

#ifdef UPCR_PTS_STRUCT
#define __UPC_PTS_STRUCT__ 1
#endif
#ifdef UPCR_NETWORK
#define __UPC_NETWORK__ 1
#endif
#define __UPC_CHECK

#include <upct/check.h>
