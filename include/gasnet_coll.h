/* gasnet_coll.h: collective operations with separate start and completion, after the
   design notes of the GASNet collectives; for C and for UPC.

   Images. Each UPC thread is an image, with MYTHREAD as its number. All of this is
   collective: every image of a team calls the same function (blocking or not, `m` or
   not), in the same order as every other image that takes part in both of two calls.
   gasnet_coll_init comes first. Only completing a handle is not collective.

   Addresses are plain C pointers: all images share one address space, so any memory may
   be named, in the shared segment or private. nbytes and all sizes are in bytes,
   elem_count, block sizes and offsets of computational functions in elements. nbytes
   and elem_size are greater than 0.

   Flags: exactly one of each of the first three groups.

     IN_NOSYNC     data may move once the first image has entered
     IN_MYSYNC     data of an image may move once that image has entered
     IN_ALLSYNC    data may move once all images have entered
     OUT_NOSYNC    completes at any time, in the last image when all data has moved
     OUT_MYSYNC    completes when the data of the calling image has moved
     OUT_ALLSYNC   completes when all data has moved
     SINGLE        all images pass the same addresses
     LOCAL         each image passes its own; those of others are not needed

   SINGLE, one address: it stands for the same offset in the partition of the shared
   segment of each image that it applies to, whichever partition it names itself: what
   upc_all_alloc gives, as seen from any thread. An address outside the segment is taken
   as it is. SINGLE, `m`: a list with an address for each image of the team. LOCAL, `m`: a
   list with the addresses of the images of the caller's node (gasnet_coll_init), in their
   order; with one image a node, a list of one. For teams other than GASNET_TEAM_ALL,
   always of one.

     AGGREGATE        more calls follow whose completion is one with this: the handle of
                      the first call for the same team without this flag stands for all.
                      Only for `_nb`; the handle it returns is not to be used.
     DST_IN_SEGMENT   promises; nothing is gained by them here, but with UPC_CHECK=1 in
     SRC_IN_SEGMENT   the environment they are checked
     INCLUSIVE_SCAN   scans: exactly one of these. Result i is of elements 0 to i, or of
     EXCLUSIVE_SCAN   elements 0 to i - 1, and then result 0 is left as it is.
     IN_PLACE         an extension. No source of their own: broadcast, the root's dst;
                      gather and gather_all, an image's own block of its dst where it has
                      one (gather: at the root); scatter, the root's block stays in src;
                      exchange, the blocks of dst, which are swapped; scan, dst. Not for
                      reductions.

   Overlap. Sources and destinations must not overlap, except where block and destination
   are identical, so that leaving out a copy makes no difference.

   Errors end the run with one line. What costs time is only found with UPC_CHECK=1 in the
   environment: arguments that differ between images, another order, AGGREGATE for a
   blocking call, a handle completed by another thread, a function that is not in the
   table, missing, unknown or contradicting flags.

   Differences in rounding: a result is the same in each run with the same arguments and
   number of images, whatever comes first. */

#ifndef _GASNET_COLL_H
#define _GASNET_COLL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GASNET_COLL_IN_ALLSYNC 0x0001
#define GASNET_COLL_IN_MYSYNC 0x0002
#define GASNET_COLL_IN_NOSYNC 0x0004
#define GASNET_COLL_OUT_ALLSYNC 0x0008
#define GASNET_COLL_OUT_MYSYNC 0x0010
#define GASNET_COLL_OUT_NOSYNC 0x0020
#define GASNET_COLL_SINGLE 0x0040
#define GASNET_COLL_LOCAL 0x0080
#define GASNET_COLL_AGGREGATE 0x0100
#define GASNET_COLL_DST_IN_SEGMENT 0x0200
#define GASNET_COLL_SRC_IN_SEGMENT 0x0400
#define GASNET_COLL_INCLUSIVE_SCAN 0x0800
#define GASNET_COLL_EXCLUSIVE_SCAN 0x1000
#define GASNET_COLL_IN_PLACE 0x2000

/* Of functions in the table: not commutative; may be called outside UPC threads. */
#define GASNET_COLL_NONCOMM 0x4000
#define GASNET_COLL_AMSAFE 0x8000

/* What computational functions promise and require: none more than its type asks for. */
#define GASNET_DATA_ALIGNMENT 8

