/* With UPC_CHECK=1: do all threads make the same calls of collective functions, in the same order, with the same arguments where
   the specification wants that? Nobody waits for that, or correct programs could deadlock. */

#ifndef UPCR_SYNC_CALLS_H
#define UPCR_SYNC_CALLS_H

#include <stdint.h>

/* Calls of each kind are counted by themselves. */
enum upcr_calls
{
  UPCR_CALLS_OF_COLLECTIVES,
  UPCR_CALLS_OF_FILES,
  UPCR_KINDS_OF_CALLS
};

enum
{
  UPCR_CALL_NAME_BYTES = 40,
  UPCR_CALL_VALUES = 10
};

/* A call as it may be compared in another process: what is not used is 0. */
struct upcr_call_note
{
  char what[UPCR_CALL_NAME_BYTES];
  uint64_t values[UPCR_CALL_VALUES];
  int thread;
};

/* How two calls differ: one of these, or the number of a value. */
enum
{
  UPCR_ANOTHER_CALL = -2, /* of another function */
  UPCR_SAME_CALL = -1
};

/* Compares THREAD's next call, MINE, with that of the thread that came first, which is left in *FIRST. Returns how they
   differ. */
int upcr_compare_calls (enum upcr_calls kind, const struct upcr_call_note *mine,
                        struct upcr_call_note *first);

#ifdef UPCR_NETWORK
/* At the start: what threads of other processes ask process 0. */
void upcr_serve_calls (void);
#endif

#endif
