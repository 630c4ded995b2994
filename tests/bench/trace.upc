/* libgasp-trace: an event, recorded by all threads at once; and what a profile says of work
   whose time is known. */

#include <upc_relaxed.h>
#include <upc_tick.h>
#include <gasp.h>

#include "bench.h"

static gasp_context_t tool;

#define EVENT(tag, type, ...) gasp_event_notify (tool, tag, type, "trace.upc", 10, 5, ##__VA_ARGS__)

/* A round is an event, of pairs. */
static void
record_fences (long rounds)
{
  for (long i = 0; i < rounds; i += 2)
    {
      EVENT (GASP_UPC_FENCE, GASP_START);
      EVENT (GASP_UPC_FENCE, GASP_END);
    }
}

static void
record_gets (long rounds)
{
  static shared int element[THREADS];
  shared void *there = &element[(MYTHREAD + 1) % THREADS];
  int value;

  for (long i = 0; i < rounds; i += 2)
    {
      EVENT (GASP_UPC_GET, GASP_START, 1, &value, &there, sizeof value);
      EVENT (GASP_UPC_GET, GASP_END, 1, &value, &there, sizeof value);
    }
}

static void
record_functions (long rounds)
{
  for (long i = 0; i < rounds; i += 2)
    {
      EVENT (GASP_C_FUNC, GASP_START, "void f (void)");
      EVENT (GASP_C_FUNC, GASP_END, "void f (void)");
    }
}

static void
read_clock (long rounds)
{
  for (long i = 0; i < rounds; i++)
    bench_use (upc_ticks_now ());
}

static void
meet (void)
{
  upc_barrier;
}

/* Half a microsecond of one chain of operations, and of operations that do not wait. */
static __attribute__ ((noinline)) unsigned
chain (unsigned state)
{
  for (int i = 0; i < 530; i++)
    state = state * 1664525 + 1013904223;
  return state;
}

static __attribute__ ((noinline)) unsigned
sums (unsigned state)
{
  static unsigned data[2800];
  unsigned a = state, b = 0, c = 0, d = 0;

  for (int i = 0; i < 2800; i += 4)
    {
      a += data[i] ^ i;
      b ^= data[i + 1] + a;
      c += data[i + 2] | i;
      d ^= data[i + 3] + i;
      data[i] = c;
    }
  return a + b + c + d;
}

enum { STEPS = 2000, CALLS = 40 };

#define CALL(work, name, start, end)  \
  static void                         \
  name (void)                         \
  {                                   \
    unsigned state = 1;               \
                                      \
    for (int i = 0; i < STEPS; i++)   \
      {                               \
        start;                        \
        state = work (state);         \
        end;                          \
        bench_use (state);            \
      }                               \
  }

CALL (chain, plain_chain, , )
CALL (sums, plain_sums, , )
CALL (chain, traced_chain, EVENT (GASP_UPC_FORALL, GASP_START), EVENT (GASP_UPC_FORALL, GASP_END))
CALL (sums, traced_sums, EVENT (GASP_UPC_FORALL, GASP_START), EVENT (GASP_UPC_FORALL, GASP_END))

/* Prints what the plain calls take by hand, in nanoseconds. */
static void
profile_work (const char *name, void (*plain) (void), void (*traced) (void))
{
  double sum = 0;

  for (int i = 0; i < CALLS; i++)
    {
      double start = bench_now_ns ();
      plain ();
      sum += bench_now_ns () - start;
      EVENT (GASP_C_FUNC, GASP_START, name);
      traced ();
      EVENT (GASP_C_FUNC, GASP_END, name);
    }
  printf ("%s %.0f\n", name, sum);
}

int
main (int argc, char **argv)
{
  static const struct bench benches[] = {
    BENCH ("trace/event", record_fences, "upc_ticks_now", read_clock, "<= 50", .rounds = 200000, .settle = meet),
    BENCH ("trace/event-get", record_gets, "upc_ticks_now", read_clock, "<= 50", .rounds = 200000, .settle = meet),
    BENCH ("trace/event-function", record_functions, "upc_ticks_now", read_clock, "<= 50", .rounds = 200000,
           .settle = meet),
  };

  bench_arguments (argc, argv);
  tool = gasp_init (GASP_LANG_UPC, &argc, &argv);
  if (strcmp (bench_only, "profile") == 0)
    {
      profile_work ("chain", plain_chain, traced_chain);
      profile_work ("sums", plain_sums, traced_sums);
    }
  else
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++)
      bench_compare (&benches[i]);
  EVENT (GASP_UPC_COLLECTIVE_EXIT, GASP_START, 0);
  upc_barrier;
  EVENT (GASP_UPC_COLLECTIVE_EXIT, GASP_END, 0);
  return 0;
}
