/* The struct representation, THREADS known at run time. */
#define __UPC_PTS_STRUCT__ 1
#include "cases.h"
