/* Atomic operations: each type and operation against a model, then with all threads at one
   object. */

#include "tests/unit/atomic/atomic.h"

#include <limits.h>
#include <string.h>

enum { ROUNDS = 1000 };

/* What OP makes of OLD; U is the unsigned type, which wraps around. */
#define MODEL(name, T, U, MASKED)                                               \
  static T model_##name (upc_op_t op, T old, T a, T b)                          \
  {                                                                             \
    MASKED                                                                      \
    switch (op)                                                                 \
      {                                                                         \
      case UPC_SET: return a;                                                   \
      case UPC_CSWAP: return old == a ? b : old;                                \
      case UPC_ADD: return (T) ((U) old + (U) a);                               \
      case UPC_SUB: return (T) ((U) old - (U) a);                               \
      case UPC_MULT: return (T) ((U) old * (U) a);                              \
      case UPC_INC: return (T) ((U) old + 1);                                   \
      case UPC_DEC: return (T) ((U) old - 1);                                   \
      case UPC_MIN: return old < a ? old : a;                                   \
      case UPC_MAX: return old > a ? old : a;                                   \
      default: return old;                                                      \
      }                                                                         \
  }

#define MASKED_CASES                                                            \
  if (op == UPC_AND || op == UPC_OR || op == UPC_XOR)                           \
    return op == UPC_AND ? old & a : op == UPC_OR ? old | a : old ^ a;

static const upc_op_t each_op[]
  = { UPC_GET, UPC_SET, UPC_CSWAP, UPC_ADD, UPC_SUB, UPC_MULT, UPC_INC,
      UPC_DEC, UPC_MIN, UPC_MAX, UPC_AND, UPC_OR,  UPC_XOR };
enum { OPS = sizeof each_op / sizeof *each_op };

static bool
has_operand1 (upc_op_t op)
{
  return op != UPC_GET && op != UPC_INC && op != UPC_DEC;
}

/* Every operation on every pair of VALUES, with and without the old value. */
#define SINGLES(name, T, U, MASKED, ops, ...)                                   \
  MODEL (name, T, U, MASKED)                                                    \
  static void single_##name (upc_type_t type, operate *f)                       \
  {                                                                             \
    static const T values[] = { __VA_ARGS__ };                                  \
    enum { VALUES = sizeof values / sizeof *values };                           \
    upcr_pts object = new_object (sizeof (T));                                  \
    upcr_pts domain = upc_all_atomicdomain_alloc (type, ops, 0);                \
    volatile T *at = (T *) upcr_pts_address (object);                           \
                                                                                \
    for (int o = 0; MYTHREAD == 0 && o < OPS; o++)                              \
      for (int i = 0; ((ops) & each_op[o]) && i < 2 * VALUES * VALUES; i++)     \
        {                                                                       \
          T old = values[i % VALUES], a = values[i / 2 / VALUES], b = values[(i + 1) % VALUES]; \
          T fetched = 77, expected = model_##name (each_op[o], old, a, b);      \
          bool fetches = i % 2 || each_op[o] == UPC_GET;                        \
                                                                                \
          *at = old;                                                            \
          f (domain, fetches ? &fetched : NULL, each_op[o], object,             \
             has_operand1 (each_op[o]) ? &a : NULL, each_op[o] == UPC_CSWAP ? &b : NULL); \
          CHECK (*at == expected && fetched == (fetches ? old : 77));           \
        }                                                                       \
    upc_all_atomicdomain_free (domain);                                         \
    upcr_all_free (object);                                                     \
  }

/* All threads at one object. What each operation leaves is known whatever their
   order: sums and products; extremes; one bit of each thread; a counter by
   compare-and-swap; and tokens by exchange, of which none is lost or doubled. */
