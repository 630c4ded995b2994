/* Explores exclusive operations: all threads are POSIX threads of UPC thread 0. One that is refused
   ends the execution, and so does one that stops for ever. */

#include "runtime.h"

#include <unistd.h>

#define __builtin_thread_pointer() ((void *) (uintptr_t) (explore_self + 1))
#define upcr_fatal(format, ...) explore_refused (__VA_ARGS__)
#define pause() explore_stop ()

static _Noreturn void
explore_refused (const char *what, const char *other)
{
  (void) what, (void) other;
  explore_stop ();
}

#include "runtime/sync/mechanism/exclusive.c"

#include <string.h>

bool upcr_has_threads;
static int inside, done;

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

static void
begin (int threads)
{
  THREADS = 1;
  memset (explore_upc_thread, 0, threads * sizeof *explore_upc_thread);
  memset (upcr_exclusives, 0, sizeof *upcr_exclusives);
  upcr_has_threads = true;
  inside = done = 0;
}

static void
operate (void)
{
  UPCR_EXCLUSIVE ("test");
  inside++;
  EXPLORE_REQUIRE (inside == 1 && upcr_is_exclusive ());
  inside--;
  done++;
}

static void
enter (void)
{
  operate ();
  EXPLORE_REQUIRE (!upcr_is_exclusive ());
}

static void
enter_twice (void)
{
  operate ();
  operate ();
}

/* Functions that a collective function calls back. */
static void
nest (void)
{
  UPCR_EXCLUSIVE ("test");
  operate ();
  inside++;
  EXPLORE_REQUIRE (inside == 1);
  inside--;
}

static void
end (void)
{
  EXPLORE_REQUIRE (done >= 2);
}

/* The UPC thread ends while another of its threads enters. */
static void
stop (void)
{
  if (explore_self == 0)
    upcr_exclusive_end ();
  else
    operate ();
}

#define CASE(function, threads, end)                      \
  {                                                       \
#function "_" #threads, threads, begin, function, end \
  }
const struct explore_case explore_cases[] = {
  CASE (enter, 2, end), CASE (enter, 3, end), CASE (enter_twice, 2, end),
  CASE (nest, 2, end),  CASE (stop, 2, NULL), { 0 },
};
