/* gasnet_coll.h: collective operations with separate start and completion, after the
   design notes of the GASNet collectives. For C, C++ and UPC.

   Images. Each UPC thread is an image; its number is MYTHREAD. All functions are collective
   over a team, except where it is said: every image of the team calls the same function
   (blocking or _nb, `m` or not), in the same order. Two images that are both in several teams
   make their calls for these in the same order. gasnet_coll_init is called first.

   Addresses are plain C pointers: all images share one address space, so any memory may be
   named, shared or private. nbytes, elem_size and the lists of sizes and offsets are in bytes.
   Counts are in elements, and so are the block sizes and offsets of functions that compute.
   nbytes and elem_size are greater than 0.

   Flags: exactly one of each of the first three groups.

     IN_NOSYNC     data may move as soon as the first image has entered
     IN_MYSYNC     data of an image may move as soon as that image has entered
     IN_ALLSYNC    data may move as soon as all images have entered
     OUT_NOSYNC    completes at any time; all data has moved when the last image completes
     OUT_MYSYNC    completes when the data of the calling image has moved
     OUT_ALLSYNC   completes when all data has moved
     SINGLE        all images pass the same addresses
     LOCAL         each image passes its own addresses

   SINGLE: an address in the shared segment stands for the same offset in the partition of
   each image that the operation accesses, whichever partition it points into. A result of
   upc_all_alloc is such an address on any thread. An address outside the segment is used as it
   is. With `m`, the list has an address for each image of the team.

   LOCAL: an image passes the addresses of its own memory. With `m`, the list has an address for
   each image of the caller's node (gasnet_coll_init), in their order; with one image per node,
   and in teams other than GASNET_TEAM_ALL, it has one.

     AGGREGATE        the operation is completed together with later ones: the handle of the
                      first call for the same team without this flag completes all of them.
                      For _nb functions only; the returned handle must not be used.
     DST_IN_SEGMENT   hints; ignored, but checked with UPC_CHECK=1: all of the memory that the
     SRC_IN_SEGMENT   calling image reads or writes
     INCLUSIVE_SCAN   scans take exactly one of these. Result i combines elements 0 to i, or
     EXCLUSIVE_SCAN   elements 0 to i - 1; an exclusive scan does not store result 0.
     IN_PLACE         extension: there is no separate source. Broadcast: the root's dst. Gather
                      and gather_all: an image's block of its dst, where it has one (gather: at
                      the root). Scatter: the root's block stays in src. Exchange: the blocks of
                      dst, which are swapped. Scan: dst. Not for reductions.

   Overlap. Sources and destinations do not overlap, except that a block may be its own
   destination, so that no copy is needed.

   Errors. An error that the runtime detects ends the run with a message that names the
   function and the source line, and exit status 1. With UPC_CHECK=1 in the environment the
   runtime also makes the checks that cost time: arguments that differ between images, calls in
   a different order, AGGREGATE for a blocking call, a handle completed by another thread, a
   function that is not in the table, missing, unknown or contradicting flags.

   Rounding. A result depends on the arguments and the number of images only, so each run gives
   the same one. */

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

/* Flags of functions in the table. NONCOMM: the function is not commutative. AMSAFE: it takes no locks
   and waits for nothing. A function without AMSAFE is only called within functions of this header
   that start, perform or complete its operation. There it may use locks and shared memory as the
   program does. A function with AMSAFE is also called while the thread waits for something else, in
   upc_lock or a barrier. */
#define GASNET_COLL_NONCOMM 0x4000
#define GASNET_COLL_AMSAFE 0x8000

/* The alignment of operands that functions in the table may rely on. */
#define GASNET_DATA_ALIGNMENT 8

typedef uint32_t gasnet_image_t;

/* An operation in flight, to be completed by the thread that started it. The zero handle is
   complete. */
typedef struct __gasnet_coll_handle *gasnet_coll_handle_t;
#define GASNET_COLL_INVALID_HANDLE ((gasnet_coll_handle_t) 0)

/* An ordered set of images. All its members have the same handle, which may be passed to others and
   compared. */
typedef struct __gasnet_team *gasnet_team_handle_t;
#define GASNET_TEAM_ALL ((gasnet_team_handle_t) 0)
#define GASNET_TEAM_NONE ((gasnet_team_handle_t) -1)

/* A function that reduces. There are LEFT_COUNT operands, and RESULT_COUNT operands to their
   right. Result i combines all left operands and right operands 0 to i. For a reduction
   result_count is 1 and left_count at least 1. FLAGS has GASNET_COLL_NONCOMM if the table has
   it; ARG is the func_arg of the collective call. The function may be called on partial
   results, more or less often than there are elements, by any image and by several images at
   once. RESULTS does not overlap LEFT_OPERANDS; it may be equal to RIGHT_OPERANDS. */
typedef void (gasnet_coll_reduce_fn) (void *results, size_t result_count, const void *left_operands,
                                      size_t left_count, const void *right_operands,
                                      size_t elem_size, int flags, int arg);

