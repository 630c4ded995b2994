/* Plain data: what the compiler calls at each access, as it does for ThreadSanitizer. */

#include "plain.h"

#include "explore.h"
#include "memory.h"

#include <stdlib.h>

enum
{
  MOST_LEFT_OUT = 8
};

static struct
{
  uintptr_t begin, end;
} left_out[MOST_LEFT_OUT];
static int left_out_count;

void
explore_leave_out (const void *p, size_t bytes)
{
  if (left_out_count == MOST_LEFT_OUT)
    abort ();
  left_out[left_out_count].begin = (uintptr_t) p;
  left_out[left_out_count++].end = (uintptr_t) p + bytes;
}

bool
plain_is_left_out (const volatile void *p)
{
  for (int i = 0; i < left_out_count; i++)
    if ((uintptr_t) p >= left_out[i].begin && (uintptr_t) p < left_out[i].end)
      return true;
  return false;
}

static void
plain (void *p, size_t bytes, bool is_write)
{
  if (explore_self >= 0 && !plain_is_left_out (p)
      && !memory_plain (explore_self, (uintptr_t) p, bytes, is_write))
    explore_fail ("race: %s %zu bytes at %p", is_write ? "writes" : "reads", bytes, p);
}

void
explore_write (void *p, size_t bytes)
{
  plain (p, bytes, true);
}

void
plain_meet_atomic (const volatile void *p, size_t bytes)
{
  if (explore_self >= 0 && !plain_is_left_out (p)
      && !memory_plain (explore_self, (uintptr_t) p, bytes, false))
    explore_fail ("race: an atomic operation and a plain write at %p", (const void *) p);
}

#define PLAIN(bytes)                            \
  void __tsan_read##bytes (void *p);            \
  void __tsan_write##bytes (void *p);           \
  void __tsan_unaligned_read##bytes (void *p);  \
  void __tsan_unaligned_write##bytes (void *p); \
  void __tsan_read##bytes (void *p)             \
  {                                             \
    plain (p, bytes, false);                    \
  }                                             \
  void __tsan_write##bytes (void *p)            \
  {                                             \
    plain (p, bytes, true);                     \
  }                                             \
  void __tsan_unaligned_read##bytes (void *p)   \
  {                                             \
    plain (p, bytes, false);                    \
  }                                             \
  void __tsan_unaligned_write##bytes (void *p)  \
  {                                             \
    plain (p, bytes, true);                     \
  }

// clang-format off
PLAIN (1)
PLAIN (2)
PLAIN (4)
PLAIN (8)
PLAIN (16)
// clang-format on

void __tsan_init (void);
void __tsan_func_entry (void *p);
void __tsan_func_exit (void);
void __tsan_read_range (void *p, size_t bytes);
void __tsan_write_range (void *p, size_t bytes);
uint32_t __tsan_atomic32_load (const uint32_t *p, int order);
uint64_t __tsan_atomic64_load (const uint64_t *p, int order);

void
__tsan_init (void)
{
}

void
__tsan_func_entry (void *p)
{
  (void) p;
}

void
__tsan_func_exit (void)
{
}

void
__tsan_read_range (void *p, size_t bytes)
{
  plain (p, bytes, false);
}

void
__tsan_write_range (void *p, size_t bytes)
{
  plain (p, bytes, true);
}

/* The settings of a run, which the runtime reads without <stdatomic.h>. They do not change here. */
uint32_t
__tsan_atomic32_load (const uint32_t *p, int order)
{
  (void) order;
  return *p;
}

uint64_t
__tsan_atomic64_load (const uint64_t *p, int order)
{
  (void) order;
  return *p;
}
