/* /proc/…/stat. */

#include "runtime/sync/mechanism/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* Threads and their files end at any time: errno is left as it was. */
bool
upcr_stat_read (const char *path, struct upcr_stat *stat)
{
  int before = errno;
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  ssize_t n = -1;

  if (fd >= 0)
    {
      n = read (fd, stat->text, sizeof stat->text - 1);
      close (fd);
    }
  errno = before;
  if (n <= 0)
    return false;
  stat->text[n] = '\0';
  return true;
}

/* The second field is a name in parentheses, which may contain some itself. */
const char *
upcr_stat_field (const struct upcr_stat *stat, int field)
{
  const char *rest = strrchr (stat->text, ')');

  for (int before = 2; rest && before < field; before++)
    {
      rest = strchr (rest, ' ');
      rest = rest ? rest + 1 : NULL;
    }
  return rest ? rest : "";
}
