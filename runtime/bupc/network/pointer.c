/* Pointers and distances if other nodes have threads. */

#include "runtime/bupc/bupc.h"
#include "runtime/net/net.h"
#include "runtime/shared/shared.h"

static unsigned distance_alone (int x, int y);
#define upcr_thread_distance distance_alone
#include "runtime/bupc/pointer.c"
#undef upcr_thread_distance

unsigned
upcr_thread_distance (int x, int y)
{
  /* BUPC_THREADS_NEAR, of one node; BUPC_THREADS_VERYFAR */
  enum
  {
    NEAR = 200,
    VERYFAR = 400
  };
  unsigned in_process = distance_alone (x, y);

  if (upcr_process_of (x) == upcr_process_of (y))
    return in_process;
  return upcr_net_node_of (upcr_process_of (x)) == upcr_net_node_of (upcr_process_of (y)) ? NEAR
                                                                                          : VERYFAR;
}
