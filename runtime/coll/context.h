/* Inside the room: the operation context, one member's side of one operation. */

#ifndef UPCR_COLL_CONTEXT_H
#define UPCR_COLL_CONTEXT_H

#include "runtime/coll/layout.h"
#include "runtime/coll/team.h"
#include "runtime/host/host.h"

/* How the elements of a computation are partitioned among the members (partition.h): to each
   all blocks that lie with it; the one block that does; as many elements as to the others,
   wherever they lie. */
enum upcr_partition
{
  UPCR_OWN_BLOCKS,
  UPCR_ONE_BLOCK,
  UPCR_EQUAL_RANGES
};

struct upcr_context
{
  struct upcr_coll *call;
  upcr_team *team;
  uint32_t me, size;
  uint32_t number;
  enum upcr_partition partition; /* of computations */
  bool all_in;                   /* all members are known to have entered */
  bool all_done;                 /* all have done their portion; no other barrier is needed */
  uint64_t checked;              /* the call's number, counted with UPC_CHECK=1 */
  struct upcr_mailbox_slot *slot;
  struct upcr_pending *pending;           /* of an operation in flight; or null */
  const struct upcr_addresses *addresses; /* of each of its members; null: in the slots */
};

/* The context of CALL for the calling thread, which has not entered yet. */
struct upcr_context upcr_context_of (struct upcr_coll *call);

static inline bool
upcr_call_has (const struct upcr_coll *call, int flag)
{
  return (call->flags & flag) != 0;
}

/* Do these flags imply a fence (UPC 1.3, B.3.2)? With an ALLSYNC, a barrier has it. */
static inline bool
upcr_implies_fence (int flags)
{
  return flags & (GASNET_COLL_IN_MYSYNC | GASNET_COLL_OUT_MYSYNC);
}

/* What is said of kinds in collectives.h: they move data, or combine elements; the root has
   the memory of all; each member's data goes to all; there is no form in place. */
enum upcr_traits
{
  MOVES = 1,
  COMPUTES = 2,
  ROOTED = 4,
  TO_ALL = 8,
  NOT_IN_PLACE = 16
};

static inline bool
upcr_kind_has (enum upcr_coll_kind kind, enum upcr_traits trait)
{
  switch (kind)
    {
#define KIND(name, traits) \
  case UPCR_##name:        \
    return ((traits) &trait) != 0;
      UPCR_KINDS (KIND)
#undef KIND
    }
  __builtin_unreachable ();
}

/* A block of data movement in the memory of a root, or of one that gets all. */
struct upcr_block
{
  size_t offset, bytes;
};

static inline struct upcr_block
upcr_block_of (const struct upcr_coll *call, uint32_t image)
{
  const struct upcr_lists *lists = call->lists;
  struct upcr_block block = { 0, 0 };

  if (!lists->sizes)
    return (struct upcr_block){ image * call->bytes, call->bytes };
  block.bytes = lists->sizes[image];
  if (lists->offsets)
    block.offset = lists->offsets[image];
  else
    for (uint32_t i = 0; i < image; i++)
      block.offset += lists->sizes[i];
  return block;
}

/* ADDRESS as UPC's single-valued pointers mean it for THREAD: the same offset in its
   partition. */
static inline char *
upcr_rebase (const void *address, uint32_t thread)
{
  uintptr_t offset = (uintptr_t) address - UPCR_SEGMENT_BASE;

  if (offset / UPCR_STRIDE >= (uintptr_t) THREADS)
    return (char *) address;
  return upcr_segment_address (thread, offset % UPCR_STRIDE);
}

/* The addresses of member RANK: what the arguments say with SINGLE, else what it published. */
const char *upcr_src_of (const struct upcr_context *ctx, uint32_t rank);
char *upcr_dst_of (const struct upcr_context *ctx, uint32_t rank);

/* What the calling member has to publish of its own. */
void upcr_own_addresses (const struct upcr_context *ctx, const void **src, void **dst);

/* The call of member RANK, where arguments are its own: of exchangev. Waits for it. */
const struct upcr_coll *upcr_call_of (const struct upcr_context *ctx, uint32_t rank);

/* Takes a slot; publishes it to the others, who may sleep, or where no one waits for it. */
void upcr_begin (struct upcr_context *ctx);
void upcr_publish (const struct upcr_context *ctx);
void upcr_publish_quietly (const struct upcr_context *ctx);

/* Waits for the slot of member RANK. */
static inline void
upcr_await_slot (const struct upcr_context *ctx, uint32_t rank)
{
  upcr_mailbox_await (ctx->team, rank, ctx->number, ctx->call->what);
}

/* The same only where the IN flag asks for it before the data of RANK is touched, or where
   its addresses are only known then. */
void upcr_await_entry (const struct upcr_context *ctx, uint32_t rank);

/* This member is through with the others' data, and the data of its slot is ready. */
void upcr_publish_done (const struct upcr_context *ctx);
void upcr_await_done (const struct upcr_context *ctx, uint32_t rank);
void upcr_await_all_done (const struct upcr_context *ctx);

/* Are calls to be checked before they are made? */
static inline bool
upcr_checks_calls (void)
{
  return upcr_options.check || upcr_is_checked;
}

/* If so: whether all members call the same, with the same arguments (with UPC_CHECK=1), and whose the
   memory is. */
void upcr_check_call (struct upcr_context *ctx, bool is_blocking);

/* The same: whether the calling member's memory is one object's (in the checked heap), and in the
   segment where the flags say so (with UPC_CHECK=1). */
void upcr_check_segment (const struct upcr_context *ctx);

/* With UPC_CHECK=1: whether no other entry of the permutation than ENTRY is TO. */
void upcr_check_target (const struct upcr_context *ctx, uint32_t entry, uint32_t to);

/* The whole work, by the last member to come. */
void upcr_move_all (struct upcr_context *ctx);
void upcr_compute_all (struct upcr_context *ctx);

/* Portions: what the context's member has to do, straight between the members' memory. Data
   movement is cut into units. */
uint32_t upcr_portion_units (const struct upcr_context *ctx);
void upcr_move_unit (struct upcr_context *ctx, uint32_t unit);
void upcr_move_portion (struct upcr_context *ctx);
void upcr_fold_portion (struct upcr_context *ctx, void *partial);
void upcr_scan_portion (struct upcr_context *ctx, void *carry, bool has_carry);
void upcr_put_result (const struct upcr_context *ctx, const void *result);

#endif
