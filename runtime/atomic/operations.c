/* One function for each type, operation and kind of access.

   Integers are added to, masked and exchanged by one instruction; the rest are loops
   around a compare-and-swap of the object's bits. All arithmetic on integers is done
   on unsigned ones: it wraps around.

   Orders. A relaxed operation is atomic and orders nothing. A strict one is a strict
   read and write (UPC 1.3, B.3.1): seq_cst, and where no read-modify-write instruction
   is part of it, a fence, since a seq_cst load alone passes earlier relaxed stores.
   The first load of a loop may be relaxed: the exchange says whether it was right. */

#include "runtime/atomic/operations.h"

#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#include <stdatomic.h>
#include <string.h>

#define ORDER_relaxed memory_order_relaxed
#define ORDER_strict memory_order_seq_cst
#define FENCE_relaxed() ((void) 0)
#define FENCE_strict() upcr_strict_fence ()
#define WITH_RMW_relaxed() ((void) 0)
#define WITH_RMW_strict() upcr_fence_after_rmw ()

#define FUNCTION(name, operation, order)                                                     \
  static void name##_##operation##_##order (void *target, void *fetch, const void *operand1, \
                                            const void *operand2)

/* Not every operation has every operand. */
#define UNUSED() ((void) fetch, (void) operand1, (void) operand2)

/* The value of OPERAND, which need not be aligned. */
#define VALUE(type, operand)                  \
  ({                                          \
    type value_;                              \
    memcpy (&value_, operand, sizeof value_); \
    value_;                                   \
  })

#define CONVERT(to, from)           \
  ({                                \
    __typeof__ (from) from_ = from; \
    VALUE (to, &from_);             \
  })

static inline void
keep (void *fetch, const void *old, size_t bytes)
{
  if (fetch)
    memcpy (fetch, old, bytes);
}

/* GET, SET and CSWAP. The exchange is tried with the operand's own bits first: where
   other bits are equal to it as well, as the other zero is, it is tried with those. */
