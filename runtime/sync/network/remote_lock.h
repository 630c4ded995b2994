/* Locks that threads of any process take: part of lock.h in libupc-mpi.a. The process in whose memory a lock
   lies has its queue, and does what all ask, its own threads too (remote_lock.c). */

#ifndef UPCR_SYNC_REMOTE_LOCK_H
#define UPCR_SYNC_REMOTE_LOCK_H

/* As in lock.h. LOCK is an address of the segment. */
void upcr_lock_init (struct upcr_lock *lock, struct upcr_lock_origin origin);
void upcr_lock_destroy (struct upcr_lock *lock, const char *what);
void upcr_lock_acquire (struct upcr_lock *lock);
bool upcr_lock_try (struct upcr_lock *lock);
void upcr_lock_release (struct upcr_lock *lock);

/* At the start: what other processes ask of this one. */
void upcr_serve_locks (void);

#endif
