/* Explores the mailboxes of the collectives, and the central barrier of a team.
   Rings are short: include/runtime/coll/tuning.h. */

#include "runtime.h"

#include "runtime/coll/context.c"
#include "runtime/coll/eager.c"
#include "runtime/coll/team.c"

#include <string.h>

enum
{
  MEMBERS = 3,
  OPERATIONS = UPCR_SLOTS + 2
};

static upcr_team team;
static struct upcr_member members[MEMBERS];
/* What each member sends; what it gets in each operation; relaxed accesses of a
 * program. */
static uint32_t sent[MEMBERS][MEMBERS], got[MEMBERS][OPERATIONS][MEMBERS];
static _Atomic uint32_t x, y;
static uint32_t seen[2];

/* Blocks here are shorter than what these are for. */
void
upcr_copy_long (void *dst, const void *src, size_t bytes)
{
  explore_fail ("%zu bytes from %p to %p", bytes, src, dst);
}

void
upcr_copy_string (void *dst, const void *src, size_t bytes)
{
  upcr_copy_long (dst, src, bytes);
}

/* Of calls without GASNET_COLL_LOCAL, which are not here. */
void
upcr_own_addresses (const struct upcr_context *ctx, const void **src, void **dst)
{
  explore_fail ("addresses of member %u: %p, %p", ctx->me, (void *) src, (void *) dst);
}

void
explore_setup (void)
{
  leave_out_diagnosis ();
}

static void
begin (int threads)
{
  THREADS = threads;
  memset (members, 0, sizeof members);
  memset (sent, 0, sizeof sent);
  memset (got, 0, sizeof got);
  memset (seen, 0, sizeof seen);
  team = (upcr_team){ .size = threads, .is_all = true, .members = members };
  team.barrier.size = threads;
  for (int m = 0; m < threads; m++)
    members[m].all_left = 1;
}

/* Operation NUMBER, in which member M sends 100 * NUMBER + M. */
static uint32_t
value_of (uint32_t number, uint32_t m)
{
  return 100 * number + m;
}

static uint32_t *
move (enum upcr_coll_kind kind, int flags, uint32_t number)
{
  struct upcr_coll call
      = { .what = "test", .kind = kind, .flags = flags, .bytes = sizeof (uint32_t) };
  uint32_t me = MYTHREAD;

  for (int m = 0; m < THREADS; m++)
    sent[me][m] = value_of (number, me);
  call.src = sent[me];
  call.dst = got[me][number];
  upcr_move_eagerly (&team, me, &call);
  return got[me][number];
}

/* The root may be a whole ring ahead. */
static void
broadcasts_by (int flags, uint32_t operations)
{
  for (uint32_t number = 0; number < operations; number++)
    EXPLORE_REQUIRE (move (UPCR_BROADCAST, flags, number)[0] == value_of (number, 0));
}

static void
broadcasts (void)
{
  broadcasts_by (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC, OPERATIONS);
}

static void
broadcasts_nosync (void)
{
  broadcasts_by (GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC, OPERATIONS);
}

static void
broadcast (void)
{
  broadcasts_by (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC, 2);
}

static void
gather (void)
{
  uint32_t *all = move (UPCR_GATHER, GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC, 0);

  for (int m = 0; m < THREADS && MYTHREAD == 0; m++)
    EXPLORE_REQUIRE (all[m] == value_of (0, m));
}

static void
gather_all (void)
{
  uint32_t *all = move (UPCR_GATHER_ALL, GASNET_COLL_IN_NOSYNC | GASNET_COLL_OUT_NOSYNC, 0);

  for (int m = 0; m < THREADS; m++)
    EXPLORE_REQUIRE (all[m] == value_of (0, m));
}

/* Members read each other's memory between two slots' words: sequence and done.
 */
static void
direct (void)
{
  struct upcr_coll call = { .what = "test", .kind = UPCR_GATHER_ALL };
  struct upcr_context ctx = { .call = &call, .team = &team, .me = MYTHREAD, .size = THREADS };

  sent[ctx.me][0] = 1;
  upcr_begin (&ctx);
  upcr_publish (&ctx);
  for (uint32_t m = 0; m < ctx.size; m++)
    {
      upcr_await_slot (&ctx, m);
      EXPLORE_REQUIRE (sent[m][0] == 1);
    }
  upcr_publish_done (&ctx);
  upcr_await_all_done (&ctx);
  sent[ctx.me][0] = 2;
  upcr_mailbox_leave (ctx.team, ctx.me, ctx.number, true);
}

static void
team_barrier (void)
{
  uint32_t me = MYTHREAD;

  sent[me][0] = 1;
  upcr_team_barrier (&team, "test");
  for (int m = 0; m < THREADS; m++)
    EXPLORE_REQUIRE (sent[m][0] == 1);
  upcr_team_barrier (&team, "test");
  sent[me][0] = 2;
}

/* The fence that the flags imply, somewhere in the call. */
static void
strict (enum upcr_coll_kind kind)
{
  _Atomic uint32_t *mine = MYTHREAD == 0 ? &x : &y, *theirs = MYTHREAD == 0 ? &y : &x;

  atomic_store_explicit (mine, 1, memory_order_relaxed);
  move (kind, GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC, 0);
  seen[MYTHREAD] = atomic_load_explicit (theirs, memory_order_relaxed);
}

static void
strict_broadcast (void)
{
  strict (UPCR_BROADCAST);
}

static void
strict_gather (void)
{
  strict (UPCR_GATHER);
}

/* Against another strict access: two arrivals order each other anyway. */
static void
strict_barrier (void)
{
  if (MYTHREAD == 0)
    {
      atomic_store_explicit (&x, 1, memory_order_relaxed);
      upcr_central_arrive (&team.barrier);
      seen[0] = atomic_load_explicit (&y, memory_order_relaxed);
      return;
    }
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  upcr_strict_fence ();
  seen[1] = atomic_load_explicit (&x, memory_order_relaxed);
}

static void
end_strict (void)
{
  EXPLORE_REQUIRE (seen[0] || seen[1]);
}

#define CASE(function, threads, end)                      \
  {                                                       \
#function "_" #threads, threads, begin, function, end \
  }
const struct explore_case explore_cases[] = {
  CASE (broadcast, 2, NULL),
  CASE (broadcast, 3, NULL),
  CASE (broadcasts, 2, NULL),
  CASE (broadcasts_nosync, 2, NULL),
  CASE (broadcasts_nosync, 3, NULL),
  CASE (gather, 2, NULL),
  CASE (gather, 3, NULL),
  CASE (gather_all, 2, NULL),
  CASE (gather_all, 3, NULL),
  CASE (direct, 2, NULL),
  CASE (direct, 3, NULL),
  CASE (team_barrier, 2, NULL),
  CASE (team_barrier, 3, NULL),
  CASE (strict_broadcast, 2, end_strict),
  CASE (strict_gather, 2, end_strict),
  CASE (strict_barrier, 2, end_strict),
  { 0 },
};
