/* Letters: a few bytes that each thread leaves for all others of its node, in memory that the processes
   share. Collective functions of all threads exchange short data in them. Each such call has a number, the
   same for all threads, and a place in a ring of each thread, so that no thread waits for those that are a
   few calls behind. */

#ifndef UPCR_SYNC_LETTER_H
#define UPCR_SYNC_LETTER_H

#include "runtime/host/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  UPCR_LETTER_BYTES = 448
};

/* Begins the calling thread's next exchange, for the function WHAT, and returns its number, which is that of the post
   between nodes, too (post.h): all threads meet as often as that needs. */
uint32_t upcr_letters_begin (const char *what);

/* Leaves BYTES for who reads the calling thread's letter. */
void upcr_letter_leave (uint32_t number, const void *text, size_t bytes);

/* Waits for THREAD's letter, whose text stays there until upcr_letters_end. */
const void *upcr_letter_of (int thread, uint32_t number);

/* The calling thread has read what it wanted. */
void upcr_letters_end (uint32_t number);

/* From the first thread of node ROOT to those of all others, by a binomial tree; returns the text, which is TEXT in
   node ROOT. */
const void *upcr_letter_down (uint32_t number, int root, const void *text, size_t bytes);

/* A whole exchange, which all threads call: TEXT of thread ROOT goes to TO in each. */
void upcr_letter_to_all (const char *what, int root, const void *text, void *to, size_t bytes);

/* An exchange without text, which all threads call: waits for those of the node. */
void upcr_letters_meet (const char *what);

#endif
