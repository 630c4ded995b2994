/* Private statics beside native thread-local ones: private-loops.c twice in one
   program, once with plain statics that upc-privatize made private, once with
   __thread. */

#include "tests/bench/bench.h"

bench_loop private_counters, native_counters;
bench_loop private_calls, native_calls;
bench_loop private_array, native_array;

static const struct bench benches[] = {
  BENCH ("private/counters", private_counters, "__thread", native_counters, "<= 1.1 ref"),
  BENCH ("private/calls", private_calls, "__thread", native_calls, "<= 1.1 ref"),
  BENCH ("private/array", private_array, "__thread", native_array, "<= 1.1 ref"),
};

int
upc_main (int argc, char **argv)
{
  bench_arguments (argc, argv);
  bench_compare_all (benches, sizeof benches / sizeof *benches);
  return 0;
}
