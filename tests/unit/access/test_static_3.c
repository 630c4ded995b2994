/* The packed representation, compiled for 3 threads. */
#define THREADS 3
#define __UPC_STATIC_THREADS__ 1
#include "cases.h"
