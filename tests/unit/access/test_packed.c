/* The packed representation, THREADS known at run time. */
#include "cases.h"
