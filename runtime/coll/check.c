/* With UPC_CHECK=1: do all members of a team call the same functions in the same order, with the
   same valid arguments?

   Nobody waits for that, or correct programs could deadlock. The first member to make a team's
   n-th call leaves a record of it, the others compare with it, and the last one removes it.
   Records are in a list in the order of calls, under a lock of the team. The record that a
   member looks for is at most as many calls away as others are ahead of it. */

#include "runtime/coll/context.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct upcr_record_of_call
{
  struct upcr_coll call;
  struct upcr_operator op;
  uint64_t number;
  uint64_t lists; /* a digest: the lists may be gone when others come */
  int thread;
  uint32_t compared;
  struct upcr_record_of_call *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int
has_one (int flags, int group)
{
  flags &= group;
  return flags != 0 && (flags & (flags - 1)) == 0;
}

static void
check_in_place (const struct upcr_coll *call)
{
  if (!upcr_call_has (call, GASNET_COLL_IN_PLACE))
    return;
  if (upcr_kind_has (call->kind, NOT_IN_PLACE))
    upcr_fatal ("%s: IN_PLACE is not for reductions", call->what);
  if (call->lists->src_sizes)
    upcr_fatal ("%s: IN_PLACE is not for it", call->what);
}

/* Of calls: the bits below those of functions. */
enum
{
  ALL_FLAGS = GASNET_COLL_NONCOMM - 1
};

static void
check_flags (const struct upcr_coll *call, bool is_blocking)
{
  int ins = GASNET_COLL_IN_NOSYNC | GASNET_COLL_IN_MYSYNC | GASNET_COLL_IN_ALLSYNC;
  int outs = GASNET_COLL_OUT_NOSYNC | GASNET_COLL_OUT_MYSYNC | GASNET_COLL_OUT_ALLSYNC;
  int scans = GASNET_COLL_INCLUSIVE_SCAN | GASNET_COLL_EXCLUSIVE_SCAN;

  if (call->flags & ~ALL_FLAGS)
    upcr_fatal ("invalid flag for %s: 0x%x", call->what, call->flags & ~ALL_FLAGS);
  if (!has_one (call->flags, ins))
    upcr_fatal ("%s: the flags 0x%x need exactly one IN_…SYNC", call->what, call->flags);
  if (!has_one (call->flags, outs))
    upcr_fatal ("%s: the flags 0x%x need exactly one OUT_…SYNC", call->what, call->flags);
  if (!has_one (call->flags, GASNET_COLL_SINGLE | GASNET_COLL_LOCAL))
    upcr_fatal ("%s: the flags 0x%x need either SINGLE or LOCAL", call->what, call->flags);
  if (call->kind == UPCR_SCAN && !has_one (call->flags, scans))
    upcr_fatal ("%s: the flags 0x%x need either INCLUSIVE_SCAN or EXCLUSIVE_SCAN", call->what,
                call->flags);
  if (is_blocking && upcr_call_has (call, GASNET_COLL_AGGREGATE))
    upcr_fatal ("%s: AGGREGATE is for functions that only start an operation", call->what);
  check_in_place (call);
}

static void
check_elements (const struct upcr_coll *call, uint32_t size)
{
  if (call->op->bytes == 0)
    upcr_fatal ("%s: elem_size is 0", call->what);
  if (call->source.block == 0 && call->source.offset >= size)
    upcr_fatal ("%s: all elements at image %zu of %u", call->what, call->source.offset, size);
  if (call->kind == UPCR_SCAN && call->destination.block == 0 && call->destination.offset >= size)
    upcr_fatal ("%s: all results at image %zu of %u", call->what, call->destination.offset, size);
}

static void
check_sizes (const struct upcr_coll *call, uint32_t size)
{
  if (call->root >= size)
    upcr_fatal ("%s: image %u of %u", call->what, call->root, size);
  if (upcr_kind_has (call->kind, COMPUTES))
    check_elements (call, size);
  else if (!call->lists->sizes && call->bytes == 0)
    upcr_fatal ("%s: nbytes is 0", call->what);
}

static void
compare (const struct upcr_coll *mine, const struct upcr_record_of_call *first, const char *name,
         size_t here, size_t there)
{
  if (here != there)
    upcr_fatal ("%s: %s is %zu, but %zu on thread %d", mine->what, name, here, there,
                first->thread);
}

/* Of single addresses what must agree is the offset in the segment. */
static size_t
comparable (const void *address)
{
  return (size_t) upcr_rebase (address, 0);
}

/* Of sizes and of where the blocks are, whether offsets are given or follow from the sizes.
   Exchanges have a view of them for each image. */
static uint64_t
digest_of_lists (const struct upcr_coll *call, uint32_t size)
{
  enum
  {
    ODD = 0x9e3779b1
  };
  uint64_t digest = 1;
  size_t next = 0;

  if (!call->lists->sizes || call->lists->src_sizes)
    return 0;
  for (uint32_t i = 0; i < size; i++)
    {
      size_t offset = call->lists->offsets ? call->lists->offsets[i] : next;

      digest = (digest ^ call->lists->sizes[i]) * ODD;
      digest = (digest ^ offset) * ODD;
      next += call->lists->sizes[i];
    }
  return digest;
}

static void
compare_computations (const struct upcr_coll *mine, const struct upcr_record_of_call *first)
{
  const struct upcr_coll *its = &first->call;
  const struct upcr_layout *from = &mine->source, *to = &mine->destination;
  const struct upcr_operator *op = mine->op;

  compare (mine, first, "the number of elements", mine->count, its->count);
  compare (mine, first, "the size of an element", op->bytes, first->op.bytes);
  compare (mine, first, "the function's argument", op->argument, first->op.argument);
  compare (mine, first, "the source's block size", from->block, its->source.block);
  compare (mine, first, "the source's offset", from->offset, its->source.offset);
  if (mine->kind == UPCR_SCAN)
    {
      compare (mine, first, "the destination's block size", to->block, its->destination.block);
      compare (mine, first, "the destination's offset", to->offset, its->destination.offset);
    }
  if (op->function != first->op.function || op->fold != first->op.fold)
    upcr_fatal ("%s: another operation than on thread %d", mine->what, first->thread);
}

static void
compare_calls (const struct upcr_coll *mine, uint64_t lists,
               const struct upcr_record_of_call *first)
{
  const struct upcr_coll *its = &first->call;

  if (strcmp (mine->what, its->what) != 0)
    upcr_fatal ("%s, but thread %d calls %s", mine->what, first->thread, its->what);
  if (mine->flags != its->flags)
    upcr_fatal ("%s: the flags are 0x%x, but 0x%x on thread %d", mine->what, mine->flags,
                its->flags, first->thread);
  compare (mine, first, "the root", mine->root, its->root);
  if (upcr_kind_has (mine->kind, COMPUTES))
    compare_computations (mine, first);
  else
    compare (mine, first, "nbytes", mine->bytes, its->bytes);
  if (lists != first->lists)
    upcr_fatal ("%s: other sizes or offsets than on thread %d", mine->what, first->thread);
  if (!upcr_call_has (mine, GASNET_COLL_SINGLE))
    return;
  if (comparable (mine->src) != comparable (its->src))
    upcr_fatal ("%s: another source than on thread %d", mine->what, first->thread);
  if (comparable (mine->dst) != comparable (its->dst))
    upcr_fatal ("%s: another destination than on thread %d", mine->what, first->thread);
}

/* The link of the list where the record of NUMBER is, or belongs. */
static struct upcr_record_of_call **
link_of (upcr_team *team, uint64_t number)
{
  struct upcr_record_of_call **link = &team->records;

  while (*link && (*link)->number < number)
    link = &(*link)->next;
  return link;
}

static struct upcr_record_of_call *
new_record (const struct upcr_coll *call, uint64_t number, uint64_t lists)
{
  struct upcr_record_of_call *record = malloc (sizeof *record);

  if (!record)
    upcr_fatal ("%s: no memory to check it", call->what);
  *record = (struct upcr_record_of_call){
    .call = *call, .number = number, .lists = lists, .thread = MYTHREAD
  };
  if (upcr_kind_has (call->kind, COMPUTES))
    record->op = *call->op;
  return record;
}

static void
check_with_others (struct upcr_context *ctx)
{
  upcr_team *team = ctx->team;
  uint64_t number = ctx->checked = ++team->members[ctx->me].checked;
  uint64_t lists = digest_of_lists (ctx->call, ctx->size);
  struct upcr_record_of_call **link, *record, seen;

  pthread_mutex_lock (&lock);
  link = link_of (team, number);
  record = *link;
  if (!record || record->number != number)
    {
      record = new_record (ctx->call, number, lists);
      record->next = *link;
      *link = record;
    }
  seen = *record;
  if (++record->compared == team->size)
    {
      *link = record->next;
      free (record);
    }
  pthread_mutex_unlock (&lock);
  compare_calls (ctx->call, lists, &seen);
}

static void
check_arguments (struct upcr_context *ctx, bool is_blocking)
{
  if (upcr_has_notified (MYTHREAD))
    upcr_fatal ("%s between upc_notify and upc_wait", ctx->call->what);
  check_flags (ctx->call, is_blocking);
  check_sizes (ctx->call, ctx->size);
  check_with_others (ctx);
}

void
upcr_check_call (struct upcr_context *ctx, bool is_blocking)
{
  if (upcr_options.check)
    check_arguments (ctx, is_blocking);
  upcr_check_segment (ctx);
}
