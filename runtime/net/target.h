/* What messages do to the memory of their target process. Words are moved whole, as the processor's own
   stores and loads do: others may access them at the same time. */

#ifndef UPCR_NET_TARGET_H
#define UPCR_NET_TARGET_H

#include "runtime/net/engine.h"

void upcr_target_store (void *to, const void *from, size_t bytes);
void upcr_target_load (void *to, const void *from, size_t bytes);

/* The records of UPCR_JOINED, from SENDER. */
void upcr_target_unjoin (int sender, const char *body, size_t bytes);

#endif
