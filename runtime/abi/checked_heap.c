/* Where this file is linked, the heap is a checked one (runtime/shared/checked.c). */

#include "runtime/shared/shared.h"

const char upcr_has_checks = 1;
