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

/* Each as a blocking and as a non-blocking function. */
#define ALL(...) __VA_ARGS__
#define GASNET(name, kind_, parameters, ...)                                               \
  void gasnet_coll_##name (gasnet_team_handle_t team, ALL parameters, int flags)           \
  {                                                                                        \
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
    require_init ("gasnet_coll_" #name "_nb");                                             \
    return upcr_coll_start (&(struct upcr_coll){ .what = "gasnet_coll_" #name "_nb",       \
                                                 .kind = UPCR_##kind_,                     \
                                                 .team = team,                             \
                                                 .flags = flags,                           \
                                                 __VA_ARGS__ });                           \
  }
#include "runtime/coll/collectives.def"
