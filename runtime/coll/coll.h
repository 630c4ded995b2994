/* The coll room: collective operations, for its two faces: gasnet.c (gasnet_coll.h) and
   abi/collective.c (upc_collective.h).

   A face describes the call in a struct upcr_coll and hands it to upcr_coll_run, which
   returns as the OUT flag allows, or to upcr_coll_start. Flags are those of gasnet_coll.h;
   UPC's have the same values, so that UPC's go in unchanged once a missing IN or OUT is
   filled in, with GASNET_COLL_SINGLE added. What collective functions there are stands in
   collectives.h.

   How UPC calls look:

     broadcast, scatter   .root = upcr_pts_thread (src), .src = upcr_own_address (src),
                          .dst = upcr_own_address (dst)
     gather               .root = upcr_pts_thread (dst), addresses alike
     gather_all, exchange addresses alike
     permute              and .permutation = upcr_own_address (perm): entry i is an int at
                          that offset in the partition of thread i; with LOCAL it is
                          behind the block at .src
     reduce               .root = upcr_pts_thread (dst), .count = nelems,
                          .source = upcr_layout_of (src, blk_size),
                          .src = upcr_layout_address (src, blk_size, element size),
                          .op = upcr_operator_of (…)
     prefix reduce        .kind = UPCR_SCAN, GASNET_COLL_INCLUSIVE_SCAN among the flags,
                          .destination and .dst likewise

   In the flags only what the function has a meaning for. Everything is collective and
   single-valued but LOCAL addresses. */

#ifndef UPCR_COLL_H
#define UPCR_COLL_H

#include "runtime/coll/collectives.h"
#include "runtime/host/host.h"
#include "runtime/shared/shared.h"

#include <gasnet_coll.h>
#include <upc_types.h>

enum upcr_coll_kind
{
#define KIND(name, traits) UPCR_##name,
  UPCR_KINDS (KIND)
#undef KIND
};

enum upcr_coll_type
{
#define ROW(letters, type) UPCR_##letters,
  UPCR_TYPES (ROW)
#undef ROW
      UPCR_COLL_TYPES
};

/* The layout of a distributed array (see "Computation" in gasnet_coll.h). */
struct upcr_layout
{
  size_t block;  /* elements; 0: indefinite */
  size_t offset; /* elements; indefinite: the image */
};

struct upcr_operator;

/* *RESULT = *CARRY op e[0] op … op e[COUNT - 1]; without *CARRY where CARRY is null. COUNT is
   not 0. RESULT may be CARRY. */
typedef void upcr_fold (const struct upcr_operator *op, void *result, const void *carry,
                        const void *elements, size_t count);

/* results[i] = *CARRY op e[0] op … op e[i]; without *CARRY where CARRY is null. COUNT is
   not 0. Elements and results may be the same array. */
typedef void upcr_run_fold (const struct upcr_operator *op, void *results, const void *elements,
                            size_t count, const void *carry);

/* The same of elements and results that are apart: element J of a period is at from[J], and STEP bytes
   behind in the next one of PERIODS. PERIOD is a multiple of 4. *CARRY is what is before, and then the last
   result. */
typedef void upcr_run_fold_apart (char *const *to, const char *const *from, size_t period,
                                  size_t step, size_t periods, void *carry);

/* results[i] = left[i] op right[i]. RESULTS may be LEFT or RIGHT. */
typedef void upcr_join (void *results, const void *left, const void *right, size_t count);

struct upcr_operator
{
  upcr_fold *fold;
  upcr_run_fold *scan;
  upcr_join *join; /* null for functions of the program */
  /* With two elements side by side at from[0], from[2], …; with all of them apart. Null where that is
     no quicker than to copy them to where they are together. */
  upcr_run_fold_apart *scan_pairs, *scan_apart;
  size_t bytes; /* of an element */
  bool is_commutative;
  int flags, argument;     /* for gasnet_coll_reduce_fn */
  void (*function) (void); /* the program's */
  bool is_synchronous;     /* it may take locks: called within collective functions alone */
};

/* By type and bit of upc_op_t, then what takes a function, which is left out. */
enum
{
  UPCR_OPERATIONS = 9
};
extern const struct upcr_operator upcr_operators[UPCR_COLL_TYPES][UPCR_OPERATIONS + 1];

/* UPC's operation OP on TYPE; null where there is no such operation: a bitwise one on
   floating-point numbers, or a value that is none. */
static inline const struct upcr_operator *
upcr_operator_of (enum upcr_coll_type type, upc_op_t op)
{
  const struct upcr_operator *operator;

  if (op == 0 || (op & (op - 1)) != 0 || op >= 1ul << UPCR_OPERATIONS)
    return NULL;
  operator= & upcr_operators[type][__builtin_ctzl (op)];
  return operator->fold ? operator: NULL;
}

