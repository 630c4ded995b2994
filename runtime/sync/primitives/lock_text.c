/* Names of locks. The program's variables are searched for one that points to the lock, but not
   those in the heap and on stacks. */

#include "runtime/sync/primitives/lock_text.h"

#include "runtime/diag/diag.h"
#include "runtime/shared/shared.h"
#include "runtime/start/start.h"

#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum
{
  MOST_LOOKS = 100000,
  WORDS = sizeof (upcr_pts) / sizeof (uint64_t)
};

/* False: the lock is not in the segment. */
static bool
find_place (const struct upcr_lock *lock, uint64_t *thread, uint64_t *offset)
{
  uint64_t distance = (uintptr_t) lock - UPCR_SEGMENT_BASE;

  *thread = distance / UPCR_STRIDE;
  *offset = distance % UPCR_STRIDE;
  return (uintptr_t) lock >= UPCR_SEGMENT_BASE && *thread < (uint64_t) THREADS;
}

/* The runtime has private data, too. */
static bool
is_program_variable (const struct upcr_variable *variable)
{
  return strncmp (variable->name, "upcr_", 5) != 0 && strncmp (variable->name, "__upc", 5) != 0;
}

/* Writes which of THREAD's private static variables is or has P. */
static bool
find_private (upcr_pts p, int thread, char *text, size_t bytes)
{
  union
  {
    upcr_pts pointer;
    uint64_t words[WORDS];
  } value = { p };
  struct upcr_variable found;
  const void *at = NULL;

  while ((at = upcr_private_find (thread, at, value.words, WORDS)))
    if (upcr_find_variable (at, &found) && is_program_variable (&found))
      {
        if (found.bytes == sizeof p)
          snprintf (text, bytes, "'%s'", found.name);
        else
          snprintf (text, bytes, "byte %zu of '%s'", found.offset, found.name);
        return true;
      }
  return false;
}

/* Writes `lock 'l'`, by a variable that points to the lock at OFFSET of OWNER's partition. */
static bool
write_variable (uint64_t owner, uint64_t offset, int thread, char *text, size_t bytes)
{
  upcr_pts p = upcr_pts_make (owner, offset, 0);
  char variable[256];

  if (!upcr_find_pointer (p, variable, sizeof variable)
      && !find_private (p, thread, variable, sizeof variable))
    return false;
  snprintf (text, bytes, "lock %s%s", *variable == '\'' ? "" : "at ", variable);
  return true;
}

void
upcr_lock_name (const struct upcr_lock *lock, int thread, char *text, size_t bytes)
{
  uint64_t owner, offset;

  if (!find_place (lock, &owner, &offset))
    snprintf (text, bytes, "the lock");
  else if (!write_variable (owner, offset, thread, text, bytes))
    snprintf (text, bytes, "the lock at thread %lu, offset 0x%lx", (unsigned long) owner,
              (unsigned long) offset);
}

void
upcr_refuse_lock (const struct upcr_lock *lock, const char *what, const char *format, ...)
{
  char wrong[64], name[UPCR_LOCK_NAME_BYTES], origin[512];
  struct upcr_lock_look look = upcr_lock_look (lock);
  va_list args;

  /* One thread at a time finds source lines. */
  upcr_end_once ();
  va_start (args, format);
  vsnprintf (wrong, sizeof wrong, format, args);
  va_end (args);
  upcr_lock_name (lock, MYTHREAD, name, sizeof name);
  upcr_lock_origin_text (&look.origin, origin, sizeof origin);
  upcr_fatal ("%s: %s %s%s", what, wrong, name, origin);
}

/* Only its word is a freed lock's own: the heap knows where it was allocated. */
void
upcr_refuse_freed_lock (const struct upcr_lock *lock, const char *what)
{
  char name[UPCR_LOCK_NAME_BYTES], freeing[UPCR_TEXT_BYTES];
  uint64_t owner, offset;

  upcr_end_once ();
  if (!find_place (lock, &owner, &offset)
      || !write_variable (owner, offset, MYTHREAD, name, sizeof name))
    snprintf (name, sizeof name, "the lock");
  /* Who frees it may have come no further than the lock's word. */
  for (int looks = 0; looks < MOST_LOOKS; looks++)
    {
      upcr_freeing_text_anywhere (lock, freeing, sizeof freeing);
      if (*freeing)
        break;
      sched_yield ();
    }
  upcr_fatal ("%s: %s was freed%s", what, name, freeing);
}

void
upcr_refuse_other_object (const struct upcr_lock *lock, const char *what)
{
  char object[UPCR_TEXT_BYTES];
  uint64_t owner, offset;

  if (!find_place (lock, &owner, &offset))
    upcr_fatal ("%s: not a lock", what);
  upcr_text_anywhere (owner, offset, 0, object, sizeof object);
  upcr_fatal ("%s: not a lock: %s", what, object);
}
