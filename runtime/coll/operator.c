/* The operations of UPC on its eleven types, and functions of the program.

   Order. A fold of many elements keeps LANES results, each of every LANES-th element, and
   joins them at the end: what the CPU can do at once. The order depends on the number of
   elements alone, so that rounding is the same in every run. Integers wrap around. */

#include "runtime/coll/operator.h"

#include "runtime/start/start.h"

#include <string.h>

enum { LANES = 32 };

#define ADD(T, W, a, b) ((T) ((W) (a) + (W) (b)))
#define MULT(T, W, a, b) ((T) ((W) (a) * (W) (b)))
#define AND(T, W, a, b) ((T) ((a) & (b)))
#define OR(T, W, a, b) ((T) ((a) | (b)))
#define XOR(T, W, a, b) ((T) ((a) ^ (b)))
#define LOGAND(T, W, a, b) ((T) ((a) != 0 && (b) != 0))
#define LOGOR(T, W, a, b) ((T) ((a) != 0 || (b) != 0))
#define MIN(T, W, a, b) ((b) < (a) ? (b) : (a))
#define MAX(T, W, a, b) ((b) > (a) ? (b) : (a))

/* W is the type that T is added and multiplied in, so that nothing overflows. */
#define OPERATION(name, T, W, OP)                                               \
  static void fold_##name##_##OP (const struct upcr_operator *op, void *accumulator, \
                                  const void *elements, size_t count)           \
  {                                                                             \
    const T *e = elements;                                                      \
    T result = *(T *) accumulator;                                              \
    size_t i = 0;                                                               \
                                                                                \
    (void) op;                                                                  \
    if (count >= 2 * LANES)                                                     \
      {                                                                         \
        T lane[LANES];                                                          \
        for (int l = 0; l < LANES; l++)                                         \
          lane[l] = e[l];                                                       \
        for (i = LANES; i + LANES <= count; i += LANES)                         \
          for (int l = 0; l < LANES; l++)                                       \
            lane[l] = OP (T, W, lane[l], e[i + l]);                             \
        for (int half = LANES / 2; half > 0; half /= 2)                         \
          for (int l = 0; l < half; l++)                                        \
            lane[l] = OP (T, W, lane[l], lane[l + half]);                       \
        result = OP (T, W, result, lane[0]);                                    \
      }                                                                         \
    for (; i < count; i++)                                                      \
      result = OP (T, W, result, e[i]);                                         \
    *(T *) accumulator = result;                                                \
  }                                                                             \
  static void scan_##name##_##OP (const struct upcr_operator *op, void *results, \
                                  const void *elements, size_t count, const void *carry) \
  {                                                                             \
    const T *e = elements;                                                      \
    T *r = results, sum = carry ? OP (T, W, *(const T *) carry, e[0]) : e[0];   \
                                                                                \
    (void) op;                                                                  \
    r[0] = sum;                                                                 \
    for (size_t i = 1; i < count; i++)                                          \
      r[i] = sum = OP (T, W, sum, e[i]);                                        \
  }

#define FUNCTION(name, T)                                                       \
  static void fold_##name##_function (const struct upcr_operator *op, void *accumulator, \
                                      const void *elements, size_t count)       \
  {                                                                             \
    T (*function) (T, T) = (T (*) (T, T)) op->function;                         \
    const T *e = elements;                                                      \
    T result = *(T *) accumulator;                                              \
                                                                                \
    for (size_t i = 0; i < count; i++)                                          \
      result = function (result, e[i]);                                         \
    *(T *) accumulator = result;                                                \
  }                                                                             \
  static void scan_##name##_function (const struct upcr_operator *op, void *results, \
                                      const void *elements, size_t count, const void *carry) \
  {                                                                             \
    T (*function) (T, T) = (T (*) (T, T)) op->function;                         \
    const T *e = elements;                                                      \
    T *r = results, sum = carry ? function (*(const T *) carry, e[0]) : e[0];   \
                                                                                \
    r[0] = sum;                                                                 \
    for (size_t i = 1; i < count; i++)                                          \
      r[i] = sum = function (sum, e[i]);                                        \
  }

#define NUMBERS(name, T, W)                                                     \
  OPERATION (name, T, W, ADD)                                                   \
  OPERATION (name, T, W, MULT)                                                  \
  OPERATION (name, T, W, LOGAND)                                                \
  OPERATION (name, T, W, LOGOR)                                                 \
  OPERATION (name, T, W, MIN)                                                   \
  OPERATION (name, T, W, MAX)                                                   \
  FUNCTION (name, T)

#define INTEGERS(name, T, W)                                                    \
  NUMBERS (name, T, W)                                                          \
  OPERATION (name, T, W, AND)                                                   \
  OPERATION (name, T, W, OR)                                                    \
  OPERATION (name, T, W, XOR)

INTEGERS (c, signed char, unsigned)
INTEGERS (uc, unsigned char, unsigned)
INTEGERS (s, short, unsigned)
INTEGERS (us, unsigned short, unsigned)
INTEGERS (i, int, unsigned)
INTEGERS (ui, unsigned, unsigned)
INTEGERS (l, long, unsigned long)
INTEGERS (ul, unsigned long, unsigned long)
NUMBERS (f, float, float)
NUMBERS (d, double, double)
NUMBERS (ld, long double, long double)

