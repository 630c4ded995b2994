/* The operations of UPC on its eleven types, and functions of the program.

   Order. A fold of many elements keeps STEP_BYTES of results. Each element goes to the same
   place among them as the element one step before, and the results are combined at the end: as
   much as the CPU can do at once. The rest, or a number of elements too small for that, is
   folded in LANES in the same way. A scan takes SCAN_LANES elements at a time, and adds what
   comes before them last; it takes few elements one after the other. The order depends only on
   the number of elements, so rounding is the same in every run. Integers wrap around. */

#include "runtime/arch/arch.h"
#include "runtime/coll/operator.h"

#include "runtime/host/host.h"

#include <string.h>

/* SCAN_ROWS: of fewer it is quicker to add one element after the other. */
enum
{
  STEP_BYTES = 256,
  LANES = 8,
  SCAN_LANES = 4,
  SCAN_ROWS = 4
};

/* W is the type that T is added and multiplied in, so that nothing overflows. */
#define ADD(T, W, a, b) ((T) ((W) (a) + (W) (b)))
#define MULT(T, W, a, b) ((T) ((W) (a) * (W) (b)))
#define AND(T, W, a, b) ((T) ((a) & (b)))
#define OR(T, W, a, b) ((T) ((a) | (b)))
#define XOR(T, W, a, b) ((T) ((a) ^ (b)))
#define LOGAND(T, W, a, b) ((T) ((a) != 0 && (b) != 0))
#define LOGOR(T, W, a, b) ((T) ((a) != 0 || (b) != 0))
#define MIN(T, W, a, b) ((a) < (b) ? (a) : (b))
#define MAX(T, W, a, b) ((a) > (b) ? (a) : (b))

/* The same on vectors of U, which is T, or for integers the unsigned type of its size;
   comparisons are of T. A comparison yields a mask. */
#define VECTOR_ADD(T, U, a, b) ((a) + (b))
#define VECTOR_MULT(T, U, a, b) ((a) * (b))
#define VECTOR_AND(T, U, a, b) ((a) & (b))
#define VECTOR_OR(T, U, a, b) ((a) | (b))
#define VECTOR_XOR(T, U, a, b) ((a) ^ (b))
#define CHOOSE(mask, U, yes, no) \
  ((VECTOR (U)) (((mask) & (__typeof__ (mask)) (yes)) | (~(mask) & (__typeof__ (mask)) (no))))
#define VECTOR_MIN(T, U, a, b) CHOOSE ((VECTOR (T)) (a) < (VECTOR (T)) (b), U, a, b)
#define VECTOR_MAX(T, U, a, b) CHOOSE ((VECTOR (T)) (a) > (VECTOR (T)) (b), U, a, b)

typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

/* Inside a function that has VECTOR_BYTES. */
#define VECTOR(type) type __attribute__ ((vector_size (VECTOR_BYTES)))

/* STATEMENT for each L from FIRST on: unrolled, so that lanes stay in registers. */
#define ONE(first, statement) \
  {                           \
    enum                      \
    {                         \
      L = first               \
    };                        \
    statement;                \
  }
#define TWO(first, statement) ONE (first, statement) ONE (first + 1, statement)
#define FOUR(first, statement) TWO (first, statement) TWO (first + 2, statement)
#define EIGHT(first, statement) FOUR (first, statement) FOUR (first + 4, statement)
#define SIXTEEN(first, statement) EIGHT (first, statement) EIGHT (first + 8, statement)

/* Elements need not be aligned to vectors. */
#define LOAD(U, at)                        \
  ({                                       \
    VECTOR (U) loaded_;                    \
    memcpy (&loaded_, at, sizeof loaded_); \
    loaded_;                               \
  })

/* Joins lane L and the one that is HALF of them away. */
#define JOIN(T, U, OP, half) \
  lane[L] = VECTOR_##OP (T, U, lane[L], lane[(L + half) % (sizeof lane / sizeof *lane)])

/* How far ahead memory is asked for, and from how many bytes on: less may be cached. Measured
   on an AMD EPYC with two threads that fold 8 and 64 MiB each: 7 and 5 % less time; 2 KiB
   ahead is too late. */
