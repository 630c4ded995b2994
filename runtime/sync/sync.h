/* The sync room: waiting, the split-phase barrier, locks, fences. Its layers, each of which
   uses those above it in this list alone:

     mechanism/    what the machine and the operating system offer: futexes, clocks, fences,
                   placement on CPUs, the record of who sleeps on what, which operations exclude
                   each other
     policy/       how to wait: the wait policies, and what follows them: spinning, parking,
                   loops of the program
     primitives/   barrier, broadcast, lock, fence
     diagnosis/    the deadlock detector and its reports, hooked into sleeps

   Other rooms include this header alone. Of the ones below they use

     barrier.h      upcr_notify, upcr_wait, upcr_barrier, upcr_collective_barrier,
                    upcr_reject_in_split_phase
     calls.h        upcr_compare_calls
     broadcast.h    upcr_broadcast_from_0, upcr_agree_to_free
     exclusive.h    UPCR_EXCLUSIVE, upcr_exclusive_end
     fence.h        upcr_fence, upcr_strict_fence, upcr_hardware_fence
     lock.h         upcr_lock_…
     park.h         upcr_park_while, upcr_unpark_all, upcr_unpark_fenced; upcr_set_wait_reason
     poll.h         upcr_poll, upcr_strict_read_at; upcr_is_oversubscribed
     progress.h     upcr_set_progress

   Errors in use end the run through upcr_fatal. */

#ifndef UPCR_SYNC_H
#define UPCR_SYNC_H

#include "runtime/sync/mechanism/exclusive.h"
#include "runtime/sync/policy/park.h"
#include "runtime/sync/policy/poll.h"
#include "runtime/sync/policy/progress.h"
#include "runtime/sync/policy/wait_policy.h"
#include "runtime/sync/primitives/barrier.h"
#include "runtime/sync/primitives/broadcast.h"
#include "runtime/sync/primitives/calls.h"
#include "runtime/sync/primitives/fence.h"
#include "runtime/sync/primitives/lock.h"
#ifdef UPCR_NETWORK
#include "runtime/sync/network/near.h"
#include "runtime/sync/network/nodes.h"
#include "runtime/sync/network/post.h"
#include "runtime/sync/network/survey.h"
#endif

/* Called once by the initial thread before the others exist. CPUS is what
   upcr_cpu_count says. */
void upcr_sync_init (int threads, int cpus);

#endif