#define ACCESSORS(name, type, bits, equal, order)                                          \
  FUNCTION (name, get, order)                                                              \
  {                                                                                        \
    UNUSED ();                                                                             \
    FENCE_##order ();                                                                      \
    bits old = atomic_load_explicit ((_Atomic bits *) target, ORDER_##order);              \
    keep (fetch, &old, sizeof old);                                                        \
  }                                                                                        \
  FUNCTION (name, set, order)                                                              \
  {                                                                                        \
    bits new = VALUE (bits, operand1);                                                     \
                                                                                           \
    UNUSED ();                                                                             \
    if (fetch || ORDER_##order == memory_order_seq_cst)                                    \
      {                                                                                    \
        bits old = atomic_exchange_explicit ((_Atomic bits *) target, new, ORDER_##order); \
        WITH_RMW_##order ();                                                               \
        keep (fetch, &old, sizeof old);                                                    \
      }                                                                                    \
    else                                                                                   \
      atomic_store_explicit ((_Atomic bits *) target, new, ORDER_##order);                 \
  }                                                                                        \
  FUNCTION (name, cswap, order)                                                            \
  {                                                                                        \
    bits seen = VALUE (bits, operand1), new = VALUE (bits, operand2);                      \
    type expected = CONVERT (type, seen);                                                  \
                                                                                           \
    while (!atomic_compare_exchange_strong_explicit ((_Atomic bits *) target, &seen, new,  \
                                                     ORDER_##order, ORDER_##order)         \
           && equal (CONVERT (type, seen), expected))                                      \
      continue;                                                                            \
    WITH_RMW_##order ();                                                                   \
    keep (fetch, &seen, sizeof seen);                                                      \
  }

/* What one instruction does; a shorter one where nobody wants the old value. */
#define DIRECT(name, bits, operation, function, operand, order)                \
  FUNCTION (name, operation, order)                                            \
  {                                                                            \
    UNUSED ();                                                                 \
    if (fetch)                                                                 \
      {                                                                        \
        bits old = function ((_Atomic bits *) target, operand, ORDER_##order); \
        memcpy (fetch, &old, sizeof old);                                      \
      }                                                                        \
    else                                                                       \
      (void) function ((_Atomic bits *) target, operand, ORDER_##order);       \
    WITH_RMW_##order ();                                                       \
  }

/* RESULT is computed as RESULT_TYPE from the values `old` and, with an operand,
   `value` of TYPE. */
#define LOOP(name, type, bits, operation, setup, result_type, result, order)              \
  FUNCTION (name, operation, order)                                                       \
  {                                                                                       \
    bits seen = atomic_load_explicit ((_Atomic bits *) target, memory_order_relaxed);     \
    bits new;                                                                             \
    setup                                                                                 \
                                                                                          \
    UNUSED ();                                                                            \
    do                                                                                    \
      {                                                                                   \
        type old = CONVERT (type, seen);                                                  \
        result_type result_ = result;                                                     \
        new = CONVERT (bits, result_);                                                    \
      }                                                                                   \
    while (!atomic_compare_exchange_weak_explicit ((_Atomic bits *) target, &seen, new,   \
                                                   ORDER_##order, memory_order_relaxed)); \
    WITH_RMW_##order ();                                                                  \
    keep (fetch, &seen, sizeof seen);                                                     \
  }

#define WITH_VALUE(type) type value = VALUE (type, operand1);
#define ALONE

#define IS_EQUAL(a, b) ((a) == (b))

/* As 7.3.1 has them: it shows where one is a NaN, or both are zeros. */
#define EXTREMA(name, type, bits, order)                                                  \
  LOOP (name, type, bits, min, WITH_VALUE (type), type, old < value ? old : value, order) \
  LOOP (name, type, bits, max, WITH_VALUE (type), type, old > value ? old : value, order)

#define INTEGER(name, type, bits, order)                                             \
  ACCESSORS (name, type, bits, IS_EQUAL, order)                                      \
  EXTREMA (name, type, bits, order)                                                  \
  LOOP (name, bits, bits, mult, WITH_VALUE (bits), bits, old *value, order)          \
  DIRECT (name, bits, add, atomic_fetch_add_explicit, VALUE (bits, operand1), order) \
  DIRECT (name, bits, sub, atomic_fetch_sub_explicit, VALUE (bits, operand1), order) \
  DIRECT (name, bits, inc, atomic_fetch_add_explicit, 1, order)                      \
  DIRECT (name, bits, dec, atomic_fetch_sub_explicit, 1, order)                      \
  DIRECT (name, bits, and, atomic_fetch_and_explicit, VALUE (bits, operand1), order) \
  DIRECT (name, bits, or, atomic_fetch_or_explicit, VALUE (bits, operand1), order)   \
  DIRECT (name, bits, xor, atomic_fetch_xor_explicit, VALUE (bits, operand1), order)

#define FLOATING(name, type, bits, order)                                   \
  ACCESSORS (name, type, bits, IS_EQUAL, order)                             \
  EXTREMA (name, type, bits, order)                                         \
  LOOP (name, type, bits, mult, WITH_VALUE (type), type, old *value, order) \
  LOOP (name, type, bits, add, WITH_VALUE (type), type, old + value, order) \
  LOOP (name, type, bits, sub, WITH_VALUE (type), type, old - value, order) \
  LOOP (name, type, bits, inc, ALONE, type, old + 1, order)                 \
  LOOP (name, type, bits, dec, ALONE, type, old - 1, order)

#ifdef UPCR_PTS_STRUCT

/* 16 bytes, aligned for 8: no instruction takes them at once. A table of locks does,
   by address: 0 is free, 1 held. Only operations of a domain need be atomic. */
enum
{
  LOCKS = 64
};

static struct
{
  _Alignas(64) _Atomic uint32_t word;
} locks[LOCKS];

static _Atomic uint32_t *
hold (const void *target)
{
  _Atomic uint32_t *word = &locks[(uintptr_t) target / sizeof (upcr_pts) % LOCKS].word;

  while (atomic_exchange_explicit (word, 1, memory_order_acquire) != 0)
    upcr_park_while (word, 1);
  return word;
}

static void
release (_Atomic uint32_t *word)
{
  atomic_store_explicit (word, 0, memory_order_release);
  upcr_unpark_all (word);
}

#define UNDER_LOCK(name, operation, statement, order) \
  FUNCTION (name, operation, order)                   \
  {                                                   \
    upcr_pts old;                                     \
                                                      \
    UNUSED ();                                        \
    FENCE_##order ();                                 \
    _Atomic uint32_t *lock = hold (target);           \
    memcpy (&old, target, sizeof old);                \
    statement;                                        \
    release (lock);                                   \
    FENCE_##order ();                                 \
    keep (fetch, &old, sizeof old);                   \
  }

#define POINTER(name, order)                                           \
  UNDER_LOCK (name, get, (void) 0, order)                              \
  UNDER_LOCK (name, set, memcpy (target, operand1, sizeof old), order) \
  UNDER_LOCK (name, cswap,                                             \
              if (upcr_pts_equal (old, VALUE (upcr_pts, operand1)))    \
                  memcpy (target, operand2, sizeof old),               \
              order)

enum
{
  FAST_ON_POINTERS = 0
};

#else

#define POINTER(name, order) ACCESSORS (name, upcr_pts, uint64_t, upcr_pts_equal, order)

enum
{
  FAST_ON_POINTERS = UPC_GET | UPC_SET | UPC_CSWAP
};

#endif

#define BOTH(kind, ...) kind (__VA_ARGS__, relaxed) kind (__VA_ARGS__, strict)

BOTH (INTEGER, int, int32_t, uint32_t)
BOTH (INTEGER, uint, uint32_t, uint32_t)
BOTH (INTEGER, long, int64_t, uint64_t)
BOTH (INTEGER, ulong, uint64_t, uint64_t)
BOTH (FLOATING, float, float, uint32_t)
BOTH (FLOATING, double, double, uint64_t)
BOTH (POINTER, pointer)

/* By bit: UPC_ADD 0, MULT 1, AND 2, OR 3, XOR 4, MIN 7, MAX 8, GET 9, SET 10, CSWAP 11,
   SUB 12, INC 13, DEC 14. */
#define POINTER_ROW(n, o) [9] = n##_get_##o, [10] = n##_set_##o, [11] = n##_cswap_##o
#define FLOATING_ROW(n, o)                                                                         \
  [0] = n##_add_##o, [1] = n##_mult_##o, [7] = n##_min_##o, [8] = n##_max_##o, [12] = n##_sub_##o, \
  [13] = n##_inc_##o, [14] = n##_dec_##o, POINTER_ROW (n, o)
#define INTEGER_ROW(n, o) \
  [2] = n##_and_##o, [3] = n##_or_##o, [4] = n##_xor_##o, FLOATING_ROW (n, o)

enum
{
  ACCESSES = UPC_GET | UPC_SET | UPC_CSWAP,
  STEPS = UPC_ADD | UPC_SUB | UPC_INC | UPC_DEC,
  LOOPS = UPC_MULT | UPC_MIN | UPC_MAX,
  MASKS = UPC_AND | UPC_OR | UPC_XOR
};

#define TYPE(number, row, name, size, all, fast) \
  [number] = { number, size, all, fast, { row (name, relaxed) }, { row (name, strict) } }

static const struct upcr_atomic_type types[] = {
  TYPE (UPC_INT, INTEGER_ROW, int, 4, ACCESSES | STEPS | LOOPS | MASKS, ACCESSES | STEPS | MASKS),
  TYPE (UPC_UINT, INTEGER_ROW, uint, 4, ACCESSES | STEPS | LOOPS | MASKS, ACCESSES | STEPS | MASKS),
  TYPE (UPC_LONG, INTEGER_ROW, long, 8, ACCESSES | STEPS | LOOPS | MASKS, ACCESSES | STEPS | MASKS),
  TYPE (UPC_ULONG, INTEGER_ROW, ulong, 8, ACCESSES | STEPS | LOOPS | MASKS,
        ACCESSES | STEPS | MASKS),
  TYPE (UPC_FLOAT, FLOATING_ROW, float, 4, ACCESSES | STEPS | LOOPS, ACCESSES),
  TYPE (UPC_DOUBLE, FLOATING_ROW, double, 8, ACCESSES | STEPS | LOOPS, ACCESSES),
  TYPE (UPC_PTS, POINTER_ROW, pointer, sizeof (upcr_pts), ACCESSES, FAST_ON_POINTERS),
};

const struct upcr_atomic_type *
upcr_atomic_type_of (upc_type_t type)
{
  static const unsigned char representative[] = {
    [UPC_INT] = UPC_INT,       [UPC_UINT] = UPC_UINT,    [UPC_LONG] = UPC_LONG,
    [UPC_ULONG] = UPC_ULONG,   [UPC_INT32] = UPC_INT,    [UPC_UINT32] = UPC_UINT,
    [UPC_INT64] = UPC_LONG,    [UPC_UINT64] = UPC_ULONG, [UPC_FLOAT] = UPC_FLOAT,
    [UPC_DOUBLE] = UPC_DOUBLE, [UPC_PTS] = UPC_PTS,
  };

  if (type < 0 || type >= (int) sizeof representative || representative[type] == 0)
    return NULL;
  return &types[representative[type]];
}
