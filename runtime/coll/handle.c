/* Handles: a thread's operations in flight. Every wait of the runtime makes progress on some of
   them. It excludes operations that call a function of the program that is not AMSAFE, as that
   function may wait for locks itself. Within a wait for a lock it would wait for its own thread;
   within another wait, for a thread that waits for this one. Nothing depends on this progress: a
   thread that waits for an operation does all of its work that others have left. */

#include "runtime/coll/handle.h"

#include "runtime/coll/algorithms.h"
#include "runtime/coll/pending.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdio.h>
#include <stdlib.h>

/* A ring of the handles that are not complete, where the next one to look at is; and those
   that are completed. Each UPC thread looks at its own alone; not thread-local, so that memory
   checkers see what a thread that has ended leaves. */
static struct flights
{
  _Alignas(64) upcr_handle *in_flight;
  upcr_handle *spare;
  uint32_t open; /* handles that the program has not completed */
} of_thread[UPCR_MAX_THREADS];

static struct flights *
mine (void)
{
  return &of_thread[MYTHREAD];
}

static upcr_handle *
new_handle (void)
{
  upcr_handle *handle = mine ()->spare;

  if (handle)
    mine ()->spare = handle->next;
  else if (!(handle = malloc (sizeof *handle)))
    upcr_fatal ("no memory for a collective operation");
  mine ()->open++;
  return handle;
}

static void
free_handle (upcr_handle *handle)
{
  handle->thread = -1;
  handle->next = mine ()->spare;
  mine ()->spare = handle;
  mine ()->open--;
}

uint32_t
upcr_open_handles (void)
{
  return mine ()->open;
}

bool
upcr_report_handles (void)
{
  bool is_any = false;

  for (int t = 0; t < THREADS; t++)
    if (of_thread[t].open)
      {
        char line[128];

        snprintf (line, sizeof line,
                  "thread %d: %u collective operation%s never completed by gasnet_coll_wait_sync",
                  t, of_thread[t].open, of_thread[t].open == 1 ? " was" : "s were");
        upcr_print_message ("error", line);
        is_any = true;
      }
  return is_any;
}

static void
unlink_handle (upcr_handle *handle)
{
  handle->next->previous = handle->previous;
  handle->previous->next = handle->next;
  if (mine ()->in_flight == handle)
    mine ()->in_flight = handle->next != handle ? handle->next : NULL;
  if (!mine ()->in_flight)
    upcr_set_progress (NULL);
}

/* Goes on with HANDLE; true when something was done. It is taken out once complete. */
static bool
advance (upcr_handle *handle)
{
  bool did_something = upcr_pending_advance (handle);

  if (upcr_pending_leave (handle))
    {
      handle->is_complete = true;
      unlink_handle (handle);
    }
  return did_something;
}

static bool
may_advance_anywhere (const upcr_handle *handle)
{
  return !handle->is_waited_for
         && !(upcr_kind_has (handle->call.kind, COMPUTES) && handle->op.is_synchronous);
}

static bool
progress (void)
{
  bool did_something = false;

  for (int i = 0; i < UPCR_PROGRESS_HANDLES && mine ()->in_flight; i++)
    {
      upcr_handle *handle = mine ()->in_flight;

      mine ()->in_flight = handle->next;
      if (may_advance_anywhere (handle))
        did_something |= advance (handle);
    }
  return did_something;
}

static void
link_handle (upcr_handle *handle)
{
  if (mine ()->in_flight)
    {
      handle->next = mine ()->in_flight;
      handle->previous = mine ()->in_flight->previous;
      handle->previous->next = handle;
      mine ()->in_flight->previous = handle;
    }
  else
    mine ()->in_flight = handle->next = handle->previous = handle;
  upcr_set_progress (progress);
}

/* What the call points to may be gone before it is through. */
static void
keep_call (upcr_handle *handle, const struct upcr_coll *call)
{
  handle->call = *call;
  handle->lists = *call->lists;
  handle->call.lists = &handle->lists;
  if (!upcr_kind_has (call->kind, COMPUTES))
    return;
  handle->op = *call->op;
  handle->call.op = &handle->op;
}

static upcr_handle *
start (const struct upcr_context *ctx, bool is_blocking)
{
  upcr_handle *handle = new_handle ();
  uint32_t number = ++ctx->team->members[ctx->me].started;

  *handle = (upcr_handle){ .ctx = *ctx, .thread = MYTHREAD, .is_blocking = is_blocking };
  keep_call (handle, ctx->call);
  handle->ctx.call = &handle->call;
  handle->ctx.pending = upcr_pending_find (ctx->team, number, ctx->call);
  handle->ctx.addresses = handle->ctx.pending->addresses;
  link_handle (handle);
  upcr_pending_arrive (handle);
  advance (handle);
  return handle;
}

/* The wait goes on with HANDLE itself: where there is no other it needs no help. A function of
   the program may have waited for something else meanwhile. */
static void
wait_for (upcr_handle *handle)
{
  handle->is_waited_for = true;
  if (!handle->is_complete && handle->next == handle)
    upcr_set_progress (NULL);
  while (!handle->is_complete)
    {
      uint32_t seen = atomic_load_explicit (&handle->ctx.pending->event, memory_order_acquire);

      advance (handle);
      if (handle->is_complete)
        break;
      upcr_set_wait_reason (handle->call.what, NULL);
      upcr_park_while (&handle->ctx.pending->event, seen);
    }
}