enum
{
  AHEAD_BYTES = 8 << 10,
  AHEAD_FROM = 512 << 10,
  LINE_BYTES = 64
};

/* Asks for the step that comes AHEAD_BYTES behind AT, which may be after the end. */
static inline void
ask_for_step (const void *at)
{
  FOUR (0, __builtin_prefetch ((const char *) at + AHEAD_BYTES + L * LINE_BYTES))
}

/* Folds as many whole steps as there are; the number of elements done, their fold in
   *JOINED. With vectors of BYTES, and what they ask of the CPU. */
#define STEPS(name, T, U, W, OP, BYTES, EACH, TARGET)                                         \
  TARGET static size_t steps_##name##_##OP##_##BYTES (const T *e, size_t count, T *joined)    \
  {                                                                                           \
    enum                                                                                      \
    {                                                                                         \
      VECTOR_BYTES = BYTES,                                                                   \
      STEP = STEP_BYTES / sizeof (T)                                                          \
    };                                                                                        \
    VECTOR (U) lane[STEP_BYTES / BYTES];                                                      \
    T last[BYTES / sizeof (T)];                                                               \
    size_t i;                                                                                 \
                                                                                              \
    if (count < 2 * STEP)                                                                     \
      return 0;                                                                               \
    EACH (0, lane[L] = LOAD (U, (const char *) e + L * VECTOR_BYTES))                         \
    for (i = STEP; i + STEP <= count; i += STEP)                                              \
      {                                                                                       \
        if (count >= AHEAD_FROM / sizeof (T))                                                 \
          ask_for_step (e + i);                                                               \
        EACH (0, lane[L] = VECTOR_##OP (T, U, lane[L],                                        \
                                        LOAD (U, (const char *) (e + i) + L * VECTOR_BYTES))) \
      }                                                                                       \
    if (STEP_BYTES / BYTES > 8)                                                               \
      {                                                                                       \
        EIGHT (0, JOIN (T, U, OP, 8))                                                         \
      }                                                                                       \
    FOUR (0, JOIN (T, U, OP, 4))                                                              \
    TWO (0, JOIN (T, U, OP, 2))                                                               \
    ONE (0, JOIN (T, U, OP, 1))                                                               \
    memcpy (last, lane, sizeof last);                                                         \
    for (int half = BYTES / sizeof (T) / 2; half > 0; half /= 2)                              \
      for (int l = 0; l < half; l++)                                                          \
        last[l] = OP (T, W, last[l], last[l + half]);                                         \
    *joined = last[0];                                                                        \
    return i;                                                                                 \
  }

/* A row of ROWS: V is scanned, BOTH has its results behind CARRY. */
#define SCAN_ROW(T, U, OP)                           \
  left = __builtin_shufflevector (v, v, 0, 0, 2, 2); \
  both = VECTOR_##OP (T, U, left, v);                \
  v = __builtin_shufflevector (v, both, 0, 5, 2, 7); \
  left = __builtin_shufflevector (v, v, 1, 1, 1, 1); \
  both = VECTOR_##OP (T, U, left, v);                \
  v = __builtin_shufflevector (v, both, 0, 1, 6, 7); \
  both = VECTOR_##OP (T, U, carry, v);               \
  v = __builtin_shufflevector (v, v, 3, 3, 3, 3);    \
  carry = VECTOR_##OP (T, U, carry, v)

/* SCAN_LANES elements at a time behind SUM: the second of each pair takes in the first, then the second
   pair the last of the first, then all what comes before them. Of the sums only that last step waits
   for those before. The number of elements done, all whole rows. */
#define ROWS(name, T, U, OP, VARIANT, TARGET)                                                 \
  TARGET static size_t rows_##name##_##OP##_##VARIANT (T *r, const T *e, size_t count, T sum) \
  {                                                                                           \
    enum                                                                                      \
    {                                                                                         \
      VECTOR_BYTES = SCAN_LANES * sizeof (T)                                                  \
    };                                                                                        \
    VECTOR (U) carry = { sum, sum, sum, sum };                                                \
    size_t i = 0;                                                                             \
                                                                                              \
    for (; i + SCAN_LANES <= count; i += SCAN_LANES)                                          \
      {                                                                                       \
        VECTOR (U) v = LOAD (U, e + i), left, both;                                           \
                                                                                              \
        SCAN_ROW (T, U, OP);                                                                  \
        memcpy (r + i, &both, sizeof both);                                                   \
      }                                                                                       \
    return i;                                                                                 \
  }

