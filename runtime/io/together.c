/* What all threads find out together about a file. */

#include "runtime/io/file.h"
#include "runtime/sync/sync.h"

#include <errno.h>

int
upcr_file_outcome (const char *what, int error)
{
  if (error)
    errno = error;
  return upcr_file_agree (what, error ? -1 : 0);
}

/* Two words a thread, used alternately: when a thread says something in one again, all have come to the
   next of these calls and so have read it. Each function has one string for WHAT. */
long
upcr_file_most (struct upcr_file *file, const char *what, long value, int error)
{
  unsigned slot = upcr_file_part (file)->said_so_far++ & 1;
  long most = 0;

  upcr_file_part (file)->said[slot].what = what;
  upcr_file_part (file)->said[slot].value = value;
  upcr_file_part (file)->said[slot].error = error;
  upcr_collective_barrier (what);
  for (int t = 0; t < THREADS; t++)
    {
      const char *other = file->parts[t].said[slot].what;

      if (other != what)
        upcr_fatal ("%s, but thread %d calls %s", what, t, other ? other : "another function");
      if (file->parts[t].said[slot].error)
        {
          errno = file->parts[t].said[slot].error;
          return -1;
        }
      if (file->parts[t].said[slot].value > most)
        most = file->parts[t].said[slot].value;
    }
  return most;
}
