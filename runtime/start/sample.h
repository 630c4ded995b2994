/* Samples of the UPC threads: what each was doing when another asked it. */

#ifndef UPCR_SAMPLE_H
#define UPCR_SAMPLE_H

#include "runtime/start/start.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { UPCR_SAMPLE_FRAMES = 24 };

struct upcr_sample
{
  bool is_given;                 /* false: the thread did not answer */
  struct upcr_place place;       /* set by a `g` entry point, or no file */
  int n;
  const void *frames[UPCR_SAMPLE_FRAMES];
};

/* Called with what is to happen at SIGQUIT, in the thread that gets the signal.
   Once, before the other threads exist. */
void upcr_sample_init (void (*at_quit) (void));

/* Each UPC thread says that it is there, and, last of all, that it ends. */
void upcr_sample_begin_thread (int index);
void upcr_sample_end_thread (int index);

/* Has the thread ended? Once true it stays so. */
bool upcr_thread_has_ended (int index);

/* Asks all threads, waits for the answers for a second at most, and has them at
   upcr_sample_of until it is called again. Interrupts what the threads do; what they
   do goes on, but a call of the system that the kernel does not start again is not
   interrupted, and its thread gives no answer. False when another thread is at it.
   To be ended by upcr_samples_drop. */
bool upcr_samples_take (void);
void upcr_samples_drop (void);
const struct upcr_sample *upcr_sample_of (int index);

/* The call of the system that the thread was blocked in, as its number; -1: none. */
int upcr_sample_call (int index);

#endif
