/* With UPC_CHECK=1: do all threads call the same functions for the same files, in the same order, with
   the same arguments where UPC 1.3, 7.8, requires single-valued ones? */

#include "runtime/io/check.h"

#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

#include <stdio.h>

/* The values of a call: its file, and behind it the arguments. */
enum
{
  FILE_VALUE,
  FIRST_ARGUMENT
};

_Static_assert(FIRST_ARGUMENT + (int) UPCR_IO_ARGUMENTS <= UPCR_CALL_VALUES,
               "a note has room for them");

/* What tells FILE from others, in all processes. */
static uint64_t
number_of (const struct upcr_file *file)
{
#ifdef UPCR_NETWORK
  return file ? file->tree.number : 0;
#else
  return (uintptr_t) file;
#endif
}

static _Noreturn void
refuse (const struct upcr_io_call *mine, const struct upcr_call_note *first, int difference)
{
  int i = difference - FIRST_ARGUMENT;

  if (difference == UPCR_ANOTHER_CALL)
    upcr_fatal ("%s, but thread %d calls %s", mine->what, first->thread, first->what);
  if (difference == FILE_VALUE)
    upcr_fatal ("%s: fd is another file than on thread %d", mine->what, first->thread);
  if (mine->arguments[i].name[0] == '*')
    upcr_fatal ("%s: %s is another than on thread %d", mine->what, mine->arguments[i].name,
                first->thread);
  upcr_fatal ("%s: %s is %ld, but %ld on thread %d", mine->what, mine->arguments[i].name,
              mine->arguments[i].value, (long) first->values[difference], first->thread);
}

void
upcr_io_compare (const struct upcr_io_call *mine)
{
  struct upcr_call_note note = { .values[FILE_VALUE] = number_of (mine->file), .thread = MYTHREAD };
  struct upcr_call_note first;
  int difference;

  snprintf (note.what, sizeof note.what, "%s", mine->what);
  for (int i = 0; i < UPCR_IO_ARGUMENTS; i++)
    note.values[FIRST_ARGUMENT + i] = (uint64_t) mine->arguments[i].value;
  difference = upcr_compare_calls (UPCR_CALLS_OF_FILES, &note, &first);
  if (difference != UPCR_SAME_CALL)
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
