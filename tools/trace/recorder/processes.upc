/* A run in several processes. What they tell each other lies in the memory of thread 0. Not instrumented itself. */

#include <upc_relaxed.h>

#include "tools/trace/recorder/processes.h"

#include <unistd.h>

/* The runtime's: 0 where the clocks of this process and of thread 0's do not differ. */
int upct_compare_clocks (uint64_t *own, uint64_t *first, uint64_t *width);

enum
{
  NAP_US = 100
};

/* trace_run of thread 0's process, once `is_announced`. */
static shared [] char announced[sizeof (struct trace_run)];
static strict shared int is_announced;

/* Whether a thread has written its last. */
static strict shared [] int has_left[TRACE_MAX_THREADS];

PROCESS_WIDE static atomic_flag is_end_compared;

int
count_own_threads (void)
{
  return (int) (__upc_own_bytes / __UPC_STRIDE);
}

bool
leads_run (void)
{
  return __upc_own_start == __UPC_SEGMENT_BASE;
}

void
announce_run (void)
{
  upc_memput (announced, &trace_run, sizeof trace_run);
  is_announced = 1;
}

/* The machine and the limit are the process's own. */
void
hear_run (void)
{
  struct trace_run told;

  while (!is_announced)
    usleep (NAP_US);
  upc_memget (&told, announced, sizeof told);
  trace_run.has_folder = told.has_folder;
  __builtin_memcpy (trace_run.folder, told.folder, sizeof told.folder);
  trace_run.header.run = told.header.run;
  trace_run.header.date = told.header.date;
  trace_run.header.first_rate = told.header.rate;
}

static void
compare (struct trace_clock *clock)
{
  if (!upct_compare_clocks (&clock->ticks, &clock->first, &clock->width))
    *clock = (struct trace_clock){ 0 };
}

/* Who waits answers at once. */
void
compare_clocks_at_begin (void)
{
  upc_barrier;
  if (__upc_is_first_here () && !leads_run ())
    compare (&trace_run.header.clock[0]);
  upc_barrier;
}

void
compare_clocks_at_end (void)
{
  if (!leads_run () && trace_run.header.clock[0].ticks
      && !atomic_flag_test_and_set_explicit (&is_end_compared, memory_order_relaxed))
    compare (&trace_run.header.clock[1]);
}

bool
leaves_last (gasp_context_t context)
{
  has_left[MYTHREAD] = 1;
  if (MYTHREAD != 0 || !context || !context->has_file)
    return false;
  for (int t = 0; t < THREADS; t++)
    while (!has_left[t])
      usleep (NAP_US);
  return true;
}
