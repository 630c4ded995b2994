/* What the threads of this process do. */

#ifndef UPCR_SYNC_DESCRIBE_H
#define UPCR_SYNC_DESCRIBE_H

#include "runtime/sync/diagnosis/survey.h"

/* Their states, but for the holders of locks. */
void upcr_own_states (struct upcr_thread_state *states);

/* The holders of the locks that threads wait for, in the states of all. */
void upcr_find_holders (struct upcr_thread_state *states);

/* A line for each. Safe in signal handlers; false: another thread is at it. */
bool upcr_own_lines (char (*lines)[UPCR_SURVEY_LINE_BYTES]);

#endif
