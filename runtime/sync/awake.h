/* Inside the room: the part of a wait before the sleep. */

#ifndef UPCR_AWAKE_H
#define UPCR_AWAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Waits while *WORD is SEEN, but no longer than patience lasts (crowd.h): false then. With
   acquire order when it was over. */
bool upcr_wait_awake (_Atomic uint32_t *word, uint32_t seen);

#endif
