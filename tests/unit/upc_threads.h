/* UPC threads for a unit test: a segment, then a body in each thread. In a child
   process, since a process has one segment.

   cmocka's assertions leave a test by longjmp, which must not cross threads: bodies
   use CHECK. */

#ifndef UPCR_TEST_UPC_THREADS_H
#define UPCR_TEST_UPC_THREADS_H

#include "runtime/host/host.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"
#include "runtime/sync/sync.h"
#include "tests/unit/child.h"

#define CHECK(condition)                                                        \
  do                                                                            \
    if (!(condition))                                                           \
      upcr_fatal ("line %d: not true: %s", __LINE__, #condition);               \
  while (0)

typedef void upc_body (void);

struct upc_run
{
  int threads;
  size_t heap_bytes;
  upc_body *body;
};

static upc_body *upc_thread_body;

static int
call_upc_body (int argc, char **argv, char **envp)
{
  (void) argc, (void) argv, (void) envp;
  upc_thread_body ();
  return 0;
}

static inline void
run_upc_threads (const void *argument)
{
  const struct upc_run *run = argument;
  static char *argv[] = { "prog", NULL };

  upcr_program = "prog";
  THREADS = run->threads;
  /* More than glibc keeps for later threads: the stack of a joined one is gone. */
  upcr_options.stack_bytes = 64 << 20;
  upc_thread_body = run->body;
  upcr_segment_init (THREADS, run->heap_bytes);
  upcr_sync_init (THREADS, upcr_cpu_count ());
  exit (upcr_threads_run (call_upc_body, 1, argv, NULL));
}

/* Runs BODY in THREADS threads with HEAP bytes of shared heap (0: the default) and
   expects the end and output that are given. */
static inline void
expect_threads (int threads, size_t heap, upc_body *body, int status, const char *text)
{
  expect_child (run_upc_threads, &(struct upc_run){ threads, heap, body }, status, text);
}

static inline void
expect_good (int threads, size_t heap, upc_body *body)
{
  expect_threads (threads, heap, body, 0, "");
}

static inline void
barrier (void)
{
  upcr_barrier (UPCR_NO_ID);
}

#endif
