/* Inside the room: operations in flight.

   What is started and not waited for at once, and what is large, has a descriptor that all
   members work at. It is found by the team and a number that each member counts alike;
   the first to come makes it. Each member leaves its addresses there. The work is cut
   into portions, one for each member, and portions into units; any member that has come may
   do any unit that is ready, beginning with its own. So nobody ever waits for a thread that
   sleeps elsewhere or is busy with its own things: who waits does the work. And large
   blocks are shared by all who are there.

   A scan goes through its portions twice: partial results, then the results. Everything else
   has one pass.

   field                  written by              read by       order
   ready                  its maker               all           release, acquire: what the
                                                                maker wrote
   team_id, number        its maker               all           by ready
   addresses[member]      its member              all           by arrived of the member
   portion.arrived        its member              all           release, acquire
   arrived                members: RMW            all           acquire and release
   portion.cursor[pass]   all: RMW                all           relaxed: only hands out units
   portion.done[pass]     all: RMW                all           acquire and release: what the
                                                                units wrote
   portions_done[pass]    all: RMW                all           the same
   pass, complete         who ends the pass       all           release, acquire
   partials               who does the portion    who combines  by portions_done; carries by
                                                                pass
   refs                   members: RMW            all           acquire and release; at 0 the
                                                                descriptor is nobody's
   event                  all: RMW                who waits     release, acquire */

#ifndef UPCR_COLL_PENDING_H
#define UPCR_COLL_PENDING_H

#include "runtime/coll/context.h"

#include <urcu/urcu-bp.h>
#include <urcu/rculfhash.h>

enum
{
  UPCR_PASSES = 2
};

/* One member's portion of the work. */
struct upcr_portion
{
  _Atomic uint32_t arrived;
  _Atomic uint32_t cursor[UPCR_PASSES];
  _Atomic uint32_t done[UPCR_PASSES];
};

struct upcr_pending
{
  struct cds_lfht_node node;
  struct rcu_head rcu;
  _Atomic uint32_t ready;
  uint64_t team_id;
  uint32_t number;
  _Atomic uint32_t refs; /* members that have not left it */
  _Atomic uint32_t arrived;
  _Atomic uint32_t portions_done[UPCR_PASSES];
  _Atomic uint32_t pass;
  _Atomic uint32_t complete;
  _Atomic uint32_t event; /* counts what may let a member go on */
  char *partials;         /* a partial result for each portion, then carries */
  size_t partial_bytes;
  struct upcr_addresses *addresses; /* of each member */
  struct upcr_portion portions[];
};

/* What a member holds while its operation is in flight: the call, of which the program's own
   may be gone, and whether it is through. Private to its thread. */
struct __gasnet_coll_handle
{
  struct upcr_coll call;
  struct upcr_lists lists;
  struct upcr_operator op;
  struct upcr_context ctx;
  int thread; /* -1: already completed */
  bool is_blocking;
  bool is_complete;
  bool is_waited_for;                           /* then nothing else may complete it */
  struct __gasnet_coll_handle *next, *previous; /* of the thread's handles in flight */
  struct __gasnet_coll_handle *group;           /* more that complete with this one */
};

typedef struct __gasnet_coll_handle upcr_handle;

/* The descriptor of operation NUMBER of TEAM; made where it is not there, as CALL asks
   for. The caller is one of its members and has not left it. */
struct upcr_pending *upcr_pending_find (upcr_team *team, uint32_t number,
                                        const struct upcr_coll *call);

/* Drops a member's reference; the last one's ends the descriptor. */
void upcr_pending_put (struct upcr_pending *pending);

/* Says what the calling member brings. */
void upcr_pending_arrive (upcr_handle *handle);

/* Does what is ready; true when something was. */
bool upcr_pending_advance (upcr_handle *handle);

/* Leaves the operation when the OUT flag allows; true then. */
bool upcr_pending_leave (upcr_handle *handle);

#endif
