/* What each thread moves is counted where upcrun sees it (tools/trace/traffic.h). */

#include "tools/trace/recorder/recorder.h"

#include <string.h>
#include <sys/mman.h>

PROCESS_WIDE struct trace_traffic upct_traffic;

/* Pages appear when touched. */
void
begin_traffic (void)
{
  uint64_t threads = upcall_threads ();
  void *map = mmap (NULL, trace_traffic_words (threads) * sizeof *upct_traffic.bytes,
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (map == MAP_FAILED)
    return;
  upct_traffic.threads = threads;
  upct_traffic.bytes = map;
}

/* The thread's row; null where there was no memory. */
void
begin_own_traffic (gasp_context_t context)
{
  if (upct_traffic.bytes)
    context->moved = upct_traffic.bytes + 2 * upct_traffic.threads * context->thread;
}

void
forget_traffic (gasp_context_t context)
{
  if (context->moved)
    memset (context->moved, 0, 2 * upct_traffic.threads * sizeof *context->moved);
}

void
count_traffic (gasp_context_t context, uint64_t transfer)
{
  unsigned from = trace_from_of (transfer), to = trace_to_of (transfer), me = context->thread;
  uint64_t bytes = trace_bytes_of (transfer) * context->weight;

  if (!context->moved)
    return;
  for (unsigned t = 0; from == TRACE_EACH && t < upct_traffic.threads; t++)
    if (t != me)
      context->moved[t] += bytes;
  if (from != me && from < upct_traffic.threads)
    context->moved[from] += bytes;
  if (to != me && to < upct_traffic.threads)
    context->moved[upct_traffic.threads + to] += bytes;
}