static bool
try_once (upcr_handle *handle)
{
  if (!handle->is_complete)
    advance (handle);
  return handle->is_complete;
}

/* What a handle stands for: itself and its group. */
static void
complete (upcr_handle *handle)
{
  while (handle)
    {
      upcr_handle *next = handle->group;

      wait_for (handle);
      free_handle (handle);
      handle = next;
    }
}

static bool
try_complete (upcr_handle *handle)
{
  bool are_all = true;

  for (upcr_handle *h = handle; h; h = h->group)
    are_all &= try_once (h);
  if (are_all)
    complete (handle);
  return are_all;
}

/* The calls before that said AGGREGATE, of this member. */
static upcr_handle **
open_group (const upcr_handle *handle)
{
  return &handle->ctx.team->members[handle->ctx.me].group;
}

gasnet_coll_handle_t
upcr_coll_start (struct upcr_coll *call)
{
  struct upcr_context ctx = upcr_context_of (call);
  upcr_handle *handle, **group;

  if (__builtin_expect (upcr_checks_calls (), 0))
    upcr_check_call (&ctx, false);
  handle = start (&ctx, false);
  group = open_group (handle);

  handle->group = *group;
  if (upcr_call_has (call, GASNET_COLL_AGGREGATE))
    {
      *group = handle;
      return GASNET_COLL_INVALID_HANDLE;
    }
  *group = NULL;
  if (!handle->is_complete || handle->group)
    return handle;
  free_handle (handle);
  return GASNET_COLL_INVALID_HANDLE;
}

void
upcr_run_pipelined (struct upcr_context *ctx)
{
  complete (start (ctx, true));
}

void
upcr_complete_group (upcr_team *team, uint32_t rank)
{
  upcr_handle *group = team->members[rank].group;

  team->members[rank].group = NULL;
  complete (group);
}

static void
check_owner (gasnet_coll_handle_t handle, const char *what)
{
  if (__builtin_expect (handle->thread != MYTHREAD, 0))
    {
      if (handle->thread < 0)
        upcr_fatal ("%s: handle already completed", what);
      upcr_fatal ("%s: the handle is of thread %d, which alone can complete it", what,
                  handle->thread);
    }
}

void
gasnet_coll_wait_sync (gasnet_coll_handle_t handle)
{
  UPCR_EXCLUSIVE ("gasnet_coll_wait_sync");

  if (handle == GASNET_COLL_INVALID_HANDLE)
    return;
  check_owner (handle, "gasnet_coll_wait_sync");
  complete (handle);
}

static int
try_sync (gasnet_coll_handle_t *handle, const char *what)
{
  if (*handle == GASNET_COLL_INVALID_HANDLE)
    return 1;
  check_owner (*handle, what);
  if (!try_complete (*handle))
    return 0;
  *handle = GASNET_COLL_INVALID_HANDLE;
  return 1;
}

int
gasnet_coll_try_sync (gasnet_coll_handle_t handle)
{
  UPCR_EXCLUSIVE ("gasnet_coll_try_sync");
  int is_complete = try_sync (&handle, "gasnet_coll_try_sync");

  if (!is_complete)
    upcr_poll ();
  return is_complete;
}

void
gasnet_coll_wait_sync_all (gasnet_coll_handle_t *handles, size_t n)
{
  UPCR_EXCLUSIVE ("gasnet_coll_wait_sync_all");

  for (size_t i = 0; i < n; i++)
    if (handles[i] != GASNET_COLL_INVALID_HANDLE)
      {
        check_owner (handles[i], "gasnet_coll_wait_sync_all");
        complete (handles[i]);
        handles[i] = GASNET_COLL_INVALID_HANDLE;
      }
}

/* How many of the handles are live, before and after trying each. */
struct tally
{
  size_t before, after;
};

static struct tally
try_each (gasnet_coll_handle_t *handles, size_t n, const char *what)
{
  struct tally live = { 0, 0 };

  for (size_t i = 0; i < n; i++)
    {
      live.before += handles[i] != GASNET_COLL_INVALID_HANDLE;
      live.after += !try_sync (&handles[i], what);
    }
  return live;
}

int
gasnet_coll_try_sync_all (gasnet_coll_handle_t *handles, size_t n)
{
  UPCR_EXCLUSIVE ("gasnet_coll_try_sync_all");
  bool are_all = try_each (handles, n, "gasnet_coll_try_sync_all").after == 0;

  if (!are_all)
    upcr_poll ();
  return are_all;
}

int
gasnet_coll_try_sync_some (gasnet_coll_handle_t *handles, size_t n)
{
  UPCR_EXCLUSIVE ("gasnet_coll_try_sync_some");
  struct tally live = try_each (handles, n, "gasnet_coll_try_sync_some");
  bool are_some = live.before == 0 || live.after < live.before;

  if (!are_some)
    upcr_poll ();
  return are_some;
}

/* Polls: there is no one word that tells of several operations. */
void
gasnet_coll_wait_sync_some (gasnet_coll_handle_t *handles, size_t n)
{
  UPCR_EXCLUSIVE ("gasnet_coll_wait_sync_some");
  struct tally live;

  while (live = try_each (handles, n, "gasnet_coll_wait_sync_some"),
         live.before > 0 && live.after == live.before)
    upcr_poll ();
}
