/* Inside the room: what upcr_sync_init asks of the barrier. */

#ifndef UPCR_BARRIER_H
#define UPCR_BARRIER_H

void upcr_barrier_init (int threads);

#endif
