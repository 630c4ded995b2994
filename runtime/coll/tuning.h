/* Inside the room: every threshold of the algorithms, and the variable that overrides them.

   UPC_COLL=NAME in the environment makes each operation use the algorithm of that name
   (algorithms.h) wherever it applies, whatever the thresholds are. It is for tests and
   benchmarks.

   Measured on an AMD EPYC, with two threads unless something else is said. */

#ifndef UPCR_COLL_TUNING_H
#define UPCR_COLL_TUNING_H

/* The algorithm that UPC_COLL names, of enum upcr_algorithm, or UPCR_ANY_ALGORITHM. Ends the
   run where there is none of that name. */
enum
{
  UPCR_ANY_ALGORITHM = -1
};
int upcr_forced_algorithm (void);

enum
{
  /* Choosing an algorithm. */

  /* pipelined: from this block size on the descriptor that lets all members work at all
     blocks is worth its while. */
  UPCR_PIPELINED_BYTES = 512 << 10,
  /* central: the most bytes that one member moves for all. From here on a second barrier is
     cheaper than to copy alone. */
  UPCR_CENTRAL_BYTES = 4096,
  /* eager: longer blocks from all to all go straight from source to destination. Members that
     wait for each other anyway lose less by another barrier than by copying twice: from 2 KiB
     on. */
  UPCR_EAGER_TO_ALL_BYTES = 1024,
  /* From this many members on all wait in the central barrier where all touch all others' data.
     With fewer, each looks at each: that is quicker in the spin phase. */
  UPCR_BARRIER_MEMBERS = 5,
  /* Reductions of fewer bytes are not worth partitioning evenly. */
  UPCR_UNEVEN_BYTES = 4096,

  /* Within an algorithm. */

  /* eager: the root of a scatter does not publish its own block, which nobody fetches, but
     where it is so short that this would take longer than it saves. */
  UPCR_LEAVE_OUT_BYTES = 256,
  /* one_block: up to here the first member of a scan makes its results before it publishes
     their sum. */
  UPCR_SCAN_FIRST_BYTES = 1024,
  /* central: from so many elements a member on, what lies with each is folded at once. */
  UPCR_FEW_ELEMENTS = 8,
  /* direct: an exclusive scan in place saves so many bytes at a time; elements of blocks of up to
     so many bytes are folded and scanned together, in tiles. */
  UPCR_TILE_BYTES = 4096,
  UPCR_WALKED_BYTES = 256,
  /* pipelined: the unit of work. */
  UPCR_UNIT_BYTES = 256 << 10,
  /* pipelined: how many operations in flight a wait looks at between two looks at what it
     waits for. */
  UPCR_PROGRESS_HANDLES = 4,

  /* Slots of the mailboxes (slot.h, team.h). */

  UPCR_SLOTS = 16,
  UPCR_SLOT_BYTES = 4096,
  /* From so many bytes on the string instruction copies into a slot, and out of one. */
  UPCR_STRING_IN_BYTES = 768,
  UPCR_STRING_OUT_BYTES = 256,
  /* A slot's lines are prefetched this many operations before it is written, when most
     members have long left it. Slots written one after the other: 32 ns each without, 18
     with 4, 20 with 8. */
  UPCR_PREFETCH_DISTANCE = 4,
  /* Each so many operations a member says how far it is. */
  UPCR_LEAVE_INTERVAL = UPCR_SLOTS / 4,
  /* Looks at a sequence number, where each thread has a CPU, before the wait proper begins:
     mostly what is waited for is about to be published. */
  UPCR_QUICK_LOOKS = 8,

  /* Elements of up to this size need no memory of their own while they are combined. */
  UPCR_NEAR_BYTES = 256
};

#endif