typedef uint32_t gasnet_image_t;

/* An operation in flight, for the thread that started it. The zero one is complete. */
typedef struct __gasnet_coll_handle *gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t) 0)

/* An ordered set of images. The same for all its members; may be passed on and compared. */
typedef struct __gasnet_team *gasnet_team_handle_t;
#define GASNET_TEAM_ALL ((gasnet_team_handle_t) 0)
#define GASNET_TEAM_NONE ((gasnet_team_handle_t) -1)

/* A reduction or a prefix reduction. LEFT_COUNT operands, with RESULT_COUNT more to
   their right; result i is of all left ones and of the right ones 0 to i. For a
   reduction result_count is 1 and left_count at least 1. FLAGS has GASNET_COLL_NONCOMM if
   the table had it, ARG is the func_arg of the call. May be called for partial results,
   more or less often than there are elements, by any image, by several at once. RESULTS
   is nowhere in LEFT_OPERANDS; it may be RIGHT_OPERANDS. */
typedef void (gasnet_coll_reduce_fn) (void *results, size_t result_count,
                                      const void *left_operands, size_t left_count,
                                      const void *right_operands,
                                      size_t elem_size, int flags, int arg);

typedef void (*gasnet_coll_fn_t) ();

/* A row of the table; FLAGS of GASNET_COLL_NONCOMM and GASNET_COLL_AMSAFE. */
typedef struct
{
  gasnet_coll_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;

/* The number of a row in the table. */
typedef int gasnet_coll_fn_handle_t;

/* Collective over all threads, blocking, once in each, before any other function here.

   IMAGES is null for one image a node, or has the number of images of each node, as many
   as make THREADS in sum; MY_IMAGE is MYTHREAD then. Nodes only say how long LOCAL lists
   are. FN_TBL has FN_COUNT functions, the same on all threads; it is copied. INIT_FLAGS
   is 0. */
extern void gasnet_coll_init (const gasnet_image_t images[], gasnet_image_t my_image,
                              const gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count,
                              int init_flags);

/* Completion, by the thread that started; handles in any order. A handle is dead then, and
   in a list it becomes GASNET_COLL_INVALID_HANDLE. Invalid handles are complete.

   wait_sync waits; try_sync returns 1 when complete, else 0 and the handle lives on. The
   `_all` forms are about all N handles. The `_some` forms complete those they can: wait
   at least one (none if all were invalid), try returns 1 if there was one or all were
   invalid. */
extern void gasnet_coll_wait_sync (gasnet_coll_handle_t handle);
extern int gasnet_coll_try_sync (gasnet_coll_handle_t handle);
extern void gasnet_coll_wait_sync_all (gasnet_coll_handle_t *handles, size_t n);
extern int gasnet_coll_try_sync_all (gasnet_coll_handle_t *handles, size_t n);
extern void gasnet_coll_wait_sync_some (gasnet_coll_handle_t *handles, size_t n);
extern int gasnet_coll_try_sync_some (gasnet_coll_handle_t *handles, size_t n);

/* Each function below comes as NAME and as NAME_nb, which only starts. */
#define __GASNET_COLL(name, ...)                                                \
  extern void gasnet_coll_##name (gasnet_team_handle_t team, __VA_ARGS__);      \
  extern gasnet_coll_handle_t gasnet_coll_##name##_nb (gasnet_team_handle_t team, __VA_ARGS__)

/* Data movement. */

/* NBYTES from SRC of SRCIMAGE to DST of each image. */
__GASNET_COLL (broadcast, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
__GASNET_COLL (broadcastm, void *const dstlist[], gasnet_image_t srcimage, void *src,
               size_t nbytes, int flags);

/* Block i of SRC of SRCIMAGE to DST of image i. */
__GASNET_COLL (scatter, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
__GASNET_COLL (scatterm, void *const dstlist[], gasnet_image_t srcimage, void *src, size_t nbytes,
               int flags);

/* SRC of image i to block i of DST of DSTIMAGE. */
__GASNET_COLL (gather, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (gatherm, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t nbytes,
               int flags);

/* SRC of image i to block i of DST of each image. */
__GASNET_COLL (gather_all, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (gather_allm, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);

/* Block j of SRC of image i to block i of DST of image j. */
__GASNET_COLL (exchange, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (exchangem, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);

/* Extensions: contributions that vary. NBYTES[i] belongs to image i, 0 is allowed; its
   block is OFFSET[i] bytes into the memory of the root, or of each destination; a null
   OFFSET means that the blocks lie one after the other. Both single-valued, like the
   rest; they stay as they are until the operation is complete. */
__GASNET_COLL (scatterv, void *dst, gasnet_image_t srcimage, void *src, const size_t nbytes[],
               const size_t offset[], int flags);
__GASNET_COLL (gatherv, gasnet_image_t dstimage, void *dst, void *src, const size_t nbytes[],
               const size_t offset[], int flags);
__GASNET_COLL (gather_allv, void *dst, void *src, const size_t nbytes[], const size_t offset[],
               int flags);

/* Exchange with each image's own view: DST_NBYTES[i] bytes come from image i to DST +
   DST_OFFSET[i]; they are what image i has at its SRC + SRC_OFFSET[this image], of which
   its SRC_NBYTES[this image] says the same number. Not with GASNET_COLL_IN_PLACE. */
__GASNET_COLL (exchangev, void *dst, const size_t dst_nbytes[], const size_t dst_offset[],
               void *src, const size_t src_nbytes[], const size_t src_offset[], int flags);

/* Computation with the function FUNC of the table.

   SRC is an array of ELEM_COUNT elements. src_blksz 0: all of them at image src_offset.
   Else blocks of src_blksz elements, dealt out to the images of the team in turn, the
   address being that of an image's first block; element 0 is src_offset elements behind
   the first element of image 0. Results of scans likewise, with a layout of their own.
   With elem_count 0 nothing is read or written. */

/* The reduction of all elements to DST of DSTIMAGE. */
__GASNET_COLL (reduce, gasnet_image_t dstimage, void *dst, void *src, size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);
__GASNET_COLL (reducem, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);

/* Extension: to DST of each image. */
__GASNET_COLL (reduce_all, void *dst, void *src, size_t src_blksz, size_t src_offset,
               size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
               int flags);
__GASNET_COLL (reduce_allm, void *const dstlist[], void *const srclist[], size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);

/* Element i of DST: the reduction of the elements up to i. */
__GASNET_COLL (scan, void *dst, size_t dst_blksz, size_t dst_offset, void *src, size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);
__GASNET_COLL (scanm, void *const dstlist[], size_t dst_blksz, size_t dst_offset,
               void *const srclist[], size_t src_blksz, size_t src_offset, size_t elem_size,
               size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags);

#undef __GASNET_COLL

/* Extension: functions for the table. The least or the greatest value and where it is;
   of equal values the least index. Commutative and associative. elem_size is that of the
   struct. */
typedef struct { int value, index; } gasnet_coll_int_loc_t;
typedef struct { long value, index; } gasnet_coll_long_loc_t;
typedef struct { float value; int index; } gasnet_coll_float_loc_t;
typedef struct { double value; long index; } gasnet_coll_double_loc_t;

extern gasnet_coll_reduce_fn gasnet_coll_minloc_int, gasnet_coll_maxloc_int, gasnet_coll_minloc_long,
  gasnet_coll_maxloc_long, gasnet_coll_minloc_float, gasnet_coll_maxloc_float,
  gasnet_coll_minloc_double, gasnet_coll_maxloc_double;

/* Extension: teams. */

/* Collective over TEAM, blocking. The images that give the same COLOR, 0 or more, become
   a team, ordered by KEY, where that is equal as they were. A negative COLOR is no
   team: GASNET_TEAM_NONE. */
extern gasnet_team_handle_t gasnet_coll_team_split (gasnet_team_handle_t team, int color, int key);

/* Collective over TEAM, which is none any more; nothing may be in flight on it. Not for
   GASNET_TEAM_ALL. */
extern void gasnet_coll_team_free (gasnet_team_handle_t team);

/* Not collective: the number of images of TEAM, the caller's number among them, and the
   thread that is image IMAGE of it. */
extern gasnet_image_t gasnet_coll_team_size (gasnet_team_handle_t team);
extern gasnet_image_t gasnet_coll_team_rank (gasnet_team_handle_t team);
extern gasnet_image_t gasnet_coll_team_image (gasnet_team_handle_t team, gasnet_image_t image);

#ifdef __cplusplus
}
#endif

#endif
