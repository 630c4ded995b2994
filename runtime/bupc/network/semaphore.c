/* Semaphores that threads of other processes post. The consumer's process has the semaphore. A thread that
   shares memory with it posts there; others ask that process to post. The consumer alternates between
   looking at the value and delivering messages.

   A post is a strict write: what its thread has stored before is visible first. */

#include "runtime/bupc/bupc.h"

#include "runtime/net/net.h"

static void post_near (upcr_pts semaphore, size_t n, const char *what);
static __attribute__ ((unused)) void wait_alone (upcr_pts semaphore, size_t n, const char *what);
static bool try_once (upcr_pts semaphore, size_t n, const char *what);
#define upcr_semaphore_post post_near
#define upcr_semaphore_wait wait_alone
#define upcr_semaphore_try try_once
#include "runtime/bupc/semaphore.c"
#undef upcr_semaphore_post
#undef upcr_semaphore_wait
#undef upcr_semaphore_try

enum answer
{
  DONE,
  NOT_A_SEMAPHORE,
  WAS_FREED,
  IS_BOOLEAN, /* and the number more than 1 */
  EXCEEDS_MOST,
  OTHER_PRODUCER
};

struct question
{
  struct semaphore *semaphore;
  size_t n;
  int thread;
  bool is_checked; /* UPC_CHECK=1 */
};

struct reply
{
  enum answer answer;
  int producer;
};

static struct reply
check (const struct question *q)
{
  struct semaphore *semaphore = q->semaphore;
  uint32_t first = 0, kind = atomic_load_explicit (&semaphore->kind, memory_order_relaxed) & KIND;

  if (kind != LIVE)
    return (struct reply){ kind == FREED ? WAS_FREED : NOT_A_SEMAPHORE, 0 };
  if (q->n > 1 && is_kind (semaphore, BOOLEAN))
    return (struct reply){ IS_BOOLEAN, 0 };
  if (q->is_checked && is_kind (semaphore, SPRODUCER)
      && !atomic_compare_exchange_strong_explicit (&semaphore->producer, &first, q->thread + 1,
                                                   memory_order_relaxed, memory_order_relaxed)
      && first != (uint32_t) q->thread + 1)
    return (struct reply){ OTHER_PRODUCER, (int) first - 1 };
  return (struct reply){ DONE, 0 };
}

/* What a thread of another node stored before is here: its messages came in order. */
static void
serve (struct upcr_net_caller caller, const void *arguments)
{
  const struct question *q = arguments;
  struct reply reply = check (q);

  if (reply.answer == DONE && is_kind (q->semaphore, BOOLEAN) && q->n > 0)
    atomic_exchange_explicit (&q->semaphore->value, 1, memory_order_release);
  else if (reply.answer == DONE
           && atomic_fetch_add_explicit (&q->semaphore->value, q->n, memory_order_release) + q->n
                  > MOST)
    reply.answer = EXCEEDS_MOST;
  upcr_net_reply (caller, &reply, sizeof reply);
}

void
upcr_serve_semaphores (void)
{
  upcr_net_serve (UPCR_NET_SEMAPHORE, serve);
}

static void
report (const struct semaphore *semaphore, struct reply reply, size_t n, const char *what)
{
  switch (reply.answer)
    {
    case DONE:
      return;
    case NOT_A_SEMAPHORE:
      refuse (semaphore, 0, what);
    case WAS_FREED:
      refuse (semaphore, FREED, what);
    case IS_BOOLEAN:
      upcr_fatal ("%s: invalid number for a boolean semaphore: %zu", what, n);
    case EXCEEDS_MOST:
      upcr_fatal ("%s: the semaphore exceeds BUPC_SEM_MAXVALUE", what);
    case OTHER_PRODUCER:
      upcr_fatal ("%s: thread %d is the producer", what, reply.producer);
    }
}

void
upcr_semaphore_post (upcr_pts p, size_t n, const char *what)
{
  struct question question = { .n = n, .thread = MYTHREAD, .is_checked = upcr_options.check };
  struct reply reply;
  upcr_net_open open = 0;

  upcr_strict_fence ();
  question.semaphore = (struct semaphore *) upcr_pts_address (p);
  if (upcr_pts_is_null (p) || !upcr_is_far (question.semaphore))
    {
      post_near (p, n, what);
      return;
    }
  if (n > MOST)
    upcr_fatal ("%s: invalid number for a semaphore: %zu", what, n);
  if ((uintptr_t) question.semaphore % _Alignof(struct semaphore))
    upcr_fatal ("%s: not a semaphore", what);
  upcr_net_call (upcr_process_at (question.semaphore, sizeof *question.semaphore),
                 UPCR_NET_SEMAPHORE, &question, sizeof question, &reply, &open);
  upcr_net_await (&open);
  report (question.semaphore, reply, n, what);
  atomic_thread_fence (memory_order_seq_cst);
}

void
upcr_semaphore_wait (upcr_pts p, size_t n, const char *what)
{
  struct semaphore *semaphore = consumed (p, what);
  uint32_t value;

  check_number (semaphore, n, what);
  upcr_flush ();
  upcr_set_wait_reason (what, NULL);
  while ((value = atomic_load_explicit (&semaphore->value, memory_order_relaxed)) < n)
    upcr_await_change (&semaphore->value, value);
  subtract (semaphore, n);
}

bool
upcr_semaphore_try (upcr_pts p, size_t n, const char *what)
{
  unsigned looks = 0;

  upcr_flush ();
  if (try_once (p, n, what))
    return true;
  upcr_net_relax (&looks);
  return false;
}
