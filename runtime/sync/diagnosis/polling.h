/* Threads that poll, whose state recurs. For people who ask what threads do (SIGQUIT). */

#ifndef UPCR_SYNC_POLLING_H
#define UPCR_SYNC_POLLING_H

#include <stdbool.h>

/* Watches the running threads for a while. To be called once for each report, before it, by one
   thread at a time. That stands still meanwhile, and is not known to poll. Safe in signal handlers. */
void upcr_polling_watch (void);

struct upcr_polling
{
  int seconds;                  /* for so long it has surely been in the same loop */
  const struct upcr_lock *lock; /* that it attempts to take in it, or NULL */
};

/* Was the thread seen to poll? */
bool upcr_is_polling (int thread, struct upcr_polling *polling);

#endif
