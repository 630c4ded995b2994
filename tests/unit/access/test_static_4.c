/* The packed representation, compiled for 4 threads. */
#define THREADS 4
#define __UPC_STATIC_THREADS__ 1
#include "cases.h"