/* Of elements that are apart, in pairs or one by one: upcr_run_fold_apart. */
#define APART_BEGIN(T, U)                                  \
  enum                                                     \
  {                                                        \
    VECTOR_BYTES = SCAN_LANES * sizeof (T)                 \
  };                                                       \
  U sum = *(U *) carry_at;                                 \
  VECTOR (U) carry = { sum, sum, sum, sum };               \
                                                           \
  for (size_t p = 0, at = 0; p < periods; p++, at += step) \
    for (size_t j = 0; j < period; j += SCAN_LANES)

#define APART(name, T, U, OP, TARGET)                                                       \
  TARGET static void pairs_apart_##name##_##OP (char *const *to, const char *const *from,   \
                                                size_t period, size_t step, size_t periods, \
                                                void *carry_at)                             \
  {                                                                                         \
    typedef U pair __attribute__ ((vector_size (2 * sizeof (T))));                          \
    APART_BEGIN (T, U)                                                                      \
    {                                                                                       \
      pair a, b;                                                                            \
      VECTOR (U) v, left, both;                                                             \
                                                                                            \
      memcpy (&a, from[j] + at, sizeof a);                                                  \
      memcpy (&b, from[j + 2] + at, sizeof b);                                              \
      v = __builtin_shufflevector (a, b, 0, 1, 2, 3);                                       \
      SCAN_ROW (T, U, OP);                                                                  \
      a = __builtin_shufflevector (both, both, 0, 1);                                       \
      b = __builtin_shufflevector (both, both, 2, 3);                                       \
      memcpy (to[j] + at, &a, sizeof a);                                                    \
      memcpy (to[j + 2] + at, &b, sizeof b);                                                \
    }                                                                                       \
    *(U *) carry_at = carry[0];                                                             \
  }                                                                                         \
  TARGET static void each_apart_##name##_##OP (char *const *to, const char *const *from,    \
                                               size_t period, size_t step, size_t periods,  \
                                               void *carry_at)                              \
  {                                                                                         \
    APART_BEGIN (T, U)                                                                      \
    {                                                                                       \
      VECTOR (U)                                                                            \
      v = { *(const U *) (from[j] + at), *(const U *) (from[j + 1] + at),                   \
            *(const U *) (from[j + 2] + at), *(const U *) (from[j + 3] + at) },             \
      left, both;                                                                           \
                                                                                            \
      SCAN_ROW (T, U, OP);                                                                  \
      FOUR (0, *(U *) (to[j + L] + at) = both[L])                                           \
    }                                                                                       \
    *(U *) carry_at = carry[0];                                                             \
  }

/* Elementwise: as many as two whole vectors at a time take. RESULTS may be A or B. */
#define PAIRS(name, T, U, OP, BYTES, TARGET)                                               \
  TARGET static size_t pairs_##name##_##OP##_##BYTES (T *results, const T *a, const T *b,  \
                                                      size_t count)                        \
  {                                                                                        \
    enum                                                                                   \
    {                                                                                      \
      VECTOR_BYTES = BYTES,                                                                \
      EACH = VECTOR_BYTES / sizeof (T)                                                     \
    };                                                                                     \
    size_t i = 0;                                                                          \
                                                                                           \
    for (; i + 2 * EACH <= count; i += 2 * EACH)                                           \
      {                                                                                    \
        VECTOR (U) x = VECTOR_##OP (T, U, LOAD (U, a + i), LOAD (U, b + i));               \
        VECTOR (U) y = VECTOR_##OP (T, U, LOAD (U, a + i + EACH), LOAD (U, b + i + EACH)); \
                                                                                           \
        memcpy (results + i, &x, sizeof x);                                                \
        memcpy (results + i + EACH, &y, sizeof y);                                         \
      }                                                                                    \
    return i;                                                                              \
  }