/* The type of functions in the table. Where the language allows it, the parameters are unspecified, so
   that a function may declare pointers to its own element types. */
#if defined __cplusplus || (defined __STDC_VERSION__ && __STDC_VERSION__ > 201710L)
typedef gasnet_coll_reduce_fn *gasnet_coll_fn_t;
#else
typedef void (*gasnet_coll_fn_t) ();
#endif

/* A function of the table; flags are GASNET_COLL_NONCOMM and GASNET_COLL_AMSAFE. */
typedef struct
{
  gasnet_coll_fn_t fnptr;
  unsigned int flags;
} gasnet_coll_fn_entry_t;

/* The index of a function in the table. */
typedef int gasnet_coll_fn_handle_t;

/* Initialises the functions below. Collective over all threads, blocking, once, before any
   other function of this header.

   IMAGES is null for one image per node, or has the number of images of each node, which add
   up to THREADS; then MY_IMAGE is MYTHREAD. Nodes matter only for the length of LOCAL lists.
   FN_TBL has FN_COUNT functions, the same on all threads; it is copied. INIT_FLAGS is 0. */
extern void gasnet_coll_init (const gasnet_image_t images[], gasnet_image_t my_image,
                              const gasnet_coll_fn_entry_t fn_tbl[], size_t fn_count,
                              int init_flags);

/* The number of nodes, and the number of the caller's node, as passed to gasnet_coll_init. Before that
   call, and if it was passed none, each thread is a node. Not collective. */
typedef uint32_t gasnet_node_t;
extern gasnet_node_t gasnet_nodes (void);
extern gasnet_node_t gasnet_mynode (void);

/* GASNet's barrier of all images, which is that of upc_notify and upc_wait. It is split in two. All
   images pass the same ID, or ANONYMOUS; different IDs end the run. try returns NOT_READY while others
   have not notified; call it again. wait and try return OK at the end of the barrier. Do not call
   collective functions between notify and that, and complete operations that were started before
   notify before it. Both are errors with UPC_CHECK=1. */
#define GASNET_BARRIERFLAG_ANONYMOUS 1
#define GASNET_OK 0
#define GASNET_ERR_NOT_READY 10004
extern void gasnet_barrier_notify (int id, int flags);
extern int gasnet_barrier_wait (int id, int flags);
extern int gasnet_barrier_try (int id, int flags);

/* Completion. Not collective. The thread that started an operation completes it; handles may
   be completed in any order. A completed handle must not be used again; in a list it is set to
   GASNET_COLL_INVALID_HANDLE, which always is complete.

   wait_sync waits. try_sync returns 1 if the operation is complete; else 0, and the handle
   remains valid. The _all and _some forms set the handles that they complete to invalid.
   wait_sync_all completes all N handles, wait_sync_some at least one, unless all are invalid.
   try_sync_all returns 1 if all are complete, try_sync_some if it completed one or all were
   invalid. */
extern void gasnet_coll_wait_sync (gasnet_coll_handle_t handle);
extern int gasnet_coll_try_sync (gasnet_coll_handle_t handle);
extern void gasnet_coll_wait_sync_all (gasnet_coll_handle_t *handles, size_t n);
extern int gasnet_coll_try_sync_all (gasnet_coll_handle_t *handles, size_t n);
extern void gasnet_coll_wait_sync_some (gasnet_coll_handle_t *handles, size_t n);
extern int gasnet_coll_try_sync_some (gasnet_coll_handle_t *handles, size_t n);

/* Each function below has two forms: NAME, which blocks, and NAME_nb, which starts the
   operation and returns a handle. */
#define __GASNET_COLL(name, ...)                                           \
  extern void gasnet_coll_##name (gasnet_team_handle_t team, __VA_ARGS__); \
  extern gasnet_coll_handle_t gasnet_coll_##name##_nb (gasnet_team_handle_t team, __VA_ARGS__)

/* Moving data. */

