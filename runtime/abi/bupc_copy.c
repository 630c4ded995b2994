/* Berkeley UPC's non-contiguous copies (bupc_extensions.h). The forms with and without a handle
   are one function each: the first returns UPC_COMPLETE_HANDLE, 0. */

#include "runtime/bupc/bupc.h"

#define FUNCTION(name, parameters, statement) \
  uint64_t name parameters;                   \
  uint64_t name parameters                    \
  {                                           \
    statement;                                \
    return 0;                                 \
  }

/* TO and FROM are private or shared. */
#define VLIST(name, to, from)                                                         \
  FUNCTION (name,                                                                     \
            (size_t dst_count, const struct upcr_##to##_piece *dst, size_t src_count, \
             const struct upcr_##from##_piece *src),                                  \
            upcr_copy_pieces (#name, upcr_##to##_pieces (dst, dst_count),             \
                              upcr_##from##_pieces (src, src_count)))

VLIST (bupc_memcpy_vlist, shared, shared)
VLIST (bupc_memput_vlist, shared, private)
VLIST (bupc_memget_vlist, private, shared)

typedef char *private_address;
typedef upcr_pts shared_address;

#define ILIST(name, to, from)                                                                  \
  FUNCTION (name,                                                                              \
            (size_t dst_count, const to##_address *dst, size_t dst_bytes, size_t src_count,    \
             const from##_address *src, size_t src_bytes),                                     \
            upcr_copy_pieces (#name,                                                           \
                              upcr_##to##_addresses (#name, "dst", dst, dst_count, dst_bytes), \
                              upcr_##from##_addresses (#name, "src", src, src_count, src_bytes)))

ILIST (bupc_memcpy_ilist, shared, shared)
ILIST (bupc_memput_ilist, shared, private)
ILIST (bupc_memget_ilist, private, shared)

static inline char *
address_of_private (char *p)
{
  return p;
}

static inline char *
address_of_shared (upcr_pts p)
{
  return upcr_pts_address (p);
}

#define FSTRIDED(name, to, from)                                                               \
  FUNCTION (                                                                                   \
      name,                                                                                    \
      (to##_address dst, size_t dst_bytes, size_t dst_stride, size_t dst_count,                \
       from##_address src, size_t src_bytes, size_t src_stride, size_t src_count),             \
      upcr_copy_pieces (                                                                       \
          #name,                                                                               \
          upcr_chunks (#name, "dst", address_of_##to (dst), dst_bytes, dst_stride, dst_count), \
          upcr_chunks (#name, "src", address_of_##from (src), src_bytes, src_stride, src_count)))

FSTRIDED (bupc_memcpy_fstrided, shared, shared)
FSTRIDED (bupc_memput_fstrided, shared, private)
FSTRIDED (bupc_memget_fstrided, private, shared)

#define STRIDED(name, to, from)                                                                    \
  FUNCTION (name,                                                                                  \
            (to##_address dst, const size_t *dst_strides, from##_address src,                      \
             const size_t *src_strides, const size_t *count, size_t levels),                       \
            upcr_copy_strided (#name, address_of_##to (dst), dst_strides, address_of_##from (src), \
                               src_strides, count, levels))

STRIDED (bupc_memcpy_strided, shared, shared)
STRIDED (bupc_memput_strided, shared, private)
STRIDED (bupc_memget_strided, private, shared)
