/* What a program has that explores a protocol: its cases. A case is a number of threads that do
   the same function, again and again: each execution takes another order of the threads'
   operations, or has another load read another store, until there are none left.

   The runtime's own files are included, with include/ before the system's folders. They are
   compiled for ThreadSanitizer, but linked with functions of the explorer: so it also hears of
   each access to plain data, and finds races.

   An execution is wrong where EXPLORE_REQUIRE does not hold, where two accesses to plain data
   race, where all threads sleep, or where it takes too many steps. */

#ifndef EXPLORE_H
#define EXPLORE_H

#include <stdatomic.h>
#include <time.h>

struct explore_case
{
  const char *name;
  int threads;
  void (*begin) (int threads); /* before the threads; NULL: nothing to do */
  void (*thread) (void);
  void (*end) (void); /* after them; atomics have their last values */
};
/* A row of the cases: NAME_THREADS. */
#define EXPLORE_CASE(name, function, threads, begin, end) \
  {                                                       \
    name "_" #threads, threads, begin, function, end      \
  }
/* Ends with a name that is NULL. */
extern const struct explore_case explore_cases[];

/* Called once, before the search. */
void explore_setup (void);

/* The running thread; -1: none. */
extern int explore_self;

/* Ends the program, with the steps of the execution. */
_Noreturn void explore_fail (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Ends the execution, which is a right one. */
_Noreturn void explore_stop (void);

#define EXPLORE_REQUIRE(condition) \
  ((condition) ? (void) 0 : explore_fail ("%s:%d: not true: %s", __FILE__, __LINE__, #condition))

/* All different outcomes are printed. */
void explore_outcome (const char *format, ...) __attribute__ ((format (printf, 1, 2)));

/* Called by explore_setup: what lies there is no part of the protocol. Each thread sees it as
   it is. */
void explore_leave_out (const void *p, size_t bytes);

/* A plain write of which the compiler says nothing, as by who frees memory. */
void explore_write (void *p, size_t bytes);

/* In a loop that waits: lets others run until there is something new in what was loaded since the
   last pause, if others can run. */
void explore_pause (void);

/* The kernel's. A sleep with a limit is over at once. */
int explore_futex_wait (_Atomic uint32_t *word, uint32_t seen, const struct timespec *limit);
int explore_futex_wake (_Atomic uint32_t *word, int threads);

#endif
