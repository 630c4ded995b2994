/* The catalogue of collective functions, as lists of rows. */

#ifndef UPCR_COLL_COLLECTIVES_H
#define UPCR_COLL_COLLECTIVES_H

/* clang-format off */

/* The kinds of collective operations: KIND (name, traits), with traits of enum upcr_traits.
   How a member moves its portion of each is said in move.c. */
#define UPCR_KINDS(KIND)                                                                           \
  KIND (BROADCAST, MOVES | ROOTED)                                                                 \
  KIND (SCATTER, MOVES | ROOTED)                                                                   \
  KIND (GATHER, MOVES | ROOTED)                                                                    \
  KIND (GATHER_ALL, MOVES | TO_ALL)                                                                \
  KIND (EXCHANGE, MOVES | TO_ALL)                                                                  \
  KIND (PERMUTE, MOVES | TO_ALL)                                                                   \
  KIND (REDUCE, COMPUTES | NOT_IN_PLACE)                                                           \
  KIND (REDUCE_ALL, COMPUTES | NOT_IN_PLACE | TO_ALL)                                              \
  KIND (SCAN, COMPUTES | TO_ALL)

/* UPC's functions.

   MOVEMENT (name, kind, event, spread)
     upc_all_NAME (dst, src, nbytes, flags). SPREAD: which of the pointers has affinity to
     thread 0, since its memory is that of all threads; DST, SRC or both.
   PERMUTATION (name, kind, event)
     upc_all_NAME (dst, src, perm, nbytes, flags).
   COMPUTATION (name, kind, event)
     upc_all_NAMET (dst, src, op, nelems, blk_size, func, flags), for each T of UPCR_TYPES. */
#define UPCR_UPC_FUNCTIONS(MOVEMENT, PERMUTATION, COMPUTATION)                                     \
  MOVEMENT (broadcast, BROADCAST, GASP_UPC_ALL_BROADCAST, DST)                                     \
  MOVEMENT (scatter, SCATTER, GASP_UPC_ALL_SCATTER, DST)                                           \
  MOVEMENT (gather, GATHER, GASP_UPC_ALL_GATHER, SRC)                                              \
  MOVEMENT (gather_all, GATHER_ALL, GASP_UPC_ALL_GATHER_ALL, DST | SRC)                            \
  MOVEMENT (exchange, EXCHANGE, GASP_UPC_ALL_EXCHANGE, DST | SRC)                                  \
  PERMUTATION (permute, PERMUTE, GASP_UPC_ALL_PERMUTE)                                             \
  COMPUTATION (reduce, REDUCE, GASP_UPC_ALL_REDUCE)                                                \
  COMPUTATION (prefix_reduce, SCAN, GASP_UPC_ALL_PREFIX_REDUCE)