#define CONTENTION(name, T, ops, fold, factor, unfactor)                        \
  static void contend_##name (upc_type_t type, operate *f)                      \
  {                                                                             \
    upcr_pts object[6], taken = new_object (sizeof (T));                        \
    upcr_pts domain = upc_all_atomicdomain_alloc (type, ops, 0);                \
    T two = factor, half = unfactor, three = 3, one = 1, old, given, sum = 0;   \
    T mine = 10 + MYTHREAD, lowest = 90 - MYTHREAD;                             \
                                                                                \
    for (int i = 0; i < 6; i++)                                                 \
      {                                                                         \
        object[i] = new_object (sizeof (T));                                    \
        if (MYTHREAD == 0)                                                      \
          *(T *) upcr_pts_address (object[i]) = i == 1 ? 1 : i == 3 ? 100 : 0;   \
      }                                                                         \
    if (MYTHREAD == 0)                                                          \
      *(T *) upcr_pts_address (taken) = 0;                                      \
    barrier ();                                                                 \
    for (int i = 0; i < ROUNDS; i++)                                            \
      {                                                                         \
        f (domain, &old, UPC_ADD, object[0], &three, NULL);                     \
        f (domain, NULL, UPC_SUB, object[0], &one, NULL);                       \
        f (domain, i % 2 ? &old : NULL, UPC_INC, object[0], NULL, NULL);        \
        f (domain, i % 2 ? NULL : &old, UPC_DEC, object[0], NULL, NULL);        \
        f (domain, NULL, UPC_MULT, object[1], i % 2 ? &half : &two, NULL);      \
        f (domain, NULL, UPC_MAX, object[2], &mine, NULL);                      \
        f (domain, NULL, UPC_MIN, object[3], &lowest, NULL);                    \
        f (domain, &old, UPC_GET, object[4], NULL, NULL);                       \
        do                                                                      \
          {                                                                     \
            given = old;                                                        \
            T next = given + 1;                                                 \
            f (domain, &old, UPC_CSWAP, object[4], &given, &next);              \
          }                                                                     \
        while (old != given);                                                   \
        given = MYTHREAD + 1;                                                   \
        f (domain, &old, UPC_SET, object[5], &given, NULL);                     \
        sum += old;                                                             \
      }                                                                         \
    f (domain, NULL, UPC_ADD, taken, &sum, NULL);                               \
    barrier ();                                                                 \
    T n = (T) ROUNDS * THREADS;                                                 \
    CHECK (*(T *) upcr_pts_address (object[0]) == 2 * n);                       \
    CHECK (*(T *) upcr_pts_address (object[1]) == fold);                        \
    CHECK (*(T *) upcr_pts_address (object[2]) == (T) (10 + THREADS - 1));      \
    CHECK (*(T *) upcr_pts_address (object[3]) == (T) (90 - THREADS + 1));      \
    CHECK (*(T *) upcr_pts_address (object[4]) == n);                           \
    CHECK (*(T *) upcr_pts_address (taken) + *(T *) upcr_pts_address (object[5]) \
           == (T) ROUNDS * (T) (THREADS * (THREADS + 1) / 2));                  \
    barrier ();                                                                 \
    for (int i = 0; i < 6; i++)                                                 \
      upcr_all_free (object[i]);                                                \
    upcr_all_free (taken);                                                      \
    upc_all_atomicdomain_free (domain);                                         \
  }

#define BITS(name, T)                                                           \
  static void bits_##name (upc_type_t type, operate *f)                         \
  {                                                                             \
    upcr_pts domain = upc_all_atomicdomain_alloc (type, MASKS, 0);              \
    upcr_pts object[3];                                                         \
    T bit = (T) 1 << (sizeof (T) * CHAR_BIT - 1 - MYTHREAD), others = ~bit, old; \
    T all = (T) -1 << (sizeof (T) * CHAR_BIT - 1 - (THREADS - 1));              \
                                                                                \
    for (int i = 0; i < 3; i++)                                                 \
      {                                                                         \
        object[i] = new_object (sizeof (T));                                    \
        if (MYTHREAD == 0)                                                      \
          *(T *) upcr_pts_address (object[i]) = i == 0 ? (T) -1 : 5;            \
      }                                                                         \
    barrier ();                                                                 \
    for (int i = 0; i < ROUNDS + 1; i++)                                        \
      {                                                                         \
        f (domain, &old, UPC_XOR, object[2], &bit, NULL);                       \
        CHECK (((old & bit) != 0) == (i % 2));                                  \
        f (domain, i % 2 ? &old : NULL, UPC_OR, object[1], &bit, NULL);         \
        f (domain, i % 2 ? NULL : &old, UPC_AND, object[0], &others, NULL);     \
      }                                                                         \
    barrier ();                                                                 \
    CHECK (*(T *) upcr_pts_address (object[0]) == (T) ~all);                    \
    CHECK (*(T *) upcr_pts_address (object[1]) == (T) (all | 5));               \
    CHECK (*(T *) upcr_pts_address (object[2]) == (T) (all | 5));               \
    upc_all_atomicdomain_free (domain);                                         \
  }

