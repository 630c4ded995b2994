/* Inside the room: teams, and the mailboxes in which their members publish what others wait
   for.

   Each operation of a team has a number, counted by each member alike. In it each member
   writes one slot of its mailbox, which is a ring of UPCR_SLOTS. A slot is written again when
   all members have left the operation that had it before, which each says from time to time
   in `left`. Only a member that is UPCR_SLOTS operations ahead of another waits for that.

   field              written by    read by      order
   slot.sequence      its member    all          release, acquire: the number, once published
   slot.done          its member    all          release, acquire: the number, once through
   slot, the rest     its member    all          by sequence; data by sequence or done
   left               its member    all          release, acquire
   sequence to spill  its member    its member   -
   leaving            all           all          acquire and release
   barrier            see central_barrier.h
  next, link         who makes or deletes a team, under a lock */

#ifndef UPCR_COLL_TEAM_H
#define UPCR_COLL_TEAM_H

#include "runtime/coll/central_barrier.h"
#include "runtime/coll/coll.h"
#include "runtime/coll/slot.h"
#include "runtime/sync/sync.h"

#include <stdatomic.h>

struct upcr_member
{
  _Alignas(64) uint32_t sequence;     /* the number of its last operation */
  uint32_t all_left;                  /* all members have left operations before this one */
  uint64_t checked;                   /* the number of its last checked call */
  uint32_t started;                   /* the number of its last operation in flight */
  struct __gasnet_coll_handle *group; /* started with AGGREGATE */
  void *spill[UPCR_SLOTS];            /* for large partial results */
  size_t spill_bytes[UPCR_SLOTS];
  _Alignas(64) _Atomic uint32_t left;
  struct upcr_mailbox_slot slots[UPCR_SLOTS];
};

struct __gasnet_team
{
  uint32_t size;
  bool is_all;
  bool has_detour; /* calls are to be checked, or an algorithm is forced */
  int forced;      /* an enum upcr_algorithm, or UPCR_ANY_ALGORITHM */
  uint64_t id;     /* of all teams */
  struct upcr_member *members;
  void *memory, *memory_of_members;    /* to be freed */
  uint32_t *threads;                   /* of each member */
  int32_t *ranks;                      /* of each thread; -1: no member */
  struct upcr_record_of_call *records; /* see check.c */
  struct upcr_targets *targets;        /* see check_permutation.c */
  _Atomic uint32_t leaving;            /* members through with gasnet_coll_team_free */
  struct upcr_central_barrier barrier;
  struct __gasnet_team *next, **link; /* all that there are */
};

typedef struct __gasnet_team upcr_team;

/* GASNET_TEAM_ALL. Made by the first that needs it. */
extern _Atomic (upcr_team *) upcr_team_all_made;
upcr_team *upcr_team_make_all (void);

static inline upcr_team *
upcr_team_all (void)
{
  upcr_team *team = atomic_load_explicit (&upcr_team_all_made, memory_order_acquire);

  return __builtin_expect (team != NULL, 1) ? team : upcr_team_make_all ();
}

/* Ends the run where TEAM is no team of this thread. */
upcr_team *upcr_team_of (gasnet_team_handle_t team, const char *what);

/* A team of SIZE members yet to be named; and its end. */
upcr_team *upcr_team_new (uint32_t size);
void upcr_team_delete (upcr_team *team);

static inline uint32_t
upcr_team_rank (const upcr_team *team, int thread)
{
  return team->is_all ? (uint32_t) thread : (uint32_t) team->ranks[thread];
}

static inline uint32_t
upcr_team_thread (const upcr_team *team, uint32_t rank)
{
  return team->is_all ? rank : team->threads[rank];
}

/* The barrier of all members; WHAT is the function, for reports. */
void upcr_team_barrier (upcr_team *team, const char *what);

/* Memory for what does not fit into this member's slot of operation NUMBER. */
void *upcr_mailbox_spill (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes);

static inline struct upcr_mailbox_slot *
upcr_slot_of (upcr_team *team, uint32_t rank, uint32_t number)
{
  return &team->members[rank].slots[number % UPCR_SLOTS];
}

/* Waits until all members have left operation NUMBER, and notes how far they are. */
void upcr_mailbox_await_free (upcr_team *team, struct upcr_member *member, uint32_t number);

/* Prefetches the lines of a later slot for as many BYTES of data as in this one. */
static inline void
upcr_mailbox_prefetch (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes)
{
  upcr_slot_prefetch (upcr_slot_of (team, rank, number + UPCR_PREFETCH_DISTANCE), bytes);
}

