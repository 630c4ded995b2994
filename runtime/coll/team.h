/* Inside the room: teams, and the board on which their members post what others look for.

   Each operation of a team has a number, counted by each member alike. In it each member
   writes its post: one of RING places, taken in turn. A place is written again when all
   members have left the operation that had it before, which each says from time to time
   in `left`. Only a member that is RING operations ahead of another waits for that.

   field             written by              read by           order
   post.stage        its member              all               release, acquire: the
                                                               number, once posted
   post.done         its member              all               release, acquire: the
                                                               number, once through
   post, the rest    its member              all               by stage; data by stage
                                                               or done
   left              its member              all               release, acquire
   sequence to rooms its member              its member        -
   leaving           all                 all               acquire and release
   assembly          see assembly.h */

#ifndef UPCR_COLL_TEAM_H
#define UPCR_COLL_TEAM_H

#include "runtime/coll/assembly.h"
#include "runtime/coll/coll.h"
#include "runtime/coll/post.h"
#include "runtime/sync/sync.h"

#include <stdatomic.h>

enum { UPCR_RING = 16 };

/* A place's lines are asked for this many operations before it is written, when most
   members have long left it. Measured with two threads, posts that follow each other: 32 ns
   a post without, 18 with 4, 20 with 8. */
enum { UPCR_AHEAD = 4 };

/* Each so many operations a member says how far it is. */
enum { UPCR_LEAVE_EACH = UPCR_RING / 4 };

struct upcr_member
{
  _Alignas (64) uint32_t sequence;   /* the number of its last operation */
  uint32_t room;                     /* operations before this one have been left by all */
  uint64_t checked;                  /* the number of its last checked call */
  uint32_t started;                  /* the number of its last operation in flight */
  struct __gasnet_coll_handle *group; /* started with AGGREGATE */
  void *rooms[UPCR_RING];            /* for large partial results */
  size_t room_bytes[UPCR_RING];
  _Alignas (64) _Atomic uint32_t left;
  struct upcr_post posts[UPCR_RING];
};

struct __gasnet_team
{
  uint32_t size;
  uint64_t id;                       /* of all teams */
  bool is_all;
  struct upcr_member *members;
  void *memory, *memory_of_members;  /* to be freed */
  uint32_t *threads;                 /* of each member */
  int32_t *ranks;                    /* of each thread; -1: no member */
  struct upcr_record_of_call *records; /* see check.c */
  struct upcr_targets *targets;      /* see permutation.c */
  _Atomic uint32_t leaving;          /* members through with gasnet_coll_team_free */
  struct upcr_assembly assembly;
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

/* Memory for what does not fit into this member's post of operation NUMBER. */
void *upcr_board_room (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes);

static inline struct upcr_post *
upcr_board_post (upcr_team *team, uint32_t rank, uint32_t number)
{
  return &team->members[rank].posts[number % UPCR_RING];
}

/* Waits until all members have left operation NUMBER, and notes how far they are. */
void upcr_board_make_room (upcr_team *team, struct upcr_member *member, uint32_t number);

/* Asks for the lines of a later post with as many BYTES of data as this one. */
static inline void
upcr_board_prepare (upcr_team *team, uint32_t rank, uint32_t number, size_t bytes)
{
  upcr_post_prepare (upcr_board_post (team, rank, number + UPCR_AHEAD), bytes);
}

/* Takes the calling member RANK to its next operation: returns its post, with a number
   but not posted yet. May wait for members that are far behind.

   Says at times that the member has left the operation before: it looks at none of its posts
   any more. Not each time, since that costs as much as small operations do. The member that
   is furthest behind never waits for room, so that all come to a time when it is said. */
static inline struct upcr_post *
upcr_board_enter (upcr_team *team, uint32_t rank, uint32_t *number)
{
  struct upcr_member *member = &team->members[rank];
  uint32_t mine = ++member->sequence, before = mine - UPCR_RING;

  if (mine % UPCR_LEAVE_EACH == 0)
    atomic_store_explicit (&member->left, mine - 1, memory_order_release);
  if (__builtin_expect ((int32_t) (before - member->room) >= 0, 0))
    upcr_board_make_room (team, member, before);
  *number = mine;
  return &member->posts[mine % UPCR_RING];
}

/* Ends the operation for this member, and wakes whom its beginning lets go on. With a full
   fence in between nothing is lost: who sleeps then has counted itself before, or sees what
   the beginning said. HAS_FENCE: there was one. */
static inline void
upcr_board_leave (upcr_team *team, uint32_t rank, uint32_t number, bool has_fence)
{
  _Atomic uint32_t *left = &team->members[rank].left;

  if (number % UPCR_LEAVE_EACH != 0)
    return;
  if (!has_fence)
    upcr_hardware_fence ();
  upcr_unpark_fenced (left);
}

/* Shows the post to the others that are awake, with BYTES of data. What is posted is written
   before the stage: release. */
static inline void
upcr_board_show_first (upcr_team *team, uint32_t rank, struct upcr_post *post, uint32_t number,
                       size_t bytes)
{
  atomic_store_explicit (&post->stage, number, memory_order_release);
  upcr_board_prepare (team, rank, number, bytes);
}

/* Behind that: wakes those who sleep. The fence is the one that the flags of a collective
   function imply (UPC 1.3, B.3.2): wherever it is in the call, none of the program's accesses
   are between it and the call's beginning or end. It waits until the others' copies of the lines
   of the post are gone, so that what else there is to do is better done before. And it lets
   upcr_unpark_fenced see who went to sleep before. */
static inline void
upcr_board_show_all (struct upcr_post *post)
{
  upcr_hardware_fence ();
  upcr_unpark_fenced (&post->stage);
}

static inline void
upcr_board_show (upcr_team *team, uint32_t rank, struct upcr_post *post, uint32_t number, size_t bytes)
{
  upcr_board_show_first (team, rank, post, number, bytes);
  upcr_board_show_all (post);
}

/* The same for a post that no one waits for: a number is told from an old one only because
   each number of a place is posted there. HAS_FENCE: the flags imply one. */
static inline void
upcr_board_show_quietly (struct upcr_post *post, uint32_t number, bool has_fence)
{
  atomic_store_explicit (&post->stage, number, memory_order_release);
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

/* Member RANK's post of operation NUMBER, once it is there. Who finds it there at once is
   behind that member, and asks for the next one. */
static inline struct upcr_post *
upcr_board_await (upcr_team *team, uint32_t rank, uint32_t number, const char *what)
{
  struct upcr_post *post = upcr_board_post (team, rank, number);

  if (atomic_load_explicit (&post->stage, memory_order_acquire) == number)
    upcr_prefetch (upcr_board_post (team, rank, number + 1));
  else
    upcr_await_number_slowly (&post->stage, number, what);
  return post;
}

#endif