/* 3 to the power of 4 * ROUNDS, as unsigned arithmetic has it. */
static uint64_t
power_of_3 (void)
{
  uint64_t product = 1;

  for (int i = 0; i < ROUNDS * THREADS; i++)
    product *= 3;
  return product;
}

#define INTEGER(name, T, U, ...)                                                \
  SINGLES (name, T, U, MASKED_CASES, ACCESSES | NUMBERS | MASKS, __VA_ARGS__)   \
  CONTENTION (name, T, ACCESSES | NUMBERS, (T) (U) power_of_3 (), 3, 3)         \
  BITS (name, U)

#define FLOATING(name, T)                                                       \
  SINGLES (name, T, T, , ACCESSES | NUMBERS, 0, 1, -1, 0.5, -2.25, 1e30f, 3, -1e-30f) \
  CONTENTION (name, T, ACCESSES | NUMBERS, 1, 2, 0.5)                           \
  static void bits_##name (upc_type_t type, operate *f)                         \
  {                                                                             \
    (void) type, (void) f;                                                      \
  }

INTEGER (int, int, unsigned, 0, 1, -1, 5, INT_MAX, INT_MIN, 0x55555555, -77)
INTEGER (uint, unsigned, unsigned, 0, 1, -1u, 5, 0x80000000u, 0x7fffffff, 0x55555555, 77)
INTEGER (long, long, unsigned long, 0, 1, -1, 5, LONG_MAX, LONG_MIN, 0x5555555555555555, -77)
INTEGER (ulong, unsigned long, unsigned long, 0, 1, -1ul, 5, 1ul << 63, LONG_MAX, 1ul << 32, 77)
FLOATING (float, float)
FLOATING (double, double)

static const struct
{
  upc_type_t type;
  void (*single) (upc_type_t type, operate *f);
  void (*contend) (upc_type_t type, operate *f);
  void (*bits) (upc_type_t type, operate *f);
} types[] = {
  { UPC_INT, single_int, contend_int, bits_int },
  { UPC_UINT, single_uint, contend_uint, bits_uint },
  { UPC_LONG, single_long, contend_long, bits_long },
  { UPC_ULONG, single_ulong, contend_ulong, bits_ulong },
  { UPC_INT32, single_int, contend_int, bits_int },
  { UPC_UINT32, single_uint, contend_uint, bits_uint },
  { UPC_INT64, single_long, contend_long, bits_long },
  { UPC_UINT64, single_ulong, contend_ulong, bits_ulong },
  { UPC_FLOAT, single_float, contend_float, bits_float },
  { UPC_DOUBLE, single_double, contend_double, bits_double },
};
enum { TYPES = sizeof types / sizeof *types };

static void
single_threads (void)
{
  for (int i = 0; i < TYPES; i++)
    {
      types[i].single (types[i].type, upc_atomic_relaxed);
      types[i].single (types[i].type, upc_atomic_strict);
    }
}

static void
contending_threads (void)
{
  for (int i = 0; i < TYPES; i++)
    {
      types[i].contend (types[i].type, upc_atomic_relaxed);
      types[i].contend (types[i].type, upc_atomic_strict);
      types[i].bits (types[i].type, upc_atomic_relaxed);
      types[i].bits (types[i].type, upc_atomic_strict);
    }
}

static void
test_each_operation (void **state)
{
  (void) state;
  expect_good (1, 0, single_threads);
  expect_good (2, 0, single_threads);
}

static void
test_contention (void **state)
{
  (void) state;
  expect_good (ALL_THREADS, 0, contending_threads);
}