/* The types of UPC's computations, in the order of the specification: ROW (letters, type, …). */
#define UPCR_TYPES(ROW, ...)                                                                       \
  ROW (C, signed char, ##__VA_ARGS__)                                                              \
  ROW (UC, unsigned char, ##__VA_ARGS__)                                                           \
  ROW (S, short, ##__VA_ARGS__)                                                                    \
  ROW (US, unsigned short, ##__VA_ARGS__)                                                          \
  ROW (I, int, ##__VA_ARGS__)                                                                      \
  ROW (UI, unsigned, ##__VA_ARGS__)                                                                \
  ROW (L, long, ##__VA_ARGS__)                                                                     \
  ROW (UL, unsigned long, ##__VA_ARGS__)                                                           \
  ROW (F, float, ##__VA_ARGS__)                                                                    \
  ROW (D, double, ##__VA_ARGS__)                                                                   \
  ROW (LD, long double, ##__VA_ARGS__)

/* GASNet's functions: ROW (name, kind, parameters, fields) is gasnet_coll_NAME and
   gasnet_coll_NAME_nb (team, PARAMETERS, flags), with the FIELDS of struct upcr_coll beside
   team and flags. What many have in common is defined in gasnet.c. */
#define UPCR_GASNET_FUNCTIONS(ROW)                                                                 \
  ROW (broadcast, BROADCAST,                                                                       \
          (void *dst, gasnet_image_t srcimage, void *src, size_t nbytes),                          \
          .dst = dst, .root = srcimage, .src = src, .bytes = nbytes)                               \
  ROW (broadcastm, BROADCAST,                                                                      \
          (TO_IMAGES, gasnet_image_t srcimage, void *src, size_t nbytes),                          \
          LISTS (.dst = dstlist), .root = srcimage, .src = src, .bytes = nbytes)                   \
  ROW (scatter, SCATTER,                                                                           \
          (void *dst, gasnet_image_t srcimage, void *src, size_t nbytes),                          \
          .dst = dst, .root = srcimage, .src = src, .bytes = nbytes)                               \
  ROW (scatterm, SCATTER,                                                                          \
          (TO_IMAGES, gasnet_image_t srcimage, void *src, size_t nbytes),                          \
          LISTS (.dst = dstlist), .root = srcimage, .src = src, .bytes = nbytes)                   \
  ROW (gather, GATHER,                                                                             \
          (gasnet_image_t dstimage, void *dst, void *src, size_t nbytes),                          \
          .root = dstimage, .dst = dst, .src = src, .bytes = nbytes)                               \
  ROW (gatherm, GATHER,                                                                            \
          (gasnet_image_t dstimage, void *dst, FROM_IMAGES, size_t nbytes),                        \
          LISTS (.src = srclist), .root = dstimage, .dst = dst, .bytes = nbytes)                   \
  ROW (gather_all, GATHER_ALL,                                                                     \
          (void *dst, void *src, size_t nbytes),                                                   \
          .dst = dst, .src = src, .bytes = nbytes)                                                 \
  ROW (gather_allm, GATHER_ALL,                                                                    \
          (TO_IMAGES, FROM_IMAGES, size_t nbytes),                                                 \
          LISTS (.dst = dstlist, .src = srclist), .bytes = nbytes)                                 \
  ROW (exchange, EXCHANGE,                                                                         \
          (void *dst, void *src, size_t nbytes),                                                   \
          .dst = dst, .src = src, .bytes = nbytes)                                                 \
  ROW (exchangem, EXCHANGE,                                                                        \
          (TO_IMAGES, FROM_IMAGES, size_t nbytes),                                                 \
          LISTS (.dst = dstlist, .src = srclist), .bytes = nbytes)                                 \
  ROW (scatterv, SCATTER,                                                                          \
          (void *dst, gasnet_image_t srcimage, void *src, const size_t nbytes[],                   \
           const size_t offset[]),                                                                 \
          .dst = dst, .root = srcimage, .src = src, LISTS (.sizes = nbytes, .offsets = offset))    \
  ROW (gatherv, GATHER,                                                                            \
          (gasnet_image_t dstimage, void *dst, void *src, const size_t nbytes[],                   \
           const size_t offset[]),                                                                 \
          .root = dstimage, .dst = dst, .src = src, LISTS (.sizes = nbytes, .offsets = offset))    \
  ROW (gather_allv, GATHER_ALL,                                                                    \
          (void *dst, void *src, const size_t nbytes[], const size_t offset[]),                    \
          .dst = dst, .src = src, LISTS (.sizes = nbytes, .offsets = offset))                      \
  ROW (exchangev, EXCHANGE,                                                                        \
          (void *dst, const size_t dst_nbytes[], const size_t dst_offset[], void *src,             \
           const size_t src_nbytes[], const size_t src_offset[]),                                  \
          .dst = dst, .src = src,                                                                  \
          LISTS (.sizes = dst_nbytes, .offsets = dst_offset, .src_sizes = src_nbytes,              \
                 .src_offsets = src_offset))                                                       \
  ROW (reduce, REDUCE,                                                                             \
          (gasnet_image_t dstimage, void *dst, void *src, SOURCE, ELEMENTS),                       \
          .root = dstimage, .dst = dst, .src = src, COMPUTATION)                                   \
  ROW (reducem, REDUCE,                                                                            \
          (gasnet_image_t dstimage, void *dst, FROM_IMAGES, SOURCE, ELEMENTS),                     \
          LISTS (.src = srclist), .root = dstimage, .dst = dst, COMPUTATION)                       \
  ROW (reduce_all, REDUCE_ALL,                                                                     \
          (void *dst, void *src, SOURCE, ELEMENTS),                                                \
          .dst = dst, .src = src, COMPUTATION)                                                     \
  ROW (reduce_allm, REDUCE_ALL,                                                                    \
          (TO_IMAGES, FROM_IMAGES, SOURCE, ELEMENTS),                                              \
          LISTS (.dst = dstlist, .src = srclist), COMPUTATION)                                     \
  ROW (scan, SCAN,                                                                                 \
          (void *dst, size_t dst_blksz, size_t dst_offset, void *src, SOURCE, ELEMENTS),           \
          .dst = dst, .src = src, COMPUTATION, DESTINATION)                                        \
  ROW (scanm, SCAN,                                                                                \
          (TO_IMAGES, size_t dst_blksz, size_t dst_offset, FROM_IMAGES, SOURCE, ELEMENTS),         \
          LISTS (.dst = dstlist, .src = srclist), COMPUTATION, DESTINATION)

/* clang-format on */

#endif
