/* The wait records of a running program (runtime/sync/mechanism/sleep.h), read from its memory. */

#include "tools/upcrun/top.h"

#include "runtime/sync/mechanism/sleep.h"
#include "runtime/sync/primitives/lock.h"

static void
read_text (pid_t process, uint64_t from, char *to, size_t size)
{
  size_t length = 0;

  while (length + 1 < size && read_memory (process, from + length, &to[length], 1) && to[length])
    length++;
  to[length] = 0;
}

bool
read_wait (pid_t process, int thread, struct wait *wait)
{
  static pid_t located;
  static uint64_t records;
  struct upcr_wait_record record;
  uint32_t word;

  if (located != process)
    records = locate_symbol (located = process, "upcr_wait_records");
  *wait = (struct wait){ .holder = -1 };
  if (!records || thread < 0 || thread >= UPCR_MAX_THREADS
      || !read_memory (process, records + (uint64_t) thread * sizeof record, &record, sizeof record)
      || record.sleeps % 2 == 0)
    return false;
  read_text (process, (uint64_t) (uintptr_t) record.what, wait->what, sizeof wait->what);
  if (record.lock && read_memory (process, (uint64_t) (uintptr_t) record.lock, &word, sizeof word))
    wait->holder = (int) (word & UPCR_LOCK_OWNER) - 1;
  return true;
}
