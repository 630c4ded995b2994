/* Linking this file makes the heap a checked heap (runtime/shared/checked.c). */

#include "runtime/shared/shared.h"

const char upcr_has_checks = 1;
