/* The functions of gasnet_coll.h: each is a call of the engine. */

#include "runtime/coll/node.h"
#include "runtime/coll/operator.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

static inline void
require_init (const char *what)
{
  if (__builtin_expect (upcr_options.check && !upcr_is_initialized (), 0))
    upcr_fatal ("%s before gasnet_coll_init", what);
}

/* NAME as a blocking and as a non-blocking function; what it asks for is in the rest,
   fields of a struct upcr_coll. */
#define FUNCTION(name, kind_, parameters, ...)                                  \
  void gasnet_coll_##name parameters                                            \
  {                                                                             \
    require_init ("gasnet_coll_" #name);                                        \
    upcr_coll_run (&(struct upcr_coll){ .what = "gasnet_coll_" #name, .kind = kind_, \
                                        .team = team, .flags = flags, __VA_ARGS__ }); \
  }                                                                             \
  gasnet_coll_handle_t gasnet_coll_##name##_nb parameters                       \
  {                                                                             \
    require_init ("gasnet_coll_" #name "_nb");                                  \
    return upcr_coll_start (                                                    \
      &(struct upcr_coll){ .what = "gasnet_coll_" #name "_nb", .kind = kind_,    \
                           .team = team, .flags = flags, __VA_ARGS__ });        \
  }

FUNCTION (broadcast, UPCR_BROADCAST,
          (gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes,
           int flags),
          .dst = dst, .root = srcimage, .src = src, .bytes = nbytes)
FUNCTION (broadcastm, UPCR_BROADCAST,
          (gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage, void *src,
           size_t nbytes, int flags),
          .dst_list = dstlist, .root = srcimage, .src = src, .bytes = nbytes)
FUNCTION (scatter, UPCR_SCATTER,
          (gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes,
           int flags),
          .dst = dst, .root = srcimage, .src = src, .bytes = nbytes)
FUNCTION (scatterm, UPCR_SCATTER,
          (gasnet_team_handle_t team, void *const dstlist[], gasnet_image_t srcimage, void *src,
           size_t nbytes, int flags),
          .dst_list = dstlist, .root = srcimage, .src = src, .bytes = nbytes)
FUNCTION (gather, UPCR_GATHER,
          (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes,
           int flags),
          .root = dstimage, .dst = dst, .src = src, .bytes = nbytes)
FUNCTION (gatherm, UPCR_GATHER,
          (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[],
           size_t nbytes, int flags),
          .root = dstimage, .dst = dst, .src_list = srclist, .bytes = nbytes)
FUNCTION (gather_all, UPCR_GATHER_ALL,
          (gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags),
          .dst = dst, .src = src, .bytes = nbytes)
FUNCTION (gather_allm, UPCR_GATHER_ALL,
          (gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes,
           int flags),
          .dst_list = dstlist, .src_list = srclist, .bytes = nbytes)
FUNCTION (exchange, UPCR_EXCHANGE,
          (gasnet_team_handle_t team, void *dst, void *src, size_t nbytes, int flags),
          .dst = dst, .src = src, .bytes = nbytes)
FUNCTION (exchangem, UPCR_EXCHANGE,
          (gasnet_team_handle_t team, void *const dstlist[], void *const srclist[], size_t nbytes,
           int flags),
          .dst_list = dstlist, .src_list = srclist, .bytes = nbytes)

FUNCTION (scatterv, UPCR_SCATTER,
          (gasnet_team_handle_t team, void *dst, gasnet_image_t srcimage, void *src,
           const size_t nbytes[], const size_t offset[], int flags),
          .dst = dst, .root = srcimage, .src = src, .sizes = nbytes, .offsets = offset)
FUNCTION (gatherv, UPCR_GATHER,
          (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src,
           const size_t nbytes[], const size_t offset[], int flags),
          .root = dstimage, .dst = dst, .src = src, .sizes = nbytes, .offsets = offset)
FUNCTION (gather_allv, UPCR_GATHER_ALL,
          (gasnet_team_handle_t team, void *dst, void *src, const size_t nbytes[],
           const size_t offset[], int flags),
          .dst = dst, .src = src, .sizes = nbytes, .offsets = offset)
FUNCTION (exchangev, UPCR_EXCHANGE,
          (gasnet_team_handle_t team, void *dst, const size_t dst_nbytes[],
           const size_t dst_offset[], void *src, const size_t src_nbytes[],
           const size_t src_offset[], int flags),
          .dst = dst, .sizes = dst_nbytes, .offsets = dst_offset, .src = src,
          .src_sizes = src_nbytes, .src_offsets = src_offset)

#define OPERATOR .op = upcr_operator_in_table (func, elem_size, func_arg)
#define SOURCE .source = { src_blksz, src_offset }, .count = elem_count

FUNCTION (reduce, UPCR_REDUCE,
          (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *src,
           size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
           gasnet_coll_fn_handle_t func, int func_arg, int flags),
          .root = dstimage, .dst = dst, .src = src, SOURCE, OPERATOR)
FUNCTION (reducem, UPCR_REDUCE,
          (gasnet_team_handle_t team, gasnet_image_t dstimage, void *dst, void *const srclist[],
           size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
           gasnet_coll_fn_handle_t func, int func_arg, int flags),
          .root = dstimage, .dst = dst, .src_list = srclist, SOURCE, OPERATOR)
FUNCTION (reduce_all, UPCR_REDUCE_ALL,
          (gasnet_team_handle_t team, void *dst, void *src, size_t src_blksz, size_t src_offset,
           size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
           int flags),
          .dst = dst, .src = src, SOURCE, OPERATOR)
FUNCTION (reduce_allm, UPCR_REDUCE_ALL,
          (gasnet_team_handle_t team, void *const dstlist[], void *const srclist[],
           size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
           gasnet_coll_fn_handle_t func, int func_arg, int flags),
          .dst_list = dstlist, .src_list = srclist, SOURCE, OPERATOR)
FUNCTION (scan, UPCR_SCAN,
          (gasnet_team_handle_t team, void *dst, size_t dst_blksz, size_t dst_offset, void *src,
           size_t src_blksz, size_t src_offset, size_t elem_size, size_t elem_count,
           gasnet_coll_fn_handle_t func, int func_arg, int flags),
          .dst = dst, .destination = { dst_blksz, dst_offset }, .src = src, SOURCE, OPERATOR)
FUNCTION (scanm, UPCR_SCAN,
          (gasnet_team_handle_t team, void *const dstlist[], size_t dst_blksz, size_t dst_offset,
           void *const srclist[], size_t src_blksz, size_t src_offset, size_t elem_size,
           size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags),
          .dst_list = dstlist, .destination = { dst_blksz, dst_offset }, .src_list = srclist, SOURCE,
          OPERATOR)
