/* Checks of accesses for code that is not optimised, which calls them (include/upct/check.h). */

#ifdef UPCR_PTS_STRUCT
#define __UPC_PTS_STRUCT__ 1
#endif
#define __UPC_CHECK

#include <upct/check.h>