/* UPC_FUNC or UPC_NONCOMM_FUNC: FUNCTION is a TYPE (*) (TYPE, TYPE). */
struct upcr_operator upcr_operator_with (enum upcr_coll_type type, bool is_commutative,
                                         void (*function) (void));

/* What only some functions of GASNet have: the lists of the `m` forms, instead of dst and
   src; the sizes and offsets of the `v` forms, instead of bytes, where an exchange has those
   of the destination in the first two and those of the source in the others. */
struct upcr_lists
{
  void *const *dst;
  void *const *src;
  const size_t *sizes, *offsets, *src_sizes, *src_offsets;
};

/* A call of a collective function. */
struct upcr_coll
{
  const char *what; /* the function's name, for messages */
  enum upcr_coll_kind kind;
  int flags;
  gasnet_team_handle_t team;
  uint32_t root; /* rooted kinds */
  void *dst;
  const void *src;
  const struct upcr_lists *lists; /* or null */
  union
  {
    struct /* data movement */
    {
      size_t bytes;           /* of a block */
      const int *permutation; /* permute */
    };
    struct /* computation */
    {
      size_t count;
      const struct upcr_operator *op;
      struct upcr_layout source, destination; /* a scan's alone has the latter */
    };
  };
};

/* How many operations of the calling thread are started and not completed; and a line for each thread
   of which some are at the end of the run. True: there are. */
uint32_t upcr_open_handles (void) __attribute__ ((weak));
bool upcr_report_handles (void) __attribute__ ((weak));

/* Deletes all teams, once no thread uses one. A program without collective functions does without. */
void upcr_teams_end (void) __attribute__ ((weak));

/* *CALL is the room's to change. */
void upcr_coll_run (struct upcr_coll *call);
gasnet_coll_handle_t upcr_coll_start (struct upcr_coll *call);

/* The same as upcr_coll_run, quicker where there is little to do. The team is all threads, and
   addresses are those of the calling thread's own partition, without lists. */
void upcr_coll_move (struct upcr_coll *call);
void upcr_coll_compute (struct upcr_coll *call);

/* Where the calling thread has what P points to in another partition. */
static inline char *
upcr_own_address (upcr_pts p)
{
  return upcr_segment_address (MYTHREAD, upcr_pts_offset (p));
}

/* A partition holds no block of so many elements: larger ones are as good as this, and their
   multiples by numbers of threads are no longer numbers. */
#define UPCR_LARGEST_BLOCK (2 * UPCR_PARTITION_BYTES)

/* The layout of the elements from P on, with block size BLOCK and elements of BYTES, and
   the address that goes with it: that of the block which P points into. */
static inline struct upcr_layout
upcr_layout_of (upcr_pts p, size_t block)
{
  size_t thread = upcr_pts_thread (p);

  if (__builtin_expect (block > UPCR_LARGEST_BLOCK, 0))
    block = UPCR_LARGEST_BLOCK;
  return (struct upcr_layout){ block, block ? thread * block + upcr_pts_phase (p) : thread };
}

static inline char *
upcr_layout_address (upcr_pts p, size_t block, size_t bytes)
{
  return upcr_own_address (p) - (block ? upcr_pts_phase (p) * bytes : 0);
}

/* Sorts COUNT elements of BYTES bytes from A on, in blocks of BLOCK elements, or all with
   one thread where that is 0. Equal elements keep their order. Collective; FLAGS are
   those of gasnet_coll.h. */
typedef int upcr_comparison (upcr_pts left, upcr_pts right);
void upcr_all_sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
                    int flags);

/* Collective allocation: one thread allocates, all get the same pointer. Arguments are
   single-valued (UPC 1.3, 7.2.2, 7.2.4). CALL: where the program calls the function. */
upcr_pts upcr_all_alloc (size_t blocks, size_t block_bytes);
void upcr_all_free (upcr_pts block);
upcr_pts upcr_all_lock_alloc (const void *call);
void upcr_all_lock_free (upcr_pts lock);

/* A lock in the calling thread's shared heap; null when there is no memory. */
upcr_pts upcr_lock_alloc (const char *what, const void *call);
void upcr_lock_free (upcr_pts lock, const char *what);

/* The lock that P points to; ends the run when that is none. */
struct upcr_lock;
static inline struct upcr_lock *
upcr_lock_of (upcr_pts p, const char *what)
{
  if (__builtin_expect (upcr_pts_is_null (p), 0))
    upcr_fatal ("%s: a null pointer to a lock", what);
  return (struct upcr_lock *) upcr_pts_address (p);
}

#endif