/* The two zeros are equal, as == has it. */
static void
swap_zeros (void)
{
  upcr_pts object = new_object (sizeof (double));
  upcr_pts domain = upc_all_atomicdomain_alloc (UPC_DOUBLE, UPC_CSWAP, 0);
  double zero = 0, new = 4, old = 1;

  *(double *) upcr_pts_address (object) = -0.0;
  upc_atomic_relaxed (domain, &old, UPC_CSWAP, object, &zero, &new);
  CHECK (old == 0 && __builtin_signbit (old) && *(double *) upcr_pts_address (object) == 4);
}

/* op1 < op2 ? op1 : op2 has the second one where the two are not ordered. */
static void
extrema_without_order (void)
{
  upcr_pts object = new_object (sizeof (double));
  upcr_pts domain = upc_all_atomicdomain_alloc (UPC_DOUBLE, UPC_MIN | UPC_MAX, 0);
  static const upc_op_t operations[] = { UPC_MIN, UPC_MAX };
  double *value = (double *) upcr_pts_address (object), one = 1, nan = __builtin_nan (""), zero = -0.0;

  for (int i = 0; i < 2; i++)
    {
      *value = nan;
      upc_atomic_relaxed (domain, NULL, operations[i], object, &one, NULL);
      CHECK (*value == 1);
      upc_atomic_strict (domain, NULL, operations[i], object, &nan, NULL);
      CHECK (__builtin_isnan (*value));
      *value = 0.0;
      upc_atomic_relaxed (domain, NULL, operations[i], object, &zero, NULL);
      CHECK (*value == 0 && __builtin_signbit (*value));
    }
}

static void
test_extrema_without_order (void **state)
{
  (void) state;
  expect_good (1, 0, extrema_without_order);
}

static void
test_equal_values_with_other_bits (void **state)
{
  (void) state;
  expect_good (1, 0, swap_zeros);
}

/* Pointers: a compare-and-swap looks at the object, not at the phase; and a stack of
   numbers goes from thread to thread by exchange. */
static void
pointers (void)
{
  upcr_pts object = new_object (2 * sizeof (upcr_pts));
  upcr_pts domain = upc_all_atomicdomain_alloc (UPC_PTS, ACCESSES, 0);
  upcr_pts a = upcr_pts_make (0, 8192, 3), same = upcr_pts_make (0, 8192, 9);
  upcr_pts b = upcr_pts_make (1, 8192, 3), old = upcr_pts_null (), given;
  operate *each[] = { upc_atomic_relaxed, upc_atomic_strict };

  for (int i = 0; i < 2 && MYTHREAD == 0; i++)
    {
      each[i] (domain, NULL, UPC_SET, object, &a, NULL);
      each[i] (domain, &old, UPC_CSWAP, object, &b, &same);
      CHECK (memcmp (&old, &a, sizeof a) == 0);
      each[i] (domain, &old, UPC_CSWAP, object, &same, &b);
      CHECK (memcmp (&old, &a, sizeof a) == 0);
      each[i] (domain, &old, UPC_SET, object, &same, NULL);
      CHECK (memcmp (&old, &b, sizeof b) == 0);
      each[i] (domain, &old, UPC_GET, object, NULL, NULL);
      CHECK (memcmp (&old, &same, sizeof same) == 0);
    }
  barrier ();
  for (int i = 0; i < 2 * ROUNDS; i++)
    {
      /* A torn pointer would have one thread's number and another's offset. */
      given = upcr_pts_make (MYTHREAD % 2, 16384 + 64 * (MYTHREAD % 2), MYTHREAD % 2);
      each[i % 2] (domain, &old, UPC_SET, object, &given, NULL);
      if (upcr_pts_offset (old) >= 16384)
        CHECK (upcr_pts_offset (old) == 16384 + 64 * upcr_pts_thread (old)
               && upcr_pts_phase (old) == upcr_pts_thread (old));
    }
  upc_all_atomicdomain_free (domain);
}

static void
test_pointers (void **state)
{
  (void) state;
  expect_good (1, 0, pointers);
  expect_good (ALL_THREADS, 0, pointers);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_each_operation),
    cmocka_unit_test (test_contention),
    cmocka_unit_test (test_equal_values_with_other_bits),
    cmocka_unit_test (test_extrema_without_order),
    cmocka_unit_test (test_pointers),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
