/* Inside the room: the meeting of all threads that barriers are made of.

   A thread reads the epoch, arrives, and waits until the epoch has moved on. The
   last one to arrive moves it. The epoch is only ever compared for equality with
   one that is at most a phase old, so that it may wrap.

   field     written by                       read by            order
   threads   upcr_rendezvous_init             all                before the threads exist
   arrived   each thread once a phase, 0      the last thread    seq_cst RMW
             by the last one
   epoch     the last thread                  all                release, acquire */

#ifndef UPCR_RENDEZVOUS_H
#define UPCR_RENDEZVOUS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct upcr_rendezvous
{
  _Alignas (64) _Atomic uint32_t arrived;
  uint32_t threads;
  /* Waiting threads read this line all the time; arrivals stay off it. */
  _Alignas (64) _Atomic uint32_t epoch;
};

void upcr_rendezvous_init (struct upcr_rendezvous *meeting, int threads);

/* The phase the calling thread is in: stable until it has arrived. */
uint32_t upcr_rendezvous_epoch (struct upcr_rendezvous *meeting);

/* Says that the calling thread is there. True to the last one, which must open
   the next phase; it may finish with the old one before. */
bool upcr_rendezvous_arrive (struct upcr_rendezvous *meeting);
void upcr_rendezvous_open (struct upcr_rendezvous *meeting);

/* Waits for the end of phase EPOCH. */
void upcr_rendezvous_await (struct upcr_rendezvous *meeting, uint32_t epoch);

#endif
