/* Processes of the engine in one process (self.h), each a thread. */

#ifndef TESTS_UNIT_NET_PROCESSES_H
#define TESTS_UNIT_NET_PROCESSES_H

#include "runtime/net/engine.h"
#include "runtime/net/self.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum
{
  PROCESSES = 5,
  WORDS = 64
};

/* Of each process: what would be its partition. */
static uint64_t memory[PROCESSES][WORDS];
static __attribute__ ((unused)) char long_memory[2][5 * UPCR_BODY_BYTES / 2];

static void (*body) (int rank);
static _Atomic int running;

static void *
run_process (void *rank)
{
  unsigned looks = 0;

  upcr_self_enter ((int) (intptr_t) rank);
  body ((int) (intptr_t) rank);
  /* Others may still ask this process. */
  running--;
  while (running > 0)
    upcr_net_relax (&looks);
  /* By chance it hears of some only later. */
  while (upcr_self_has_more ())
    upcr_net_progress ();
  return NULL;
}

static void
run (void (*function) (int rank), int processes, unsigned seed)
{
  pthread_t threads[PROCESSES];

  memset (memory, 0, sizeof memory);
  body = function;
  running = processes;
  upcr_self_begin (processes, seed, seed % 7 + 1);
  for (int p = 0; p < processes; p++)
    assert_int_equal (pthread_create (&threads[p], NULL, run_process, (void *) (intptr_t) p), 0);
  for (int p = 0; p < processes; p++)
    pthread_join (threads[p], NULL);
  assert_int_equal (upcr_self_end (), 0);
}

static inline void
run_seeds (void (*function) (int rank))
{
  for (unsigned seed = 1; seed <= 20; seed++)
    run (function, PROCESSES, seed);
}

#endif
