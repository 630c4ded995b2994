/* What the threads do, for people. */

#ifndef UPCR_SYNC_REPORT_H
#define UPCR_SYNC_REPORT_H

#include <stddef.h>

/* Prints what each thread does or waits for, and where. Safe in signal handlers. The line
   above it is the caller's. */
void upcr_report_threads (void);

/* The same for who asks, by SIGQUIT: watches first which threads poll. */
void upcr_report_what_threads_do (void);

/* Writes to LINE why the threads of a deadlock cannot go on. */
void upcr_explain_deadlock (char *line, size_t bytes);

#endif
