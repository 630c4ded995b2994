/* The functions of gasnet_coll.h: each is a call of the engine. */

#include "runtime/coll/images.h"
#include "runtime/coll/operator.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

static inline void
require_init (const char *what)
{
  if (__builtin_expect (upcr_options.check && !upcr_is_initialized (), 0))
    upcr_fatal ("%s before gasnet_coll_init", what);
}

/* clang-format off */

/* Parameters and fields that many functions have. */
#define TO_IMAGES void *const dstlist[]
#define FROM_IMAGES void *const srclist[]
#define LISTS(...) .lists = &(struct upcr_lists){ __VA_ARGS__ }
#define SOURCE size_t src_blksz, size_t src_offset
#define ELEMENTS size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg
#define COMPUTATION                                                                                \
  .source = { src_blksz, src_offset }, .count = elem_count,                                        \
  .op = (struct upcr_operator[]){ upcr_operator_in_table (func, elem_size, func_arg) }
#define DESTINATION .destination = { dst_blksz, dst_offset }

/* clang-format on */

/* Each as a blocking and as a non-blocking function. */
#define ALL(...) __VA_ARGS__
#define ROW(name, kind_, parameters, ...)                                                  \
  void gasnet_coll_##name (gasnet_team_handle_t team, ALL parameters, int flags)           \
  {                                                                                        \
    UPCR_EXCLUSIVE ("gasnet_coll_" #name);                                                 \
                                                                                           \
    require_init ("gasnet_coll_" #name);                                                   \
    upcr_coll_run (&(struct upcr_coll){ .what = "gasnet_coll_" #name,                      \
                                        .kind = UPCR_##kind_,                              \
                                        .team = team,                                      \
                                        .flags = flags,                                    \
                                        __VA_ARGS__ });                                    \
  }                                                                                        \
  gasnet_coll_handle_t gasnet_coll_##name##_nb (gasnet_team_handle_t team, ALL parameters, \
                                                int flags)                                 \
  {                                                                                        \
    UPCR_EXCLUSIVE ("gasnet_coll_" #name "_nb");                                           \
                                                                                           \
    require_init ("gasnet_coll_" #name "_nb");                                             \
    return upcr_coll_start (&(struct upcr_coll){ .what = "gasnet_coll_" #name "_nb",       \
                                                 .kind = UPCR_##kind_,                     \
                                                 .team = team,                             \
                                                 .flags = flags,                           \
                                                 __VA_ARGS__ });                           \
  }

UPCR_GASNET_FUNCTIONS (ROW)
