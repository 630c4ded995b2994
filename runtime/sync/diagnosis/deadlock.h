/* The deadlock detector: whether any thread can ever continue, and a report of what they do. It
   hooks into the sleeps of mechanism/sleep.h; nothing in the layers below calls it. */

#ifndef UPCR_SYNC_DEADLOCK_H
#define UPCR_SYNC_DEADLOCK_H

#include <stddef.h>

/* Installs the hooks, and the report at SIGQUIT. */
void upcr_deadlock_init (void);

#endif
