/* Locks in messages: by their variable, and by the place that allocated them. */

#ifndef UPCR_SYNC_LOCK_TEXT_H
#define UPCR_SYNC_LOCK_TEXT_H

#include "runtime/sync/primitives/lock.h"

#include <stddef.h>

enum
{
  UPCR_LOCK_NAME_BYTES = 320
};

/* Writes which lock that is: `lock 'l[3]'`, by a static variable that points to it, be it a shared
   one or THREAD's; or `the lock at thread 1, offset 0x40`. Takes no lock and calls no malloc. */
void upcr_lock_name (const struct upcr_lock *lock, int thread, char *text, size_t bytes);

/* Writes `, allocated at f.upc:3 by upc_all_lock_alloc`, as far as that is known (lock_origin.c). */
void upcr_lock_origin_text (const struct upcr_lock_origin *origin, char *text, size_t bytes);

/* End the run: `upc_unlock: thread 0 holds lock 'l', allocated at f.upc:3 by upc_all_lock_alloc`, WHAT
   being the function and FORMAT what is wrong; `upc_lock: lock 'l' was freed by thread 0 at f.upc:6; …`. */
_Noreturn void upcr_refuse_lock (const struct upcr_lock *lock, const char *what, const char *format,
                                 ...) __attribute__ ((format (printf, 3, 4), cold));
_Noreturn void upcr_refuse_freed_lock (const struct upcr_lock *lock, const char *what)
    __attribute__ ((cold));

/* The same of what LOCK points to, and is no lock: `upc_lock: not a lock: a[0] (thread 0) of 'shared int a[THREADS]', …`. */
_Noreturn void upcr_refuse_other_object (const struct upcr_lock *lock, const char *what)
    __attribute__ ((cold));

#endif
