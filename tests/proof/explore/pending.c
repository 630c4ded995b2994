/* Explores operations in flight: members that come at any time and do each
   other's portions. The table in which they find the descriptor is liburcu's,
   and no part of this. */

#include "runtime.h"

#include "runtime/coll/progress.c"

#include <stdlib.h>

enum
{
  MEMBERS = 3,
  UNITS = 2
};

static upcr_team team;
static struct
{
  struct upcr_pending pending;
  struct upcr_portion portions[MEMBERS];
} operation;
static struct upcr_addresses addresses[MEMBERS];
static upcr_handle handles[MEMBERS];
static const struct upcr_lists no_lists;
static int flags;
/* What the root sends; what each member gets. */
static uint32_t sent[UNITS], got[MEMBERS][UNITS];

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

/* A broadcast in two units, between the addresses that members left. */
uint32_t
upcr_portion_units (const struct upcr_context *ctx)
{
  (void) ctx;
  return UNITS;
}

void
upcr_own_addresses (const struct upcr_context *ctx, const void **src, void **dst)
{
  *src = sent;
  *dst = got[ctx->me];
}

void
upcr_move_unit (struct upcr_context *ctx, uint32_t unit)
{
  uint32_t *dst = ctx->addresses[ctx->me].dst;
  const uint32_t *src = ctx->addresses[ctx->call->root].src;

  dst[unit] = src[unit];
}

/* Of computations, which are not here. */
#define UNUSED(type, name, ...)            \
  type name (__VA_ARGS__)                  \
  {                                        \
    explore_fail ("call of %s", __func__); \
  }
UNUSED (void *, upcr_element_alloc, const struct upcr_operator *, void *)
UNUSED (void, upcr_element_free, void *, void *)
UNUSED (void, upcr_fold_portion, struct upcr_context *, void *)
UNUSED (void, upcr_scan_portion, struct upcr_context *, void *, bool)
UNUSED (void, upcr_put_result, const struct upcr_context *, const void *)

/* The last one frees the descriptor: what it writes races with all that comes
 * too late. */
void
upcr_pending_put (struct upcr_pending *pending)
{
  if (atomic_fetch_sub_explicit (&pending->refs, 1, memory_order_acq_rel) == 1)
    pending->number = 0;
}

static void
begin_with (int threads, int flags_of_all)
{
  THREADS = threads;
  flags = flags_of_all;
  memset (&operation, 0, sizeof operation);
  memset (addresses, 0, sizeof addresses);
  memset (got, 0, sizeof got);
  memset (sent, 0, sizeof sent);
  team = (upcr_team){ .size = threads, .is_all = true };
  operation.pending.addresses = addresses;
  atomic_init (&operation.pending.refs, threads);
}

static void
begin_mysync (int threads)
{
  begin_with (threads, GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
}

static void
begin_allsync (int threads)
{
  begin_with (threads, GASNET_COLL_IN_ALLSYNC | GASNET_COLL_OUT_ALLSYNC);
}

static void
start (upcr_handle *handle)
{
  handle->call = (struct upcr_coll){
    .what = "test", .kind = UPCR_BROADCAST, .flags = flags | GASNET_COLL_LOCAL, .lists = &no_lists
  };
  handle->is_blocking = true;
  handle->ctx = (struct upcr_context){ .call = &handle->call,
                                       .team = &team,
                                       .me = MYTHREAD,
                                       .size = THREADS,
                                       .pending = &operation.pending,
                                       .addresses = addresses };
}

static void
broadcast (void)
{
  upcr_handle *handle = &handles[MYTHREAD];
  struct upcr_pending *pending = &operation.pending;

  for (int unit = 0; unit < UNITS && MYTHREAD == 0; unit++)
    sent[unit] = unit + 1;
  start (handle);
  upcr_pending_arrive (handle);
  for (;;)
    {
      uint32_t seen = atomic_load_explicit (&pending->event, memory_order_acquire);

      upcr_pending_advance (handle);
      if (upcr_pending_leave (handle))
        break;
      upcr_park_while (&pending->event, seen);
    }
  for (int unit = 0; unit < UNITS; unit++)
    EXPLORE_REQUIRE (got[MYTHREAD][unit] == (uint32_t) unit + 1);
  got[MYTHREAD][0] = 0;
  if (MYTHREAD == 0)
    sent[0] = 0;
}

#define CASE(name, threads, begin, function)          \
  {                                                   \
    name "_" #threads, threads, begin, function, NULL \
  }
const struct explore_case explore_cases[] = {
  CASE ("mysync", 2, begin_mysync, broadcast),
  CASE ("mysync", 3, begin_mysync, broadcast),
  CASE ("allsync", 2, begin_allsync, broadcast),
  CASE ("allsync", 3, begin_allsync, broadcast),
  { 0 },
};
