/* Inside the room: operations in flight.

   What is started and not waited for at once, and what is large, has a descriptor that all
   members work at. It is found by the team and a number that each member counts alike;
   the first to come makes it. Each member leaves its addresses there. The work is cut
   into rows, one for each member, and rows into units; any member that has come may do
   any unit that is ready, beginning with its own. So nobody ever waits for a thread that
   sleeps elsewhere or is busy with its own things: who waits does the work. And large
   blocks are shared by all who are there.

   A scan goes through its rows twice: partial results, then the results. Everything else
   has one pass.

   field                written by             read by        order
   ready                its maker              all            release, acquire: what the
                                                              maker wrote
   call, team, number   its maker              all            by ready
   part.src, dst, more  its member             all            by part.arrived
   part.arrived         its member             all            release, acquire
   arrived              members: RMW           all            acquire and release
   part.cursor[pass]    all: RMW               all            relaxed: only hands out units
   part.done[pass]      all: RMW               all            acquire and release: what
                                                              the units wrote
   rows_done[pass]      all: RMW               all            the same
   pass, complete       who does the last row  all            release, acquire
   partials             who does the row       who combines   by rows_done; carries by pass
   refs                 members: RMW           all            acquire and release; at 0 the
                                                              descriptor is nobody's
   event                all: RMW               who waits      release, acquire */

#ifndef UPCR_COLL_OP_H
#define UPCR_COLL_OP_H

#include "runtime/coll/turn.h"

#include <urcu/urcu-bp.h>
#include <urcu/rculfhash.h>

enum { UPCR_PASSES = 2, UPCR_UNIT_BYTES = 256 << 10 };

/* What belongs to one member. */
struct upcr_part
{
  const void *src;
  void *dst;
  const void *more;
  _Atomic uint32_t arrived;
  _Atomic uint32_t cursor[UPCR_PASSES];
  _Atomic uint32_t done[UPCR_PASSES];
};

struct upcr_op
{
  struct cds_lfht_node node;
  struct rcu_head rcu;
  _Atomic uint32_t ready;
  upcr_team *team;
  uint64_t team_id;
  uint32_t number;
  _Atomic uint32_t refs;               /* members that have not left it */
  _Atomic uint32_t arrived;
  _Atomic uint32_t rows_done[UPCR_PASSES];
  _Atomic uint32_t pass;
  _Atomic uint32_t complete;
  _Atomic uint32_t event;              /* counts what may let a member go on */
  char *partials;                      /* a partial result for each row, then carries */
  size_t partial_bytes;
  struct upcr_part parts[];
};

/* One member's side of an operation: what it was called with, and whether it is through.
   Private to its thread. */
struct __gasnet_coll_handle
{
  struct upcr_coll call;
  struct upcr_turn turn;
  struct upcr_op *op;
  int thread;
  bool is_blocking;
  bool is_complete;
  bool is_waited_for;                  /* then nothing else may complete it */
  struct __gasnet_coll_handle *next, *previous;   /* of the thread's handles in flight */
  struct __gasnet_coll_handle *group;  /* more that complete with this one */
};

typedef struct __gasnet_coll_handle upcr_handle;

/* The descriptor of operation NUMBER of TEAM; made where it is not there, as CALL asks
   for. The caller is one of its members and has not left it. */
struct upcr_op *upcr_op_find (upcr_team *team, uint32_t number, const struct upcr_coll *call);

/* Drops a member's reference; the last one's ends the descriptor. */
void upcr_op_put (struct upcr_op *op);

/* Says what the calling member brings. */
void upcr_op_arrive (upcr_handle *handle);

/* Does what is ready; true when something was. */
bool upcr_op_advance (upcr_handle *handle);

/* Leaves the operation when the OUT flag allows; true then. */
bool upcr_op_leave (upcr_handle *handle);

/* The parts of move.c and compute.c, for the row of TURN->me. */
uint32_t upcr_row_units (const struct upcr_turn *turn);
void upcr_move_unit (struct upcr_turn *turn, uint32_t unit);
void upcr_fold_row (struct upcr_turn *turn, void *partial);
void upcr_put_result (const struct upcr_turn *turn, const void *result);
void upcr_scan_row (struct upcr_turn *turn, void *carry, bool has_carry);

#endif
