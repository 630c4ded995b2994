/* Whether calls agree over processes (runtime/sync/network/calls.c), as those of upc_io.h, on the engine in one process. */

#define UPCR_NETWORK

#include "runtime/host/host.h"

/* Each simulated thread has its own. */
static __thread int own_thread;
#undef MYTHREAD
#define MYTHREAD own_thread

#include "runtime/io/check.c"

#include "runtime/sync/network/calls.c"
#include "runtime/net/engine.h"
#include "runtime/net/self.h"
#include "tests/unit/child.h"

enum
{
  PROCESSES = 5, /* each with one thread */
  CALLS = 30,
  ODD_CALL = 17 /* the one in which thread 3 differs */
};

/* One of each process. */
static struct upcr_file *files[PROCESSES][2];

enum way
{
  ALIKE,
  OTHER_VALUE,
  OTHER_NAME,
  OTHER_TEXT,
  ANOTHER_FILE
};

static enum way way;
static _Atomic int left;

static void
make_call (int number, bool is_odd)
{
  struct upcr_io_call call = { .what = number % 2 ? "upc_all_fread_shared" : "upc_all_fseek",
                               .file = files[own_thread][number % 2],
                               .arguments = { { "size", number }, { "*hints", 7 } } };

  if (is_odd && way == OTHER_VALUE)
    call.arguments[0].value = -1;
  if (is_odd && way == OTHER_NAME)
    call.what = "upc_all_fsync";
  if (is_odd && way == OTHER_TEXT)
    call.arguments[1].value = 8;
  if (is_odd && way == ANOTHER_FILE)
    call.file = files[own_thread][1 - number % 2];
  upcr_io_compare (&call);
}

static void *
run_thread (void *thread)
{
  unsigned looks = 0;

  own_thread = (int) (intptr_t) thread;
  upcr_self_enter (own_thread);
  for (int i = 0; i < CALLS; i++)
    make_call (i, own_thread == 3 && i == ODD_CALL);
  left--;
  while (left > 0)
    upcr_net_relax (&looks);
  return NULL;
}

static void
run (const void *chosen)
{
  pthread_t threads[PROCESSES];

  way = *(const enum way *) chosen;
  left = PROCESSES;
  upcr_set_threads (PROCESSES);
  for (int p = 0; p < PROCESSES; p++)
    for (int i = 0; i < 2; i++)
      {
        files[p][i] = aligned_alloc (64, sizeof *files[p][i]);
        files[p][i]->tree.number = 1 + i;
      }
  upcr_serve_calls ();
  upcr_self_begin (PROCESSES, 3, 2);
  for (intptr_t p = 0; p < PROCESSES; p++)
    pthread_create (&threads[p], NULL, run_thread, (void *) p);
  for (int p = 0; p < PROCESSES; p++)
    pthread_join (threads[p], NULL);
  if (queues[UPCR_CALLS_OF_FILES].records || queues[UPCR_CALLS_OF_FILES].last)
    upcr_fatal ("records are left");
}

static void
calls_that_agree_leave_nothing (void **state)
{
  enum way alike = ALIKE;
  struct child child = run_child (run, &alike);

  (void) state;
  assert_string_equal (child.text, "");
  assert_int_equal (child.status, 0);
}

/* Who comes first is taken for right: that may be thread 3 as well, so a message has one of two forms. */
static void
those_that_differ_end_the_run (void **state)
{
  static const struct
  {
    enum way way;
    const char *by_3, *of_3;
  } cases[] = {
    { OTHER_VALUE, "upc_all_fread_shared: size is -1, but 17 on thread ",
      "upc_all_fread_shared: size is 17, but -1 on thread 3" },
    { OTHER_NAME, "upc_all_fsync, but thread ",
      "upc_all_fread_shared, but thread 3 calls upc_all_fsync" },
    { OTHER_TEXT, "upc_all_fread_shared: *hints is another than on thread ",
      "upc_all_fread_shared: *hints is another than on thread 3" },
    { ANOTHER_FILE, "upc_all_fread_shared: fd is another file than on thread ",
      "upc_all_fread_shared: fd is another file than on thread 3" },
  };

  (void) state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    {
      struct child child = run_child (run, &cases[i].way);

      assert_int_not_equal (child.status, 0);
      assert_true (strstr (child.text, cases[i].by_3) || strstr (child.text, cases[i].of_3));
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (calls_that_agree_leave_nothing),
    cmocka_unit_test (those_that_differ_end_the_run),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
