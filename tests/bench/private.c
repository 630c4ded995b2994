/* Private statics beside native thread-local ones: private-loops.c three times in one
   program, once with plain statics that upc-privatize made private, once the same with -g, once
   with __thread. */

#include "tests/bench/bench.h"

#include <pthread.h>
#include <stdlib.h>

bench_loop private_counters, native_counters, lines_counters;
bench_loop private_calls, native_calls, lines_calls;
bench_loop private_array, native_array, lines_array;
bench_loop private_address, native_address, lines_address;

/* The counters in a thread that the UPC thread has made. */

struct job
{
  bench_loop *loop;
  long rounds;
};

static void *
run_job (void *argument)
{
  const struct job *job = argument;

  job->loop (job->rounds);
  return NULL;
}

static void
in_helper (bench_loop *loop, long rounds)
{
  struct job job = { loop, rounds };
  pthread_t helper;

  if (pthread_create (&helper, NULL, run_job, &job) || pthread_join (helper, NULL))
    abort ();
}

static void
private_counters_in_helper (long rounds)
{
  in_helper (private_counters, rounds);
}

static void
native_counters_in_helper (long rounds)
{
  in_helper (native_counters, rounds);
}

static const struct bench benches[] = {
  BENCH ("private/counters", private_counters, "__thread", native_counters, "<= 1.1 ref"),
  BENCH ("private/calls", private_calls, "__thread", native_calls, "<= 1.1 ref"),
  BENCH ("private/array", private_array, "__thread", native_array, "<= 1.1 ref"),
  BENCH ("private/address", private_address, "__thread", native_address, "<= 1.1 ref"),
  BENCH ("private/counters-in-helper", private_counters_in_helper, "__thread",
         native_counters_in_helper, "<= 1.1 ref"),
  BENCH ("private/counters-lines", lines_counters, "without -g", private_counters, "<= 1.02 ref"),
  BENCH ("private/calls-lines", lines_calls, "without -g", private_calls, "<= 1.02 ref"),
  BENCH ("private/array-lines", lines_array, "without -g", private_array, "<= 1.02 ref"),
  BENCH ("private/address-lines", lines_address, "without -g", private_address, "<= 1.02 ref"),
};

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  bench_compare_all (benches, sizeof benches / sizeof *benches);
  return 0;
}
