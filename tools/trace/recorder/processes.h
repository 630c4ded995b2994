/* A run of several processes leaves one trace: the process of thread 0 makes the folder ready, the others hear of it.
   libgasp-trace.a has processes.c, for one process, libgasp-trace-mpi.a has processes.upc. */

#ifndef TRACE_PROCESSES_H
#define TRACE_PROCESSES_H

#include "tools/trace/recorder/recorder.h"

/* How many threads the process has. */
int count_own_threads (void);

static inline bool
has_other_processes (void)
{
  return count_own_threads () < upcall_threads ();
}

/* Does the process make the folder ready? */
bool leads_run (void);

/* By who leads: trace_run is there. By the others, which wait for that. */
void announce_run (void);
void hear_run (void);

/* What the clocks of the processes say at the beginning, by all threads; and at the end, by the first thread of each
   process to get there, where nobody is waited for. */
void compare_clocks_at_begin (void);
void compare_clocks_at_end (void);

/* Once, by each thread, which writes nothing more; NULL: it never has. True in one of them, when all threads of the run
   have done so: it makes the reports. */
bool leaves_last (gasp_context_t context);

#endif
