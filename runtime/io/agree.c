/* What threads tell each other of a file. */

#include "runtime/io/file.h"
#include "runtime/sync/sync.h"

#include <errno.h>

long
upcr_file_agree (const char *what, long value)
{
  struct upcr_broadcast mine = { .what = what, .arguments = { value, errno } };
  const struct upcr_broadcast *first = upcr_broadcast_from_0 (&mine);

  value = first->arguments[0];
  if (value < 0)
    errno = first->arguments[1];
  return value;
}

/* Two words a thread, used alternately: when a thread says something in one again, all have come to the
   next sum and so have read it. Each function has one string for WHAT. */
long
upcr_file_sum (struct upcr_file *file, const char *what, long value, int error)
{
  unsigned slot = upcr_file_part (file)->sums++ & 1;
  long sum = 0;

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
      sum += file->parts[t].said[slot].value;
    }
  return sum;
}