/* An element's place in a step or row is the same whatever the vectors are, so the result
   is. */
#define VECTOR_FOLD(name, T, U, W, OP)                                               \
  STEPS (name, T, U, W, OP, 16, SIXTEEN, )                                           \
  STEPS (name, T, U, W, OP, 32, EIGHT, __attribute__ ((target (UPCR_WIDE_VECTORS)))) \
  ROWS (name, T, U, OP, any, )                                                       \
  ROWS (name, T, U, OP, wide, __attribute__ ((target (UPCR_WIDE_VECTORS))))          \
  PAIRS (name, T, U, OP, 16, )                                                       \
  PAIRS (name, T, U, OP, 32, __attribute__ ((target (UPCR_WIDE_VECTORS))))           \
  APART (name, T, U, OP, __attribute__ ((target (UPCR_WIDE_VECTORS), unused)))       \
  static size_t steps_##name##_##OP (const T *e, size_t count, T *joined)            \
  {                                                                                  \
    if (upcr_has_wide_vectors ())                                                    \
      return steps_##name##_##OP##_32 (e, count, joined);                            \
    return steps_##name##_##OP##_16 (e, count, joined);                              \
  }                                                                                  \
  static size_t rows_##name##_##OP (T *r, const T *e, size_t count, T sum)           \
  {                                                                                  \
    if (upcr_has_wide_vectors ())                                                    \
      return rows_##name##_##OP##_wide (r, e, count, sum);                           \
    return rows_##name##_##OP##_any (r, e, count, sum);                              \
  }                                                                                  \
  static size_t pairs_##name##_##OP (T *r, const T *a, const T *b, size_t count)     \
  {                                                                                  \
    if (upcr_has_wide_vectors ())                                                    \
      return pairs_##name##_##OP##_32 (r, a, b, count);                              \
    return pairs_##name##_##OP##_16 (r, a, b, count);                                \
  }

#define NO_VECTOR_FOLD(name, T, OP)                                                           \
  static inline size_t steps_##name##_##OP (const T *e, size_t count, T *joined)              \
  {                                                                                           \
    (void) e, (void) count, (void) joined;                                                    \
    return 0;                                                                                 \
  }                                                                                           \
  static inline size_t rows_##name##_##OP (T *r, const T *e, size_t count, T sum)             \
  {                                                                                           \
    (void) r, (void) e, (void) count, (void) sum;                                             \
    return 0;                                                                                 \
  }                                                                                           \
  static inline size_t pairs_##name##_##OP (T *results, const T *a, const T *b, size_t count) \
  {                                                                                           \
    (void) results, (void) a, (void) b, (void) count;                                         \
    return 0;                                                                                 \
  }

