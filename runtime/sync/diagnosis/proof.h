/* The proof that a run can never continue. */

#ifndef UPCR_SYNC_PROOF_H
#define UPCR_SYNC_PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* SLEEPS is a sum of how often threads have begun and ended sleeps, which never decreases; 0: there is no proof. */
struct upcr_proof
{
  uint64_t sleeps;
  bool may_be_signalled; /* the program handles signals */
};

struct upcr_proof upcr_prove_deadlock (void);

#endif
