/* Included before the files of the runtime that test_growth.c is made of: its processes are POSIX threads, each with
   variables of its own, and have one UPC thread each. */

#ifndef TESTS_UNIT_NET_PER_PROCESS_H
#define TESTS_UNIT_NET_PER_PROCESS_H

#define UPCR_PER_PROCESS __thread

#include "runtime/host/host.h"

#include <stdlib.h>

#undef MYTHREAD
#define MYTHREAD upcr_first_thread

/* What they allocate is counted. */
#define calloc upcr_test_calloc
void *upcr_test_calloc (size_t count, size_t bytes);

#endif
