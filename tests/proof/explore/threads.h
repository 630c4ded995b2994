/* The threads of an execution: coroutines. */

#ifndef EXPLORE_THREADS_H
#define EXPLORE_THREADS_H

#include "explore.h"

#include <stdbool.h>

/* Of all executions: how often the search takes the CPU from a thread that could go on. */
extern unsigned threads_most_preemptions;

/* One execution of BODY by so many THREADS. False: not to its end, as the rest is known. */
bool threads_run (int threads, void (*body) (void));

/* Before an operation of the running thread: others may come first. A load (but a seq_cst one)
   may read what it could have read before, so that behind one there is no need to. */
void threads_point (bool is_load);

/* The running thread has done an operation, which its state depends on. */
void threads_did (uint64_t what, uint64_t value);

/* It has read the store of that TIME at location AT; it has stored something. */
void threads_looked (int at, uint64_t time);
void threads_stored (void);

/* A number for a store of the running thread, the same in all executions in which it has the
   same history. */
uint32_t threads_store_id (void);

#endif
