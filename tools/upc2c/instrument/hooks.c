/* The functions that the writer calls. */

#include "tools/upc2c/instrument/internal.h"

const struct event_hooks gasp_hooks = {
  .load = gen_watched_load,
  .assign = gen_watched_assign,
  .update = gen_watched_update,
  .vector_store = gen_vector_store,
  .call = gen_watched_call,
  .known_lvalue = put_known_lvalue,
  .watch_accesses = watch_accesses,
  .function_frame = function_frame,
  .set_frame = set_function_frame,
  .barrier = gen_watched_barrier,
  .open_forall = open_watched_forall,
};