/* Copies NBYTES bytes at SRC on SRCIMAGE to DST on each image. */
__GASNET_COLL (broadcast, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
__GASNET_COLL (broadcastm, void *const dstlist[], gasnet_image_t srcimage, void *src, size_t nbytes,
               int flags);

/* Copies block i of SRC on SRCIMAGE to DST on image i. NBYTES is the size of a block. */
__GASNET_COLL (scatter, void *dst, gasnet_image_t srcimage, void *src, size_t nbytes, int flags);
__GASNET_COLL (scatterm, void *const dstlist[], gasnet_image_t srcimage, void *src, size_t nbytes,
               int flags);

/* Copies the block at SRC on image i to block i of DST on DSTIMAGE. */
__GASNET_COLL (gather, gasnet_image_t dstimage, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (gatherm, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t nbytes,
               int flags);

/* Copies the block at SRC on image i to block i of DST on each image. */
__GASNET_COLL (gather_all, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (gather_allm, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);

/* Copies block j of SRC on image i to block i of DST on image j. */
__GASNET_COLL (exchange, void *dst, void *src, size_t nbytes, int flags);
__GASNET_COLL (exchangem, void *const dstlist[], void *const srclist[], size_t nbytes, int flags);

/* Extension: blocks of different sizes. The block of image i has NBYTES[i] bytes, which may be
   0, and lies OFFSET[i] bytes into the memory of the root, or of each destination. If OFFSET is
   null the blocks are adjacent. All images pass equal lists, which must not change until the
   operation is complete. */
__GASNET_COLL (scatterv, void *dst, gasnet_image_t srcimage, void *src, const size_t nbytes[],
               const size_t offset[], int flags);
__GASNET_COLL (gatherv, gasnet_image_t dstimage, void *dst, void *src, const size_t nbytes[],
               const size_t offset[], int flags);
__GASNET_COLL (gather_allv, void *dst, void *src, const size_t nbytes[], const size_t offset[],
               int flags);

/* Exchange with blocks of different sizes. Each image passes its own lists. Image j receives
   DST_NBYTES[i] bytes from image i at DST + DST_OFFSET[i]; image i sends them from SRC +
   SRC_OFFSET[j], and its SRC_NBYTES[j] is the same number. Not with GASNET_COLL_IN_PLACE. */
__GASNET_COLL (exchangev, void *dst, const size_t dst_nbytes[], const size_t dst_offset[],
               void *src, const size_t src_nbytes[], const size_t src_offset[], int flags);

/* Computing, with function FUNC of the table.

   SRC is an array of ELEM_COUNT elements. If SRC_BLKSZ is 0, all are on image SRC_OFFSET. Else
   they are distributed to the images of the team in blocks of SRC_BLKSZ elements; an address is
   that of an image's first block, and element 0 is SRC_OFFSET elements after the first element
   on image 0. Results of scans have such a layout, too. If ELEM_COUNT is 0, nothing is read or
   written. */

/* Stores the reduction of all elements to DST on DSTIMAGE. */
__GASNET_COLL (reduce, gasnet_image_t dstimage, void *dst, void *src, size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);
__GASNET_COLL (reducem, gasnet_image_t dstimage, void *dst, void *const srclist[], size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);

/* Extension: stores it to DST on each image. */
__GASNET_COLL (reduce_all, void *dst, void *src, size_t src_blksz, size_t src_offset,
               size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg,
               int flags);
__GASNET_COLL (reduce_allm, void *const dstlist[], void *const srclist[], size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);

/* Stores the reduction of elements up to i to element i of DST. */
__GASNET_COLL (scan, void *dst, size_t dst_blksz, size_t dst_offset, void *src, size_t src_blksz,
               size_t src_offset, size_t elem_size, size_t elem_count, gasnet_coll_fn_handle_t func,
               int func_arg, int flags);
__GASNET_COLL (scanm, void *const dstlist[], size_t dst_blksz, size_t dst_offset,
               void *const srclist[], size_t src_blksz, size_t src_offset, size_t elem_size,
               size_t elem_count, gasnet_coll_fn_handle_t func, int func_arg, int flags);

#undef __GASNET_COLL

/* Extension: functions for the table. They find the least or the greatest value and its index;
   of equal values the one with the least index. They are commutative and associative.
   elem_size is the size of the struct. */
typedef struct
{
  int value, index;
} gasnet_coll_int_loc_t;
typedef struct
{
  long value, index;
} gasnet_coll_long_loc_t;
typedef struct
{
  float value;
  int index;
} gasnet_coll_float_loc_t;
typedef struct
{
  double value;
  long index;
} gasnet_coll_double_loc_t;

extern gasnet_coll_reduce_fn gasnet_coll_minloc_int, gasnet_coll_maxloc_int,
    gasnet_coll_minloc_long, gasnet_coll_maxloc_long, gasnet_coll_minloc_float,
    gasnet_coll_maxloc_float, gasnet_coll_minloc_double, gasnet_coll_maxloc_double;

/* Extension: teams. */

/* Splits TEAM: images that pass the same COLOR, 0 or more, form a team, ordered by KEY, then by
   their order in TEAM. Returns it, or GASNET_TEAM_NONE if COLOR is negative. Collective over
   TEAM, blocking. */
extern gasnet_team_handle_t gasnet_coll_team_split (gasnet_team_handle_t team, int color, int key);

/* Destroys TEAM. No operation on it may be in flight. Not for GASNET_TEAM_ALL. Collective over
   TEAM. */
extern void gasnet_coll_team_free (gasnet_team_handle_t team);

/* The number of images of TEAM, the caller's number in TEAM, and the thread that is image IMAGE
   of TEAM. Not collective. */
extern gasnet_image_t gasnet_coll_team_size (gasnet_team_handle_t team);
extern gasnet_image_t gasnet_coll_team_rank (gasnet_team_handle_t team);
extern gasnet_image_t gasnet_coll_team_image (gasnet_team_handle_t team, gasnet_image_t image);

#ifdef __cplusplus
}
#endif

#endif
