/* With UPC_CHECK=1: do all threads call the same functions for a file, in the same order, with the same
   arguments where UPC 1.3, 7.8, says that they are single-valued?

   Nobody waits for that. The first thread to make a file's n-th call leaves a record of it, the others
   compare with it, and the last one takes it away. */

#include "runtime/io/check.h"

#include "runtime/host/host.h"
#include "runtime/io/io.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct upcr_io_record
{
  struct upcr_io_call call;
  uint64_t number;
  int thread;
  int compared;
  struct upcr_io_record *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The link of the list where the record of NUMBER is, or belongs. */
static struct upcr_io_record **
link_of (struct upcr_file *file, uint64_t number)
{
  struct upcr_io_record **link = &file->records;

  while (*link && (*link)->number < number)
    link = &(*link)->next;
  return link;
}

static struct upcr_io_record *
new_record (const struct upcr_io_call *call, uint64_t number)
{
  struct upcr_io_record *record = calloc (1, sizeof *record);

  if (!record)
    upcr_fatal ("%s: no memory to check it", call->what);
  record->call = *call;
  record->number = number;
  record->thread = MYTHREAD;
  return record;
}

void
upcr_io_check_state (upcr_pts handle, enum upcr_file_state state, const char *what)
{
  struct upcr_file *file;
  bool is_in_use;

  if (!upcr_refuses_suspicious ())
    return;
  file = upcr_file_of (handle);
  if (!file)
    upcr_fatal ("%s: %s", what,
                upcr_pts_is_null (handle) ? "null pointer in place of a file"
                                          : "the file is closed, or was never opened");
  is_in_use = upcr_file_part (file)->pending != NULL;
  if (state != UPCR_FILE_OPEN && is_in_use != (state == UPCR_FILE_IN_USE))
    upcr_fatal ("%s: %s asynchronous operation on the file is under way", what,
                is_in_use ? "an" : "no");
}

static _Noreturn void
refuse (const struct upcr_io_call *mine, const struct upcr_io_record *first, int argument)
{
  if (strcmp (mine->what, first->call.what) != 0)
    upcr_fatal ("%s, but thread %d calls %s", mine->what, first->thread, first->call.what);
  upcr_fatal ("%s: %s is %ld, but %ld on thread %d", mine->what, mine->arguments[argument].name,
              mine->arguments[argument].value, first->call.arguments[argument].value,
              first->thread);
}

/* The argument in which the calls differ; UPCR_IO_ARGUMENTS: in none. */
static int
find_difference (const struct upcr_io_call *a, const struct upcr_io_call *b)
{
  int i = 0;

  if (strcmp (a->what, b->what) != 0)
    return 0;
  while (i < UPCR_IO_ARGUMENTS && a->arguments[i].value == b->arguments[i].value)
    i++;
  return i;
}

void
upcr_io_compare (struct upcr_file *file, const struct upcr_io_call *mine)
{
  uint64_t number = upcr_file_part (file)->calls++;
  struct upcr_io_record **link, *first;
  int difference;

  pthread_mutex_lock (&lock);
  link = link_of (file, number);
  if (!*link || (*link)->number != number)
    {
      first = new_record (mine, number);
      first->next = *link;
      *link = first;
    }
  first = *link;
  difference = find_difference (mine, &first->call);
  if (difference == UPCR_IO_ARGUMENTS && ++first->compared == THREADS)
    {
      *link = first->next;
      free (first);
    }
  pthread_mutex_unlock (&lock);
  /* The record stays: the calling thread has not compared it. */
  if (difference < UPCR_IO_ARGUMENTS)
    refuse (mine, first, difference);
}
