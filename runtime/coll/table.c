/* Operators of GASNet: functions of the program's table, and those of smallest and largest values
   with their places. */

#include "runtime/coll/operator.h"

#include "runtime/host/host.h"

#include <string.h>

/* Functions of the program's table. Their results may not be among the left operands, so
   partial results take turns in two places. */

void *
upcr_element_alloc (const struct upcr_operator *op, void *near)
{
  void *element = op->bytes <= UPCR_NEAR_BYTES ? near : malloc (op->bytes);

  if (!element)
    upcr_fatal ("no memory for an element of %zu bytes", op->bytes);
  return element;
}

void
upcr_element_free (void *element, void *near)
{
  if (element != near)
    free (element);
}

static void
fold_table (const struct upcr_operator *op, void *result, const void *carry, const void *elements,
            size_t count)
{
  gasnet_coll_reduce_fn *function = (gasnet_coll_reduce_fn *) op->function;
  _Alignas(16) char near[2][UPCR_NEAR_BYTES];
  void *both, *part;
  const char *last = (const char *) elements + (count - 1) * op->bytes;

  if (!carry && count == 1)
    memcpy (result, last, op->bytes);
  else if (!carry)
    function (result, 1, elements, count - 1, last, op->bytes, op->flags, op->argument);
  if (!carry)
    return;
  both = upcr_element_alloc (op, near[0]);
  part = upcr_element_alloc (op, near[1]);
  if (count > 1)
    function (part, 1, elements, count - 1, last, op->bytes, op->flags, op->argument);
  function (both, 1, carry, 1, count > 1 ? part : last, op->bytes, op->flags, op->argument);
  memcpy (result, both, op->bytes);
  upcr_element_free (both, near[0]);
  upcr_element_free (part, near[1]);
}

static void
scan_table (const struct upcr_operator *op, void *results, const void *elements, size_t count,
            const void *carry)
{
  gasnet_coll_reduce_fn *function = (gasnet_coll_reduce_fn *) op->function;

  function (results, count, carry, carry != NULL, elements, op->bytes, op->flags, op->argument);
}

struct upcr_operator
upcr_table_operator (const gasnet_coll_fn_entry_t *entry, size_t bytes, int argument)
{
  bool is_commutative = !(entry->flags & GASNET_COLL_NONCOMM);

  return (struct upcr_operator){ .fold = fold_table,
                                 .scan = scan_table,
                                 .bytes = bytes,
                                 .is_commutative = is_commutative,
                                 .flags = is_commutative ? 0 : GASNET_COLL_NONCOMM,
                                 .argument = argument,
                                 .function = (void (*) (void)) entry->fnptr,
                                 .is_synchronous = !(entry->flags & GASNET_COLL_AMSAFE) };
}

#define LOC(name, is_better)                                                                \
  void gasnet_coll_##name (void *results, size_t result_count, const void *left_operands,   \
                           size_t left_count, const void *right_operands, size_t elem_size, \
                           int flags, int arg)                                              \
  {                                                                                         \
    LOC_TYPE *r = results, best;                                                            \
    const LOC_TYPE *left = left_operands, *right = right_operands;                          \
                                                                                            \
    (void) elem_size, (void) flags, (void) arg;                                             \
    best = left_count ? left[0] : right[0];                                                 \
    for (size_t i = 1; i < left_count; i++)                                                 \
      if (is_better (left[i], best))                                                        \
        best = left[i];                                                                     \
    for (size_t i = 0; i < result_count; i++)                                               \
      {                                                                                     \
        if (is_better (right[i], best))                                                     \
          best = right[i];                                                                  \
        r[i] = best;                                                                        \
      }                                                                                     \
  }

#define LESS(a, b) ((a).value < (b).value || ((a).value == (b).value && (a).index < (b).index))
#define GREATER(a, b) ((a).value > (b).value || ((a).value == (b).value && (a).index < (b).index))

#define LOC_TYPE gasnet_coll_int_loc_t
LOC (minloc_int, LESS)
LOC (maxloc_int, GREATER)
#undef LOC_TYPE
#define LOC_TYPE gasnet_coll_long_loc_t
LOC (minloc_long, LESS)
LOC (maxloc_long, GREATER)
#undef LOC_TYPE
#define LOC_TYPE gasnet_coll_float_loc_t
LOC (minloc_float, LESS)
LOC (maxloc_float, GREATER)
#undef LOC_TYPE
#define LOC_TYPE gasnet_coll_double_loc_t
LOC (minloc_double, LESS)
LOC (maxloc_double, GREATER)
