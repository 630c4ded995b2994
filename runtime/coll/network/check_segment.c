/* The same checks of what a thread gives a call. There are no teams, and its addresses are in its own partition. */

#include "runtime/coll/context.h"

#include "runtime/coll/network/check.h"

static void own_addresses (const struct upcr_context *ctx, const void **src, void **dst);
static __attribute__ ((unused)) void check_context (const struct upcr_context *ctx);
#define upcr_own_addresses own_addresses
#define upcr_check_segment check_context
#define upcr_team_thread(team, rank) (rank)
#include "runtime/coll/check_segment.c"
#undef upcr_own_addresses
#undef upcr_check_segment
#undef upcr_team_thread

static void
own_addresses (const struct upcr_context *ctx, const void **src, void **dst)
{
  *src = upcr_rebase (ctx->call->src, ctx->me);
  *dst = upcr_rebase (ctx->call->dst, ctx->me);
}

void
upcr_check_memory (const struct upcr_coll *call)
{
  static const struct upcr_lists no_lists;
  struct upcr_coll copy = *call;

  copy.lists = &no_lists;
  check_context (&(struct upcr_context){ .call = &copy, .me = MYTHREAD, .size = THREADS });
}