#define OPERATION(name, T, W, OP)                                                                  \
  /* What is left of steps or is too little for them: elements from *BEGIN on. */                  \
  static inline T lanes_##name##_##OP (const T *e, size_t *begin, size_t count)                    \
  {                                                                                                \
    T lane[LANES];                                                                                 \
    size_t i = *begin + LANES;                                                                     \
                                                                                                   \
    memcpy (lane, e + *begin, sizeof lane);                                                        \
    for (; i + LANES <= count; i += LANES)                                                         \
      {                                                                                            \
        EIGHT (0, lane[L] = OP (T, W, lane[L], e[i + L]))                                          \
      }                                                                                            \
    *begin = i;                                                                                    \
    for (int half = LANES / 2; half > 0; half /= 2)                                                \
      for (int l = 0; l < half; l++)                                                               \
        lane[l] = OP (T, W, lane[l], lane[l + half]);                                              \
    return lane[0];                                                                                \
  }                                                                                                \
  /* As many as can be done at once. COUNT is at least 2 * LANES. */                               \
  static size_t many_##name##_##OP (const T *e, size_t count, T *joined)                           \
  {                                                                                                \
    size_t i = steps_##name##_##OP (e, count, joined);                                             \
    bool is_begun = i > 0;                                                                         \
    T rest;                                                                                        \
                                                                                                   \
    if (count - i < 2 * LANES)                                                                     \
      return i;                                                                                    \
    rest = lanes_##name##_##OP (e, &i, count);                                                     \
    *joined = is_begun ? OP (T, W, *joined, rest) : rest;                                          \
    return i;                                                                                      \
  }                                                                                                \
  static void fold_##name##_##OP (const struct upcr_operator *op, void *result, const void *carry, \
                                  const void *elements, size_t count)                              \
  {                                                                                                \
    const T *e = elements;                                                                         \
    T sum = e[0];                                                                                  \
    size_t i = 1;                                                                                  \
                                                                                                   \
    (void) op;                                                                                     \
    if (__builtin_expect (count >= 2 * LANES, 0))                                                  \
      i = many_##name##_##OP (e, count, &sum);                                                     \
    if (carry)                                                                                     \
      sum = OP (T, W, *(const T *) carry, sum);                                                    \
    for (; i < count; i++)                                                                         \
      sum = OP (T, W, sum, e[i]);                                                                  \
    *(T *) result = sum;                                                                           \
  }                                                                                                \
  static inline void run_##name##_##OP (T *r, const T *e, size_t count, T sum)                     \
  {                                                                                                \
    for (size_t i = 0; i < count; i++)                                                             \
      r[i] = sum = OP (T, W, sum, e[i]);                                                           \
  }                                                                                                \
  static void scan_##name##_##OP (const struct upcr_operator *op, void *results,                   \
                                  const void *elements, size_t count, const void *carry)           \
  {                                                                                                \
    const T *e = elements;                                                                         \
    T *r = results, sum = carry ? OP (T, W, *(const T *) carry, e[0]) : e[0];                      \
    size_t i = 1;                                                                                  \
                                                                                                   \
    (void) op;                                                                                     \
    r[0] = sum;                                                                                    \
    if (count >= SCAN_ROWS * SCAN_LANES)                                                           \
      {                                                                                            \
        i += rows_##name##_##OP (r + i, e + i, count - i, sum);                                    \
        sum = r[i - 1];                                                                            \
      }                                                                                            \
    run_##name##_##OP (r + i, e + i, count - i, sum);                                              \
  }                                                                                                \
  static void join_##name##_##OP (void *results, const void *left, const void *right,              \
                                  size_t count)                                                    \
  {                                                                                                \
    const T *a = left, *b = right;                                                                 \
    T *r = results;                                                                                \
                                                                                                   \
    for (size_t i = pairs_##name##_##OP (r, a, b, count); i < count; i++)                          \
      r[i] = OP (T, W, a[i], b[i]);                                                                \
  }

#define FUNCTION(name, T)                                                                    \
  static void fold_##name##_function (const struct upcr_operator *op, void *result,          \
                                      const void *carry, const void *elements, size_t count) \
  {                                                                                          \
    T (*function) (T, T) = (T (*) (T, T)) op->function;                                      \
    const T *e = elements;                                                                   \
    T sum = carry ? function (*(const T *) carry, e[0]) : e[0];                              \
                                                                                             \
    for (size_t i = 1; i < count; i++)                                                       \
      sum = function (sum, e[i]);                                                            \
    *(T *) result = sum;                                                                     \
  }                                                                                          \
  static void scan_##name##_function (const struct upcr_operator *op, void *results,         \
                                      const void *elements, size_t count, const void *carry) \
  {                                                                                          \
    T (*function) (T, T) = (T (*) (T, T)) op->function;                                      \
    const T *e = elements;                                                                   \
    T *r = results, sum = carry ? function (*(const T *) carry, e[0]) : e[0];                \
                                                                                             \
    r[0] = sum;                                                                              \
    for (size_t i = 1; i < count; i++)                                                       \
      r[i] = sum = function (sum, e[i]);                                                     \
  }

#define VECTORIZED(name, T, U, W, OP) \
  VECTOR_FOLD (name, T, U, W, OP)     \
  OPERATION (name, T, W, OP)
#define PLAIN(name, T, W, OP)  \
  NO_VECTOR_FOLD (name, T, OP) \
  OPERATION (name, T, W, OP)

#define NUMBERS(name, T, U, W)     \
  VECTORIZED (name, T, U, W, ADD)  \
  VECTORIZED (name, T, U, W, MULT) \
  VECTORIZED (name, T, U, W, MIN)  \
  VECTORIZED (name, T, U, W, MAX)  \
  PLAIN (name, T, W, LOGAND)       \
  PLAIN (name, T, W, LOGOR)        \
  FUNCTION (name, T)

