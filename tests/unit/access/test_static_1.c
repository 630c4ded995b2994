/* The packed representation, compiled for 1 threads. */
#define THREADS 1
#define __UPC_STATIC_THREADS__ 1
#include "cases.h"
