/* Berkeley UPC's collective functions on values (bupc_collectivev.h). */

#include "runtime/bupc/bupc.h"
#include "runtime/sync/sync.h"

#define FUNCTION(name, parameters, statement) \
  void upct_value_##name parameters;          \
  void upct_value_##name parameters           \
  {                                           \
    UPCR_EXCLUSIVE ("bupc_allv_" #name);      \
                                              \
    upcr_value_##name statement;              \
  }

FUNCTION (broadcast, (void *dst, const void *src, int root, size_t bytes, upc_flag_t flags),
          (dst, src, root, bytes, flags))
FUNCTION (scatter, (void *dst, const void *src, int root, size_t bytes, upc_flag_t flags),
          (dst, src, root, bytes, flags))
FUNCTION (gather, (void *dst, const void *src, int root, size_t bytes, upc_flag_t flags),
          (dst, src, root, bytes, flags))
FUNCTION (gather_all, (void *dst, const void *src, size_t bytes, upc_flag_t flags),
          (dst, src, bytes, flags))
FUNCTION (permute, (void *dst, const void *src, int target, size_t bytes, upc_flag_t flags),
          (dst, src, target, bytes, flags))
FUNCTION (reduce,
          (upc_type_t type, upc_op_t op, void *dst, const void *src, int root, upc_flag_t flags),
          (type, op, dst, src, root, flags))
FUNCTION (reduce_all, (upc_type_t type, upc_op_t op, void *dst, const void *src, upc_flag_t flags),
          (type, op, dst, src, flags))
FUNCTION (prefix_reduce,
          (upc_type_t type, upc_op_t op, void *dst, const void *src, upc_flag_t flags),
          (type, op, dst, src, flags))
