/* The engine within one process (self.c): the functions for tests. */

#ifndef UPCR_NET_SELF_H
#define UPCR_NET_SELF_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  UPCR_SELF_PROCESSES = 1024
};

/* Simulates SIZE processes, whose delays and orders come from SEED: of so many polls one
   delivers. */
void upcr_self_begin (int size, unsigned seed, unsigned delay);

/* The calling thread is one of process RANK's from here on. */
void upcr_self_enter (int rank);

/* What process RANK has sent since upcr_self_begin. */
struct upcr_self_count
{
  uint64_t messages, bytes;
};

struct upcr_self_count upcr_self_sent (int rank);

/* Whether the calling process has messages, or moves that are done, which it has not heard of. */
bool upcr_self_has_more (void);

/* Gives up the messages that nobody has taken; returns how many there were. */
unsigned upcr_self_end (void);

#endif
