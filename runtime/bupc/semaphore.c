/* Semaphores. Only the consumer, the thread that has affinity, subtracts. So the value is at
   least what the consumer has seen.

   field      written by              read by     order
   value      all: RMW                all         release by posts, acquire by waits
   kind       who makes and frees it  all         relaxed: to find misuse
   producer   who posts               who posts   relaxed: to find misuse

   A post is the last access of its thread to the semaphore, which the consumer may free when it
   wakes up. After that only the address of the value counts. */

#include "runtime/bupc/bupc.h"

#include "runtime/sync/sync.h"

enum
{
  BOOLEAN = 1,
  INTEGER = 2,
  SPRODUCER = 4,
  MPRODUCER = 8,
  SCONSUMER = 16,
  MCONSUMER = 32,
  ALL = 63,
  MOST = 65535
};

/* The word `kind` is one of these, or-ed with the flags. */
#define LIVE 0x5e3a0000u
#define FREED 0xf2e50000u
#define KIND 0xffff0000u

struct semaphore
{
  _Alignas(64) _Atomic uint32_t value;
  _Atomic uint32_t kind;
  _Atomic uint32_t producer; /* MYTHREAD + 1; 0: nobody yet */
};

/* With what a missing flag of a pair stands for. */
static int
complete_flags (int flags)
{
  int complete = flags;

  if (flags & ~ALL)
    upcr_fatal ("bupc_sem_alloc: invalid flags: %#x", (unsigned) flags);
  for (int one = BOOLEAN; one <= SCONSUMER; one <<= 2)
    {
      if ((flags & one) && (flags & one << 1))
        upcr_fatal ("bupc_sem_alloc: contradicting flags: %#x", (unsigned) flags);
      if (!(flags & one))
        complete |= one << 1;
    }
  return complete;
}

upcr_pts
upcr_semaphore_alloc (int flags)
{
  upcr_pts p;
  struct semaphore *semaphore;

  flags = complete_flags (flags);
  p = upcr_local_alloc_aligned (sizeof (struct semaphore), sizeof (struct semaphore),
                                "bupc_sem_alloc");
  if (upcr_pts_is_null (p))
    return p;
  semaphore = (struct semaphore *) upcr_pts_address (p);
  atomic_init (&semaphore->value, 0);
  atomic_init (&semaphore->producer, 0);
  atomic_init (&semaphore->kind, LIVE | flags);
  return p;
}

/* Ends the run: no semaphore, or one that was freed. */
static _Noreturn void
refuse (const struct semaphore *semaphore, uint32_t kind, const char *what)
{
  char freeing[UPCR_TEXT_BYTES];

  if (kind != FREED)
    upcr_fatal ("%s: not a semaphore", what);
  upcr_end_once ();
  upcr_freeing_text_anywhere (semaphore, freeing, sizeof freeing);
  upcr_fatal ("%s: the semaphore was freed%s", what, freeing);
}

static struct semaphore *
semaphore_of (upcr_pts p, const char *what)
{
  struct semaphore *semaphore = (struct semaphore *) upcr_pts_address (p);
  uint32_t kind;

  if (__builtin_expect (upcr_pts_is_null (p), 0))
    upcr_fatal ("%s: a null pointer to a semaphore", what);
  kind = (uintptr_t) semaphore % _Alignof(struct semaphore)
             ? 0
             : atomic_load_explicit (&semaphore->kind, memory_order_relaxed) & KIND;
  if (__builtin_expect (kind != LIVE, 0))
    refuse (semaphore, kind, what);
  return semaphore;
}

static bool
is_kind (const struct semaphore *semaphore, uint32_t flag)
{
  return atomic_load_explicit (&semaphore->kind, memory_order_relaxed) & flag;
}

static struct semaphore *
consumed (upcr_pts p, const char *what)
{
  if (__builtin_expect (upcr_pts_thread (p) != (uint32_t) MYTHREAD && !upcr_pts_is_null (p), 0))
    upcr_fatal ("%s: the semaphore has affinity to thread %u", what, upcr_pts_thread (p));
  return semaphore_of (p, what);
}

static void
check_number (const struct semaphore *semaphore, size_t n, const char *what)
{
  if (__builtin_expect (n > 1, 0) && is_kind (semaphore, BOOLEAN))
    upcr_fatal ("%s: invalid number for a boolean semaphore: %zu", what, n);
  if (__builtin_expect (n > MOST, 0))
    upcr_fatal ("%s: invalid number for a semaphore: %zu", what, n);
}

void
upcr_semaphore_free (upcr_pts p)
{
  if (upcr_pts_is_null (p))
    return;
  atomic_store_explicit (&consumed (p, "bupc_sem_free")->kind, FREED, memory_order_relaxed);
  upcr_library_free (p, "bupc_sem_free");
}

/* With UPC_CHECK=1. */
static void
check_producer (struct semaphore *semaphore, const char *what)
{
  uint32_t first = 0, me = MYTHREAD + 1;

  if (is_kind (semaphore, SPRODUCER)
      && !atomic_compare_exchange_strong_explicit (&semaphore->producer, &first, me,
                                                   memory_order_relaxed, memory_order_relaxed)
      && first != me)
    upcr_fatal ("%s: thread %u is the producer", what, first - 1);
}

/* A strict write of the thread: release puts it behind all that the thread has done, the fence before
   what follows. */
void
upcr_semaphore_post (upcr_pts p, size_t n, const char *what)
{
  struct semaphore *semaphore = semaphore_of (p, what);

  check_number (semaphore, n, what);
  if (upcr_options.check)
    check_producer (semaphore, what);
  if (n == 0)
    return;
  if (is_kind (semaphore, BOOLEAN))
    atomic_exchange_explicit (&semaphore->value, 1, memory_order_release);
  else if (atomic_fetch_add_explicit (&semaphore->value, n, memory_order_release) + n > MOST)
    upcr_fatal ("%s: the semaphore exceeds BUPC_SEM_MAXVALUE", what);
  upcr_fence_after_rmw ();
  upcr_unpark_fenced (&semaphore->value);
}

/* A strict read. What came before it may still be under way when it is done, but not behind the fence;
   who posts does not look at the value. */
static void
subtract (struct semaphore *semaphore, uint32_t n)
{
  atomic_fetch_sub_explicit (&semaphore->value, n, memory_order_acquire);
  upcr_fence_after_rmw ();
}

void
upcr_semaphore_wait (upcr_pts p, size_t n, const char *what)
{
  struct semaphore *semaphore = consumed (p, what);
  uint32_t value = atomic_load_explicit (&semaphore->value, memory_order_relaxed);

  check_number (semaphore, n, what);
  if (value < n)
    upcr_set_wait_reason (what, NULL);
  while (value < n)
    {
      upcr_park_while (&semaphore->value, value);
      value = atomic_load_explicit (&semaphore->value, memory_order_relaxed);
    }
  subtract (semaphore, n);
}

bool
upcr_semaphore_try (upcr_pts p, size_t n, const char *what)
{
  struct semaphore *semaphore = consumed (p, what);

  check_number (semaphore, n, what);
  if (atomic_load_explicit (&semaphore->value, memory_order_relaxed) >= n)
    {
      subtract (semaphore, n);
      return true;
    }
  upcr_fence ();
  return false;
}
