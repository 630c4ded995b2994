/* In place of the system's header: each atomic operation is a call of the explorer, with the
   place in the source where it stands. */

#ifndef EXPLORE_STDATOMIC_H
#define EXPLORE_STDATOMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum
{
  memory_order_relaxed,
  memory_order_consume,
  memory_order_acquire,
  memory_order_release,
  memory_order_acq_rel,
  memory_order_seq_cst
} memory_order;

typedef _Atomic bool atomic_bool;

/* An operation in the source. Known once it has been reached. */
struct explore_site
{
  const char *file;
  int line;
  const char *function, *operation, *operand;
  memory_order order, failure_order;
  bool is_known;
  struct explore_site *next;
};

enum explore_rmw
{
  EXPLORE_EXCHANGE,
  EXPLORE_ADD,
  EXPLORE_SUB,
  EXPLORE_OR,
  EXPLORE_AND
};

uint64_t explore_load (struct explore_site *site, const volatile void *p, size_t bytes,
                       memory_order order);
void explore_store (struct explore_site *site, volatile void *p, size_t bytes, uint64_t value,
                    memory_order order);
uint64_t explore_rmw (struct explore_site *site, enum explore_rmw operation, volatile void *p,
                      size_t bytes, uint64_t operand, memory_order order);
/* *EXPECTED becomes what was found. */
bool explore_compare (struct explore_site *site, volatile void *p, size_t bytes, uint64_t *expected,
                      uint64_t value, memory_order success, memory_order failure);
void explore_fence (struct explore_site *site, memory_order order);

#define EXPLORE_SITE(name, text)                                           \
  __extension__({                                                          \
    static struct explore_site site_                                       \
        = { __FILE__, __LINE__, __func__, name, text, 0, 0, false, NULL }; \
    &site_;                                                                \
  })

/* The type of *P without qualifiers. */
#define EXPLORE_TYPE(p) __typeof__ ((void) 0, *(p))

/* The bits of VALUE as those of a *P, and back. */
#define EXPLORE_BITS(p, value) \
  __extension__({              \
    union                      \
    {                          \
      uint64_t bits;           \
      EXPLORE_TYPE (p) value_; \
    } union_ = { 0 };          \
    union_.value_ = (value);   \
    union_.bits;               \
  })
#define EXPLORE_VALUE(p, bits_)     \
  __extension__({                   \
    union                           \
    {                               \
      uint64_t bits;                \
      EXPLORE_TYPE (p) value_;      \
    } union_ = { .bits = (bits_) }; \
    union_.value_;                  \
  })

#define atomic_load_explicit(p, order) \
  EXPLORE_VALUE (p, explore_load (EXPLORE_SITE ("load", #p), p, sizeof *(p), order))
#define atomic_store_explicit(p, value, order) \
  explore_store (EXPLORE_SITE ("store", #p), p, sizeof *(p), EXPLORE_BITS (p, value), order)

#define EXPLORE_RMW(name, operation, p, value, order)                                \
  EXPLORE_VALUE (p, explore_rmw (EXPLORE_SITE (name, #p), operation, p, sizeof *(p), \
                                 EXPLORE_BITS (p, value), order))
#define atomic_exchange_explicit(p, value, order) \
  EXPLORE_RMW ("exchange", EXPLORE_EXCHANGE, p, value, order)
#define atomic_fetch_add_explicit(p, value, order) \
  EXPLORE_RMW ("fetch_add", EXPLORE_ADD, p, value, order)
#define atomic_fetch_sub_explicit(p, value, order) \
  EXPLORE_RMW ("fetch_sub", EXPLORE_SUB, p, value, order)
#define atomic_fetch_or_explicit(p, value, order) \
  EXPLORE_RMW ("fetch_or", EXPLORE_OR, p, value, order)
#define atomic_fetch_and_explicit(p, value, order) \
  EXPLORE_RMW ("fetch_and", EXPLORE_AND, p, value, order)

#define atomic_compare_exchange_strong_explicit(p, expected, value, success, failure)    \
  __extension__({                                                                        \
    uint64_t found_ = EXPLORE_BITS (p, *(expected));                                     \
    bool done_ = explore_compare (EXPLORE_SITE ("compare", #p), p, sizeof *(p), &found_, \
                                  EXPLORE_BITS (p, value), success, failure);            \
    if (!done_)                                                                          \
      *(expected) = EXPLORE_VALUE (p, found_);                                           \
    done_;                                                                               \
  })

/* What fails for nothing is tried again. */
#define atomic_compare_exchange_weak_explicit atomic_compare_exchange_strong_explicit

#define atomic_thread_fence(order) explore_fence (EXPLORE_SITE ("fence", ""), order)
#define atomic_signal_fence(order) __asm__ volatile("" : : : "memory")

/* Before the threads. */
#define atomic_init(p, value) (*(EXPLORE_TYPE (p) *) (p) = (value))

#endif
