/* The first thread to make its n-th call leaves a record of it, the others compare with it, and the last one removes it. A
   thread makes its calls in order, so a new record is behind all others. */

#include "runtime/sync/primitives/calls.h"

#include "runtime/host/host.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct record
{
  struct upcr_call_note first;
  uint64_t number;
  int compared;
  struct record *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under LOCK, of each kind. */
static struct queue
{
  struct record *records, *last;
} queues[UPCR_KINDS_OF_CALLS];

/* How many calls of each UPC thread were compared. */
static struct
{
  _Alignas(64) uint64_t calls[UPCR_KINDS_OF_CALLS];
} counts[UPCR_MAX_THREADS];

/* The record of NUMBER; NULL: no thread has been there. */
static struct record *
find_record (const struct queue *queue, uint64_t number)
{
  struct record *record = queue->last && queue->last->number < number ? NULL : queue->records;

  while (record && record->number < number)
    record = record->next;
  return record;
}

static struct record *
new_record (struct queue *queue, const struct upcr_call_note *call, uint64_t number)
{
  struct record *record = malloc (sizeof *record);

  if (!record)
    upcr_fatal ("%s: no memory to check it", call->what);
  *record = (struct record){ .first = *call, .number = number };
  *(queue->last ? &queue->last->next : &queue->records) = record;
  queue->last = record;
  return record;
}

/* The oldest one. */
static void
remove_record (struct queue *queue)
{
  struct record *record = queue->records;

  queue->records = record->next;
  if (queue->last == record)
    queue->last = NULL;
  free (record);
}

static int
find_difference (const struct upcr_call_note *a, const struct upcr_call_note *b)
{
  if (strcmp (a->what, b->what) != 0)
    return UPCR_ANOTHER_CALL;
  for (int i = 0; i < UPCR_CALL_VALUES; i++)
    if (a->values[i] != b->values[i])
      return i;
  return UPCR_SAME_CALL;
}

int
upcr_compare_calls (enum upcr_calls kind, const struct upcr_call_note *mine,
                    struct upcr_call_note *first)
{
  uint64_t number = counts[mine->thread].calls[kind]++;
  struct queue *queue = &queues[kind];
  struct record *record;
  int difference;

  pthread_mutex_lock (&lock);
  record = find_record (queue, number);
  if (!record)
    record = new_record (queue, mine, number);
  *first = record->first;
  difference = find_difference (mine, first);
  if (difference == UPCR_SAME_CALL && ++record->compared == THREADS)
    remove_record (queue);
  pthread_mutex_unlock (&lock);
  return difference;
}
