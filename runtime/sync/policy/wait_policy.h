/* The wait policy: the one place that says how a thread waits, according to UPC_WAIT and to
   whether there are more threads than CPUs. A policy is a row of numbers in wait_policy.c. Code
   that uses the numbers does not know which policy they come from. */

#ifndef UPCR_SYNC_WAIT_POLICY_H
#define UPCR_SYNC_WAIT_POLICY_H

#include "runtime/arch/arch.h"
#include "runtime/sync/mechanism/kernel.h"

#include <stdbool.h>

struct upcr_wait_policy
{
  /* The spin budget: a wait first spins with so many pauses, then with so many yields of the
     CPU. */
  unsigned spins;
  unsigned yields;
  /* Spend less of it where that was in vain, and leave the CPU to threads of the run that
     need it, but not to other programs. */
  bool adapts;
  /* Then sleep in the kernel; else spin on, recorded as asleep. */
  bool sleeps;

  /* The queue of a lock: those behind the head spin before they sleep. */
  bool queue_spins;
  /* The head looks at the lock so often before it asks for a direct handoff, and after; it
     never asks if the second is 0. */
  unsigned head_looks;
  unsigned handoff_looks;
  /* It sleeps once before it asks, and then lets a barging quantum pass. */
  bool head_naps;
  /* It does so again so often before it sleeps. */
  unsigned head_rounds;
};

/* What holds now. Replaced as a whole when the number of CPUs changes. */
extern const struct upcr_wait_policy *upcr_current_wait_policy;

static inline const struct upcr_wait_policy *
upcr_wait_policy (void)
{
  return __atomic_load_n (&upcr_current_wait_policy, __ATOMIC_RELAXED);
}

/* Nonzero while the run is oversubscribed: threads exceed CPUs. Compiled code reads it too,
   in strict reads (include/upct/access.h). */
extern int __upc_oversubscribed;

static inline bool
upcr_is_oversubscribed (void)
{
  return __builtin_expect (__atomic_load_n (&__upc_oversubscribed, __ATOMIC_RELAXED), 0);
}

/* Lets a short time pass: some pauses, or a yield where another thread may need the CPU. */
static inline void
upcr_relax (unsigned pauses)
{
  if (upcr_is_oversubscribed ())
    upcr_kernel.yield ();
  else
    while (pauses-- > 0)
      upcr_pause ();
}

/* CPUS: as many as the process may use now. */
void upcr_wait_policy_init (int threads, int cpus);

/* Before a sleep: counts the CPUs anew when that was long ago. People move a program with
   taskset while it runs; a container's quota is set anew. */
void upcr_recount_cpus (void);

/* What upcr_recount_cpus does when CPUS is what it finds. */
void upcr_wait_policy_set_cpus (int cpus);

#endif
