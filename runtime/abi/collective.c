/* The collective functions of UPC 1.3, 7.4. Each describes its call to the engine.

   What the specification leaves undefined is detected with UPC_CHECK=1 only, except for what
   would end in a crash that names no function. */

#include "runtime/abi/watch.h"
#include "runtime/coll/coll.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdlib.h>

enum
{
  INS = UPC_IN_NOSYNC | UPC_IN_MYSYNC | UPC_IN_ALLSYNC,
  OUTS = UPC_OUT_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_ALLSYNC
};

/* One of each at most. */
static bool
are_flags (upc_flag_t flags)
{
  int in = flags & INS, out = flags & OUTS;

  return flags == (in | out) && (in & (in - 1)) == 0 && (out & (out - 1)) == 0;
}

/* What all calls begin with. The flags of the engine; a missing one is ALLSYNC (7.3.3). */
static inline int
flags_of (const char *what, upc_flag_t flags)
{
  upcr_reject_in_split_phase (what);
  if (upcr_options.check && !are_flags (flags))
    upcr_fatal ("invalid flags for %s: %#x", what, (unsigned) flags);
  if ((flags & INS) == 0)
    flags |= UPC_IN_ALLSYNC;
  if ((flags & OUTS) == 0)
    flags |= UPC_OUT_ALLSYNC;
  return flags | GASNET_COLL_SINGLE;
}

static void
refuse_null (const char *what, const char *name, upcr_pts p)
{
  if (__builtin_expect (upcr_pts_is_null (p), 0))
    upcr_fatal ("%s: %s is a null pointer", what, name);
}

/* For memory that is distributed over the threads. */
static void
check_first (const char *what, const char *name, upcr_pts p)
{
  if (upcr_options.check && upcr_pts_thread (p) != 0)
    upcr_fatal ("%s: %s has affinity to thread %u, not 0", what, name, upcr_pts_thread (p));
}

/* Moving data. */

enum sides
{
  DST = 1,
  SRC = 2
};

/* The call of UPC's function WHAT, but for what KIND has of its own: fields that it has not
   stay unset. */
#define SET_CALL(call, what_, kind_, flags_)                                              \
  ((call).what = (what_), (call).kind = (kind_), (call).flags = flags_of (what_, flags_), \
   (call).team = GASNET_TEAM_ALL, (call).root = 0, (call).lists = NULL)

/* SPREAD: which of the pointers has to have affinity to thread 0. In each entry point on its
   own: small blocks notice. */
static inline __attribute__ ((always_inline)) void
move (const char *what, enum upcr_coll_kind kind, enum sides spread, upcr_pts dst, upcr_pts src,
      const int *perm, size_t bytes, upc_flag_t flags)
{
  UPCR_EXCLUSIVE (what);
  struct upcr_coll call;

  SET_CALL (call, what, kind, flags);
  call.dst = upcr_own_address (dst);
  call.src = upcr_own_address (src);
  call.bytes = bytes;
  call.permutation = perm;
  refuse_null (what, "dst", dst);
  refuse_null (what, "src", src);
  if (spread & DST)
    check_first (what, "dst", dst);
  else
    call.root = upcr_pts_thread (dst);
  if (spread & SRC)
    check_first (what, "src", src);
  else
    call.root = upcr_pts_thread (src);
  if (upcr_options.check && bytes == 0)
    upcr_fatal ("%s: nbytes is 0", what);
  upcr_coll_move (&call);
}

