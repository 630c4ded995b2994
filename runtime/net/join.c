/* Joins: small stores, and calls that nobody waits for, of one UPC thread to one process, until they fill
   a message. A store directly after the previous one only extends the record of that one.

   A thread has a buffer for each of a few processes. If it needs one for another process, it takes an
   existing buffer, which is sent. What was joined for a process arrives in order, as it is sent in one
   message, or in messages of one POSIX thread. If the progress thread has sent some of it, the UPC thread
   waits for that before it continues.

   field of joins[t]      written by                         read by
   state                  who has LOCKED it, by an acquire   all; only the UPC thread itself relies on its being
                          exchange, until a release store    EMPTY, which it has seen or made so
   the rest               the same                           the same */

#include "runtime/net/message.h"

#include <stdlib.h>
#include <string.h>

enum
{
  JOINED_BYTES = 4096,
  BUFFERS = 8
};

enum state
{
  EMPTY,
  JOINED,
  OVERTAKEN, /* empty, but sent by the progress thread */
  LOCKED
};

struct buffer
{
  int process;
  uint32_t bytes; /* 0: it is empty */
  uint32_t last;  /* where the last record begins */
  char *end;      /* of the last record's store; NULL: it is a call */
  char *body;
};

static struct joins
{
  _Alignas(64) _Atomic uint32_t state;
  uint32_t begun, seen; /* records so far, and when the progress thread last looked */
  upcr_net_open *open;
  struct buffer buffers[BUFFERS];
} joins[UPCR_MAX_THREADS];

/* Returns what the state was. */
static enum state
lock (struct joins *j)
{
  unsigned looks = 0;
  uint32_t state;

  while ((state = atomic_exchange_explicit (&j->state, LOCKED, memory_order_acquire)) == LOCKED)
    upcr_net_relax (&looks);
  return state;
}

static void
unlock (struct joins *j, enum state state)
{
  atomic_store_explicit (&j->state, state, memory_order_release);
}

/* By the UPC thread: nothing of its own is on its way from another POSIX thread. */
static void
lock_in_order (struct joins *j)
{
  if (lock (j) == OVERTAKEN)
    upcr_net_await (j->open);
}

static void
send_buffer (struct joins *j, struct buffer *b)
{
  if (b->bytes == 0)
    return;
  upcr_send (
      b->process,
      &(struct upcr_head){ .kind = UPCR_JOINED, .bytes = (b->bytes + 7) & ~7u, .open = j->open },
      b->body, UPCR_REQUEST);
  b->bytes = 0;
  b->end = NULL;
}

static void
send_all (struct joins *j)
{
  for (int i = 0; i < BUFFERS; i++)
    send_buffer (j, &j->buffers[i]);
}

/* With room for a record of BYTES. */
static struct buffer *
buffer_for (struct joins *j, int process, size_t bytes)
{
  struct buffer *b = &j->buffers[process % BUFFERS];

  if (b->process != process || b->bytes + sizeof (struct upcr_record) + bytes + 14 > JOINED_BYTES)
    send_buffer (j, b);
  if (!b->body)
    b->body = malloc (JOINED_BYTES);
  if (!b->body)
    upcr_fatal ("no memory for stores to another process");
  b->process = process;
  return b;
}

static void
add_record (struct joins *j, struct buffer *b, struct upcr_record record, const void *bytes)
{
  if (b->bytes == 0)
    upcr_open_begin (j->open);
  j->begun++;
  b->last = (b->bytes + 7) & ~7u;
  memcpy (b->body + b->last, &record, sizeof record);
  memcpy (b->body + b->last + sizeof record, bytes, record.bytes);
  b->bytes = b->last + sizeof record + record.bytes;
}

static void
lengthen_record (struct buffer *b, const void *from, size_t bytes)
{
  struct upcr_record record;

  memcpy (&record, b->body + b->last, sizeof record);
  record.bytes += bytes;
  memcpy (b->body + b->last, &record, sizeof record);
  memcpy (b->body + b->bytes, from, bytes);
  b->bytes += bytes;
}

void
upcr_net_join_put (int thread, int process, void *to, const void *from, size_t bytes,
                   upcr_net_open *open)
{
  struct joins *j = &joins[thread];
  struct buffer *b;

  lock_in_order (j);
  j->open = open;
  b = buffer_for (j, process, bytes);
  if (b->end == to && b->bytes > 0)
    lengthen_record (b, from, bytes);
  else
    add_record (j, b, (struct upcr_record){ .to = (uintptr_t) to, .bytes = bytes }, from);
  b->end = (char *) to + bytes;
  unlock (j, JOINED);
}

void
upcr_net_join_call (int thread, int process, enum upcr_net_service service, const void *arguments,
                    size_t bytes, upcr_net_open *open)
{
  struct joins *j = &joins[thread];
  struct buffer *b;

  lock_in_order (j);
  j->open = open;
  b = buffer_for (j, process, bytes);
  add_record (j, b, (struct upcr_record){ .to = service, .bytes = bytes, .is_call = 1 }, arguments);
  b->end = NULL;
  unlock (j, JOINED);
}

void
upcr_net_push (int thread)
{
  struct joins *j = &joins[thread];

  if (atomic_load_explicit (&j->state, memory_order_relaxed) == EMPTY)
    return;
  lock_in_order (j);
  send_all (j);
  unlock (j, EMPTY);
}

/* Those to which nothing was added since the last look. */
static void
push_left_of (struct joins *j)
{
  uint32_t state = JOINED;

  if (atomic_load_explicit (&j->state, memory_order_relaxed) != JOINED
      || !atomic_compare_exchange_strong_explicit (&j->state, &state, LOCKED, memory_order_acquire,
                                                   memory_order_relaxed))
    return;
  if (j->begun == j->seen)
    {
      send_all (j);
      state = OVERTAKEN;
    }
  j->seen = j->begun;
  unlock (j, state);
}

void
upcr_net_push_left (void)
{
  for (int t = UPCR_FIRST_THREAD; t <= UPCR_LAST_THREAD; t++)
    push_left_of (&joins[t]);
}