/* Takes the calling member RANK to its next operation: returns its slot, with a number
   but not published yet. May wait for members that are far behind.

   Says at times that the member has left the operation before: it looks at none of its slots
   any more. Not each time, since that costs as much as small operations do. The member that
   is furthest behind never waits for a free slot, so that all come to a time when it is said. */
static inline struct upcr_mailbox_slot *
upcr_mailbox_enter (upcr_team *team, uint32_t rank, uint32_t *number)
{
  struct upcr_member *member = &team->members[rank];
  uint32_t mine = ++member->sequence, before = mine - UPCR_SLOTS;

  if (mine % UPCR_LEAVE_INTERVAL == 0)
    atomic_store_explicit (&member->left, mine - 1, memory_order_release);
  if (__builtin_expect ((int32_t) (before - member->all_left) >= 0, 0))
    upcr_mailbox_await_free (team, member, before);
  *number = mine;
  return &member->slots[mine % UPCR_SLOTS];
}

/* To be called where the calling member RANK has seen the slots of all members in operation NUMBER: all
   have left those before it. So who meets all others in each operation need not look how far they are, which
   would be one more line from each. */
static inline void
upcr_mailbox_met_all (upcr_team *team, uint32_t rank, uint32_t number)
{
  team->members[rank].all_left = number;
}

/* Ends the operation for this member, and wakes whom its beginning lets go on. With a full
   fence in between nothing is lost: who sleeps then has counted itself before, or sees what
   the beginning said. HAS_FENCE: there was one. */
static inline void
upcr_mailbox_leave (upcr_team *team, uint32_t rank, uint32_t number, bool has_fence)
{
  _Atomic uint32_t *left = &team->members[rank].left;

  if (number % UPCR_LEAVE_INTERVAL != 0)
    return;
  if (!has_fence)
    upcr_hardware_fence ();
  upcr_unpark_fenced (left);
}

/* Publishes the slot to the others that are in their spin phase, with BYTES of data. What is
   published is written before the sequence number: release. */
static inline void
upcr_mailbox_publish (upcr_team *team, uint32_t rank, struct upcr_mailbox_slot *slot,
                      uint32_t number, size_t bytes)
{
  atomic_store_explicit (&slot->sequence, number, memory_order_release);
  upcr_mailbox_prefetch (team, rank, number, bytes);
}

/* Behind that: wakes those who sleep. The fence is the one that the flags of a collective
   function imply (UPC 1.3, B.3.2): wherever it is in the call, none of the program's accesses
   are between it and the call's beginning or end. It waits until the others' copies of the lines
   of the slot are gone, so that what else there is to do is better done before. And it lets
   upcr_unpark_fenced see who went to sleep before. */
static inline void
upcr_slot_notify (struct upcr_mailbox_slot *slot)
{
  upcr_hardware_fence ();
  upcr_unpark_fenced (&slot->sequence);
}

static inline void
upcr_mailbox_publish_and_notify (upcr_team *team, uint32_t rank, struct upcr_mailbox_slot *slot,
                                 uint32_t number, size_t bytes)
{
  upcr_mailbox_publish (team, rank, slot, number, bytes);
  upcr_slot_notify (slot);
}

/* The same for a slot that no one waits for: a number is told from an old one only because
   each number of a slot is published there. HAS_FENCE: the flags imply one. */
static inline void
upcr_slot_publish_quietly (struct upcr_mailbox_slot *slot, uint32_t number, bool has_fence)
{
  atomic_store_explicit (&slot->sequence, number, memory_order_release);
  if (has_fence)
    upcr_hardware_fence ();
}

/* Returns once *WORD, which has an older number, is NUMBER; with acquire order. WHAT is the
   function that waits, for reports. */
void upcr_await_number_slowly (_Atomic uint32_t *word, uint32_t number, const char *what);

static inline void
upcr_await_number (_Atomic uint32_t *word, uint32_t number, const char *what)
{
  if (atomic_load_explicit (word, memory_order_acquire) != number)
    upcr_await_number_slowly (word, number, what);
}

/* Member RANK's slot of operation NUMBER, once it is published. Who finds it so at once is
   behind that member, and prefetches the next one. */
static inline struct upcr_mailbox_slot *
upcr_mailbox_await (upcr_team *team, uint32_t rank, uint32_t number, const char *what)
{
  struct upcr_mailbox_slot *slot = upcr_slot_of (team, rank, number);

  if (atomic_load_explicit (&slot->sequence, memory_order_acquire) == number)
    upcr_prefetch (upcr_slot_of (team, rank, number + 1));
  else
    upcr_await_number_slowly (&slot->sequence, number, what);
  return slot;
}

#endif
