/* A run in one process. */

#include "tools/trace/recorder/processes.h"

PROCESS_WIDE static atomic_int ended;

int
count_own_threads (void)
{
  return upcall_threads ();
}

bool
leads_run (void)
{
  return true;
}

void
announce_run (void)
{
}

void
hear_run (void)
{
}

void
compare_clocks_at_begin (void)
{
}

void
compare_clocks_at_end (void)
{
}

/* Acquire and release: the files of the others are complete. */
bool
leaves_last (gasp_context_t context)
{
  return context && context->has_file
         && atomic_fetch_add_explicit (&ended, 1, memory_order_acq_rel) + 1 == upcall_threads ();
}