enum { OPERATIONS = 9 };

/* By bit of upc_op_t, then what takes a function. */
struct row
{
  size_t bytes;
  upcr_fold *fold[OPERATIONS + 1];
  upcr_run_fold *scan[OPERATIONS + 1];
};

#define BITS(kind, n) [2] = kind##_##n##_AND, [3] = kind##_##n##_OR, [4] = kind##_##n##_XOR
#define NO_BITS(kind, n) [2] = NULL
#define COLUMNS(kind, n, bits)                                                  \
  {                                                                             \
    [0] = kind##_##n##_ADD, [1] = kind##_##n##_MULT, bits (kind, n),            \
    [5] = kind##_##n##_LOGAND, [6] = kind##_##n##_LOGOR, [7] = kind##_##n##_MIN, \
    [8] = kind##_##n##_MAX, [9] = kind##_##n##_function                         \
  }
#define ROW(n, T, bits) { sizeof (T), COLUMNS (fold, n, bits), COLUMNS (scan, n, bits) }

static const struct row rows[UPCR_COLL_TYPES] = {
  [UPCR_C] = ROW (c, signed char, BITS),     [UPCR_UC] = ROW (uc, unsigned char, BITS),
  [UPCR_S] = ROW (s, short, BITS),           [UPCR_US] = ROW (us, unsigned short, BITS),
  [UPCR_I] = ROW (i, int, BITS),             [UPCR_UI] = ROW (ui, unsigned, BITS),
  [UPCR_L] = ROW (l, long, BITS),            [UPCR_UL] = ROW (ul, unsigned long, BITS),
  [UPCR_F] = ROW (f, float, NO_BITS),        [UPCR_D] = ROW (d, double, NO_BITS),
  [UPCR_LD] = ROW (ld, long double, NO_BITS),
};

struct upcr_operator
upcr_operator (enum upcr_coll_type type, upc_op_t op, void (*function) (void))
{
  const struct row *row = &rows[type];
  bool is_function = op == UPC_FUNC || op == UPC_NONCOMM_FUNC;
  int column = is_function ? OPERATIONS : op ? __builtin_ctzl (op) : OPERATIONS;

  if (!is_function && (column >= OPERATIONS || op & (op - 1) || !row->fold[column]))
    return (struct upcr_operator){ 0 };
  return (struct upcr_operator){ row->fold[column], row->scan[column], row->bytes,
                                 op != UPC_NONCOMM_FUNC, 0, 0, function };
}

/* Functions of the program's table. Their results may not be among the left operands, so
   partial results take turns in two places. */

void *
upcr_element_room (const struct upcr_operator *op, void *near)
{
  void *room = op->bytes <= UPCR_NEAR_BYTES ? near : malloc (op->bytes);

  if (!room)
    upcr_fatal ("no memory for an element of %zu bytes", op->bytes);
  return room;
}

void
upcr_free_element (void *room, void *near)
{
  if (room != near)
    free (room);
}

static void
fold_table (const struct upcr_operator *op, void *accumulator, const void *elements, size_t count)
{
  gasnet_coll_reduce_fn *function = (gasnet_coll_reduce_fn *) op->function;
  _Alignas (16) char near[2][UPCR_NEAR_BYTES];
  void *result, *part;
  const char *last = (const char *) elements + (count - 1) * op->bytes;

  if (count == 0)
    return;
  result = upcr_element_room (op, near[0]);
  part = upcr_element_room (op, near[1]);
  if (count > 1)
    function (part, 1, elements, count - 1, last, op->bytes, op->flags, op->argument);
  function (result, 1, accumulator, 1, count > 1 ? part : last, op->bytes, op->flags, op->argument);
  memcpy (accumulator, result, op->bytes);
  upcr_free_element (result, near[0]);
  upcr_free_element (part, near[1]);
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

  return (struct upcr_operator){ fold_table, scan_table, bytes, is_commutative,
                                 is_commutative ? 0 : GASNET_COLL_NONCOMM, argument,
                                 (void (*) (void)) entry->fnptr };
}

#define LOC(name, is_better)                                                    \
  void gasnet_coll_##name (void *results, size_t result_count, const void *left_operands, \
                           size_t left_count, const void *right_operands, size_t elem_size, \
                           int flags, int arg)                                  \
  {                                                                             \
    LOC_TYPE *r = results, best;                                                \
    const LOC_TYPE *left = left_operands, *right = right_operands;           \
                                                                                \
    (void) elem_size, (void) flags, (void) arg;                                 \
    best = left_count ? left[0] : right[0];                                     \
    for (size_t i = 1; i < left_count; i++)                                     \
      if (is_better (left[i], best))                                            \
        best = left[i];                                                         \
    for (size_t i = 0; i < result_count; i++)                                   \
      {                                                                         \
        if (is_better (right[i], best))                                         \
          best = right[i];                                                      \
        r[i] = best;                                                            \
      }                                                                         \
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
