/* Signals that may make a run continue. */

#ifndef UPCR_SYNC_SIGNALS_H
#define UPCR_SYNC_SIGNALS_H

#include <stdbool.h>

/* What is handled now is not the program's. */
void upcr_signals_init (void);

/* A handler may release a lock, leave a wait by a jump, or end the run. */
bool upcr_program_handles_signals (void);

#endif
