/* The spin phase of a wait. */

#ifndef UPCR_SYNC_SPIN_H
#define UPCR_SYNC_SPIN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Spins while *WORD is SEEN, but no longer than the wait policy's budget: false then. With
   acquire order when *WORD has changed. */
bool upcr_spin_while (_Atomic uint32_t *word, uint32_t seen);

#endif
