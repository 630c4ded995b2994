/* With UPC_CHECK=1: do all threads call the same functions for the same files, in the same order, with
   the same arguments where UPC 1.3, 7.8, requires single-valued ones?

   Nobody waits for that. The first thread to make its n-th call leaves a record of it, the others
   compare with it, and the last one removes it. */

#include "runtime/io/check.h"

#include "runtime/host/host.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  WHAT_BYTES = 40
};

/* CALL.what is the record's own. */
struct record
{
  struct upcr_io_call call;
  char what[WHAT_BYTES];
  uint64_t number;
  int thread;
  int compared;
  struct record *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Under LOCK. A queue, as each thread makes its calls in order. */
static struct record *records, *last;

/* In what two calls differ: one of these, or the number of an argument. */
enum
{
  OTHER_FUNCTION = -2,
  OTHER_FILE = -1,
  NOTHING = UPCR_IO_ARGUMENTS
};

/* How many calls of each UPC thread were compared. */
static struct
{
  _Alignas(64) uint64_t calls;
} counts[UPCR_MAX_THREADS];

/* The record of NUMBER; NULL: no thread has been there. */
static struct record *
find_record (uint64_t number)
{
  struct record *record = last && last->number < number ? NULL : records;

  while (record && record->number < number)
    record = record->next;
  return record;
}

static struct record *
new_record (const struct upcr_io_call *call, uint64_t number, int thread)
{
  struct record *record = calloc (1, sizeof *record);

  if (!record)
    upcr_fatal ("%s: no memory to check it", call->what);
  record->call = *call;
  snprintf (record->what, sizeof record->what, "%s", call->what);
  record->call.what = record->what;
  record->number = number;
  record->thread = thread;
  *(last ? &last->next : &records) = record;
  last = record;
  return record;
}

static _Noreturn void
refuse (const struct upcr_io_call *mine, const struct record *first, int difference)
{
  const char *name = difference < 0 ? NULL : mine->arguments[difference].name;

  if (difference == OTHER_FUNCTION)
    upcr_fatal ("%s, but thread %d calls %s", mine->what, first->thread, first->what);
  if (difference == OTHER_FILE)
    upcr_fatal ("%s: fd is another file than on thread %d", mine->what, first->thread);
  if (name[0] == '*')
    upcr_fatal ("%s: %s is another than on thread %d", mine->what, name, first->thread);
  upcr_fatal ("%s: %s is %ld, but %ld on thread %d", mine->what, name,
              mine->arguments[difference].value, first->call.arguments[difference].value,
              first->thread);
}

static int
find_difference (const struct upcr_io_call *a, const struct upcr_io_call *b)
{
  int i = 0;

  if (strcmp (a->what, b->what) != 0)
    return OTHER_FUNCTION;
  if (a->file != b->file)
    return OTHER_FILE;
  while (i < UPCR_IO_ARGUMENTS && a->arguments[i].value == b->arguments[i].value)
    i++;
  return i;
}

/* Compares THREAD's next call with that of the thread that came first, which it leaves in *FIRST. */
static int
compare (const struct upcr_io_call *call, int thread, struct record *first)
{
  uint64_t number = counts[thread].calls++;
  struct record *record;
  int difference;

  pthread_mutex_lock (&lock);
  record = find_record (number);
  if (!record)
    record = new_record (call, number, thread);
  *first = *record;
  difference = find_difference (call, &record->call);
  if (difference == NOTHING && ++record->compared == THREADS)
    {
      records = record->next;
      if (last == record)
        last = NULL;
      free (record);
    }
  pthread_mutex_unlock (&lock);
  return difference;
}

void
upcr_io_compare (const struct upcr_io_call *mine)
{
  struct record first;
  int difference = compare (mine, MYTHREAD, &first);

  if (difference != NOTHING)
    refuse (mine, &first, difference);
}

/* FNV-1a of TEXT with its zero, behind HASH. A null pointer is another text. */
static uint64_t
hash_on (uint64_t hash, const char *text)
{
  do
    hash = (hash ^ (text ? (unsigned char) *text : 256)) * 1099511628211u;
  while (text && *text++);
  return hash;
}

static const uint64_t first_hash = 14695981039346656037u;

uint64_t
upcr_io_hash_text (const char *text)
{
  return hash_on (first_hash, text);
}

uint64_t
upcr_io_hash_hints (size_t count, const struct upcr_hint *hints)
{
  uint64_t hash = first_hash;

  for (size_t i = 0; i < count; i++)
    hash = hash_on (hash_on (hash, hints[i].key), hints[i].value);
  return hash;
}
