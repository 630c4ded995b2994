/* What lies below the protocols, for all programs that explore the runtime's files. Those are
   included behind this one.

   A UPC thread is a thread of the case; cases may give them other numbers. A fence is a site of
   each caller. Every wait takes one look and goes to sleep: further looks would be the same. */

#ifndef EXPLORE_RUNTIME_H
#define EXPLORE_RUNTIME_H

#include "explore.h"

#include "runtime/host/host.h"

/* Which UPC thread the running one is. */
extern int explore_upc_thread[];
#undef MYTHREAD
#define MYTHREAD explore_upc_thread[explore_self]

#include "runtime/sync/mechanism/fence.h"
#define upcr_hardware_fence() \
  explore_fence (EXPLORE_SITE ("upcr_hardware_fence", ""), memory_order_seq_cst)

#include "runtime/sync/mechanism/placement.h"
#include "runtime/sync/mechanism/sleep.c"
#include "runtime/sync/policy/park.c"
#include "runtime/sync/policy/preemption.h"
#include "runtime/sync/policy/spin.c"

#include <stdio.h>

int explore_upc_thread[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
int THREADS;
struct upcr_options upcr_options;
__thread bool upcr_in_upc_thread = true;
__thread struct upcr_location upcr_here;
__thread const void *upcr_caller;

static _Noreturn void
fail_with (const char *format, va_list args)
{
  char text[200];

  vsnprintf (text, sizeof text, format, args);
  explore_fail ("%s", text);
}

void
upcr_fatal (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  fail_with (format, args);
}

void
upcr_complain (bool is_warning, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (!is_warning)
    fail_with (format, args);
  va_end (args);
}

static uint64_t
no_time (void)
{
  return 0;
}

struct upcr_kernel upcr_kernel = { .futex_wait = explore_futex_wait,
                                   .futex_wake = explore_futex_wake,
                                   .yield = explore_pause,
                                   .now_ns = no_time,
                                   .coarse_now_ns = no_time };

static const struct upcr_wait_policy sleeps_at_once = { .sleeps = true };
const struct upcr_wait_policy *upcr_current_wait_policy = &sleeps_at_once;
int __upc_oversubscribed = 1;
struct upcr_progress upcr_progress[UPCR_MAX_THREADS];

void
upcr_recount_cpus (void)
{
}

void
upcr_record_cpu (void)
{
}

bool
upcr_shares_cpu (void)
{
  return false;
}

bool
upcr_move_to_free_cpu (void)
{
  return false;
}

void
upcr_balance_load (void)
{
}

bool
upcr_may_yield (uint64_t start_ns)
{
  (void) start_ns;
  return true;
}

bool
upcr_was_yield_useful (uint64_t start_ns, uint64_t end_ns)
{
  (void) start_ns, (void) end_ns;
  return true;
}

bool
upcr_call_progress (void)
{
  return false;
}

/* Before the first execution: what only diagnosis reads from other threads, and what each POSIX
   thread has of its own. */
static void
leave_out_diagnosis (void)
{
  explore_leave_out (upcr_wait_records, sizeof upcr_wait_records);
  explore_leave_out (upcr_progress, sizeof upcr_progress);
  explore_leave_out (quick, sizeof quick);
  explore_leave_out (&learned_spins, sizeof learned_spins);
  explore_leave_out (&upcr_here, sizeof upcr_here);
  explore_leave_out (&upcr_caller, sizeof upcr_caller);
}

#endif