#define INTEGERS(name, T, U, W)   \
  NUMBERS (name, T, U, W)         \
  VECTORIZED (name, T, U, W, AND) \
  VECTORIZED (name, T, U, W, OR)  \
  VECTORIZED (name, T, U, W, XOR)

/* There are no vectors of these. */
#define LONG_DOUBLES(name, T) \
  PLAIN (name, T, T, ADD)     \
  PLAIN (name, T, T, MULT)    \
  PLAIN (name, T, T, MIN)     \
  PLAIN (name, T, T, MAX)     \
  PLAIN (name, T, T, LOGAND)  \
  PLAIN (name, T, T, LOGOR)   \
  FUNCTION (name, T)

INTEGERS (c, schar, uchar, uint)
INTEGERS (uc, uchar, uchar, uint)
INTEGERS (s, short, ushort, uint)
INTEGERS (us, ushort, ushort, uint)
INTEGERS (i, int, uint, uint)
INTEGERS (ui, uint, uint, uint)
INTEGERS (l, long, ulong, ulong)
INTEGERS (ul, ulong, ulong, ulong)
NUMBERS (f, float, float, float)
NUMBERS (d, double, double, double)
LONG_DOUBLES (ld, long double)

/* By bit of upc_op_t, then what takes a function, which is left out. */
#define OPERATOR(n, T, OP, join, pairs, each)                                                \
  {                                                                                          \
    fold_##n##_##OP, scan_##n##_##OP, join, pairs, each, sizeof (T), true, 0, 0, NULL, false \
  }
#define BUILT_IN(n, T, OP) OPERATOR (n, T, OP, join_##n##_##OP, NULL, NULL)
#define WIDE(n, T, OP) \
  OPERATOR (n, T, OP, join_##n##_##OP, pairs_apart_##n##_##OP, each_apart_##n##_##OP)
#define BITS(n, T, IN) [2] = IN (n, T, AND), [3] = IN (n, T, OR), [4] = IN (n, T, XOR)
#define NO_BITS(n, T, IN) [2] = { 0 }
/* IN: how what there are vectors of is in the table. */
#define ROW(n, T, BITS, IN)                                                                       \
  {                                                                                               \
    [0] = IN (n, T, ADD), [1] = IN (n, T, MULT),                                                  \
    BITS (n, T, IN), [5] = BUILT_IN (n, T, LOGAND), [6] = BUILT_IN (n, T, LOGOR),                 \
    [7] = IN (n, T, MIN), [8] = IN (n, T, MAX), [9] = OPERATOR (n, T, function, NULL, NULL, NULL) \
  }

const struct upcr_operator upcr_operators[UPCR_COLL_TYPES][UPCR_OPERATIONS + 1] = {
  [UPCR_C] = ROW (c, signed char, BITS, BUILT_IN),
  [UPCR_UC] = ROW (uc, unsigned char, BITS, BUILT_IN),
  [UPCR_S] = ROW (s, short, BITS, BUILT_IN),
  [UPCR_US] = ROW (us, unsigned short, BITS, BUILT_IN),
  [UPCR_I] = ROW (i, int, BITS, WIDE),
  [UPCR_UI] = ROW (ui, unsigned, BITS, WIDE),
  [UPCR_L] = ROW (l, long, BITS, WIDE),
  [UPCR_UL] = ROW (ul, unsigned long, BITS, WIDE),
  [UPCR_F] = ROW (f, float, NO_BITS, WIDE),
  [UPCR_D] = ROW (d, double, NO_BITS, WIDE),
  [UPCR_LD] = ROW (ld, long double, NO_BITS, BUILT_IN),
};

struct upcr_operator
upcr_operator_with (enum upcr_coll_type type, bool is_commutative, void (*function) (void))
{
  struct upcr_operator operator= upcr_operators[type][UPCR_OPERATIONS];

  operator.is_commutative = is_commutative;
  operator.function = function;
  operator.is_synchronous = true;
  return operator;
}
