#ifndef UPCR_TEST_REQUIRE_H
#define UPCR_TEST_REQUIRE_H

#include "runtime/host/host.h"

#include <stdio.h>
#include <stdlib.h>

/* For what runs on many threads, where cmocka's assertions do not work. */
#define REQUIRE(condition)                                                                 \
  do                                                                                       \
    if (!(condition))                                                                      \
      {                                                                                    \
        fprintf (stderr, "%s:%d: thread %d: not true: %s\n", __FILE__, __LINE__, MYTHREAD, \
                 #condition);                                                              \
        abort ();                                                                          \
      }                                                                                    \
  while (0)

#endif
