/* Linked in if an object calls a `g` entry point. */

#include "runtime/gasp/gasp.h"

const char upcr_gasp_instrumented = 1;