#define MOVEMENT(name, kind, event, spread)                                         \
  UPCR_WATCHED_STATEMENT (                                                          \
      upc_all_##name, (upcr_pts dst, upcr_pts src, size_t bytes, upc_flag_t flags), \
      (dst, src, bytes, flags), UPCR_START (event, &dst, &src, bytes, flags),       \
      move ("upc_all_" #name, UPCR_##kind, spread, dst, src, NULL, bytes, flags),   \
      UPCR_END (event, &dst, &src, bytes, flags))

static inline void
permute (const char *what, enum upcr_coll_kind kind, upcr_pts dst, upcr_pts src, upcr_pts perm,
         size_t bytes, upc_flag_t flags)
{
  refuse_null (what, "perm", perm);
  check_first (what, "perm", perm);
  move (what, kind, DST | SRC, dst, src, (const int *) upcr_own_address (perm), bytes, flags);
}

#define PERMUTATION(name, kind, event)                                                             \
  UPCR_WATCHED_STATEMENT (                                                                         \
      upc_all_##name, (upcr_pts dst, upcr_pts src, upcr_pts perm, size_t bytes, upc_flag_t flags), \
      (dst, src, perm, bytes, flags), UPCR_START (event, &dst, &src, &perm, bytes, flags),         \
      permute ("upc_all_" #name, UPCR_##kind, dst, src, perm, bytes, flags),                       \
      UPCR_END (event, &dst, &src, &perm, bytes, flags))

/* Computing. */

/* In *OWN where it has a function of the program. */
static inline const struct upcr_operator *
find_operator (struct upcr_operator *own, const char *what, enum upcr_coll_type type, upc_op_t op,
               void (*function) (void))
{
  const struct upcr_operator *known = upcr_operator_of (type, op);

  if (__builtin_expect (known != NULL, 1))
    return known;
  if (op != UPC_FUNC && op != UPC_NONCOMM_FUNC)
    upcr_fatal ("%s: invalid operation for this type: %#lx", what, op);
  if (!function)
    upcr_fatal ("%s: func is null", what);
  *own = upcr_operator_with (type, op == UPC_FUNC, function);
  return own;
}

static void
check_phase (const char *what, const char *name, upcr_pts p, size_t block)
{
  if (block > 0 && upcr_pts_phase (p) >= block)
    upcr_fatal ("%s: invalid phase of %s: %u in blocks of %zu elements", what, name,
                upcr_pts_phase (p), block);
}

static void
check_alignment (const char *what, const char *name, upcr_pts p, size_t bytes)
{
  if (upcr_pts_offset (p) % bytes)
    upcr_fatal ("%s: %s is not aligned for elements of %zu bytes", what, name, bytes);
}

static void
check_alike (const char *what, upcr_pts dst, upcr_pts src)
{
  if (upcr_pts_thread (dst) != upcr_pts_thread (src)
      || upcr_pts_phase (dst) != upcr_pts_phase (src))
    upcr_fatal ("%s: dst is at thread %u, phase %u, but src at thread %u, phase %u", what,
                upcr_pts_thread (dst), upcr_pts_phase (dst), upcr_pts_thread (src),
                upcr_pts_phase (src));
}

/* An indefinite array has no phase: 0 by the specification, as a cast to a pointer to one makes
   it. So part of a block may be passed as such an array. */
static upcr_pts
in_layout (upcr_pts p, size_t block)
{
  return block ? p : upcr_pts_resetphase (p);
}

/* For each KIND on its own: small operations notice. */
static inline __attribute__ ((always_inline)) void
compute (const char *what, enum upcr_coll_kind kind, enum upcr_coll_type type, upcr_pts dst,
         upcr_pts src, upc_op_t op, size_t count, size_t block, void (*function) (void),
         upc_flag_t flags)
{
  UPCR_EXCLUSIVE (what);
  struct upcr_operator own;
  struct upcr_coll call;

  SET_CALL (call, what, kind, flags);
  call.count = count;
  call.op = find_operator (&own, what, type, op, function);
  refuse_null (what, "dst", dst);
  refuse_null (what, "src", src);
  if (upcr_options.check)
    {
      check_phase (what, "src", src, block);
      check_alignment (what, "src", src, call.op->bytes);
      check_alignment (what, "dst", dst, call.op->bytes);
    }
  src = in_layout (src, block);
  call.source = upcr_layout_of (src, block);
  call.src = upcr_layout_address (src, block, call.op->bytes);
  if (kind == UPCR_SCAN)
    {
      dst = in_layout (dst, block);
      if (upcr_options.check)
        check_alike (what, dst, src);
      call.destination = upcr_layout_of (dst, block);
      call.dst = upcr_layout_address (dst, block, call.op->bytes);
      call.flags |= GASNET_COLL_INCLUSIVE_SCAN;
    }
  else
    {
      call.root = kind == UPCR_REDUCE ? upcr_pts_thread (dst) : 0;
      call.dst = upcr_own_address (dst);
    }
  if (kind == UPCR_REDUCE_ALL)
    {
      check_first (what, "dst", dst);
      upcr_coll_run (&call);
    }
  else
    upcr_coll_compute (&call);
}

#define ARGUMENTS(letters) \
  &dst, &src, (int) op, count, block, (void *) function, flags, GASP_UPC_REDUCTION_##letters

#define ENTRY(letters, type, name, event)                                                       \
  UPCR_WATCHED_STATEMENT (upc_all_##name##letters,                                              \
                          (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count, size_t block, \
                           type (*function) (type, type), upc_flag_t flags),                    \
                          (dst, src, op, count, block, function, flags),                        \
                          UPCR_START (event, ARGUMENTS (letters)),                              \
                          name ("upc_all_" #name #letters, UPCR_##letters, dst, src, op, count, \
                                block, (void (*) (void)) function, flags),                      \
                          UPCR_END (event, ARGUMENTS (letters)))

#define COMPUTATION(name, kind, event)                                                      \
  static void name (const char *what, enum upcr_coll_type type, upcr_pts dst, upcr_pts src, \
                    upc_op_t op, size_t count, size_t block, void (*function) (void),       \
                    upc_flag_t flags)                                                       \
  {                                                                                         \
    compute (what, UPCR_##kind, type, dst, src, op, count, block, function, flags);         \
  }                                                                                         \
  UPCR_TYPES (ENTRY, name, event)

UPCR_UPC_FUNCTIONS (MOVEMENT, PERMUTATION, COMPUTATION)

/* Of Berkeley UPC. */

#define REDUCE_ALL(letters, type)                                                                  \
  void bupc_all_reduce_all##letters (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count,        \
                                     size_t block, type (*function) (type, type),                  \
                                     upc_flag_t flags);                                            \
  void bupc_all_reduce_all##letters (upcr_pts dst, upcr_pts src, upc_op_t op, size_t count,        \
                                     size_t block, type (*function) (type, type),                  \
                                     upc_flag_t flags)                                             \
  {                                                                                                \
    compute ("bupc_all_reduce_all" #letters, UPCR_REDUCE_ALL, UPCR_##letters, dst, src, op, count, \
             block, (void (*) (void)) function, flags);                                            \
  }

UPCR_TYPES (REDUCE_ALL)

/* Of GNU and Berkeley UPC. */

static void
sort (upcr_pts a, size_t bytes, size_t count, size_t block, upcr_comparison *compare,
      upc_flag_t flags)
{
  UPCR_EXCLUSIVE ("upc_all_sort");

  flags = flags_of ("upc_all_sort", flags);
  refuse_null ("upc_all_sort", "a", a);
  if (!compare)
    upcr_fatal ("upc_all_sort: func is null");
  if (upcr_options.check)
    check_phase ("upc_all_sort", "a", a, block);
  upcr_all_sort (in_layout (a, block), bytes, count, block, compare, flags);
}

UPCR_WATCHED_STATEMENT (upc_all_sort,
                        (upcr_pts a, size_t bytes, size_t count, size_t block,
                         upcr_comparison *compare, upc_flag_t flags),
                        (a, bytes, count, block, compare, flags),
                        UPCR_START (GASP_UPCT_ALL_SORT, &a, bytes, count, block, (void *) compare,
                                    flags),
                        sort (a, bytes, count, block, compare, flags),
                        UPCR_END (GASP_UPCT_ALL_SORT, &a, bytes, count, block, (void *) compare,
                                  flags))
