/* The text of the input, whole in memory. */

#include "tools/upc2c/front.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *
read_all (int fd, const char *path)
{
  size_t room = 1 << 16;
  char *text = malloc (room + 1);
  ssize_t n;

  while (text && (n = read (fd, text + unit.size, room - unit.size)) != 0)
    {
      if (n < 0)
        fail ("cannot read '%s': %s", path, strerror (errno));
      unit.size += n;
      if (unit.size == room)
        text = realloc (text, (room *= 2) + 1);
    }
  if (!text)
    fail ("out of memory");
  text[unit.size] = 0;
  return text;
}

bool
read_file (const char *path)
{
  bool is_input = strcmp (path, "-") == 0;
  int fd = is_input ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC);

  if (fd < 0)
    return false;
  unit.text = read_all (fd, path);
  if (!is_input)
    close (fd);
  return true;
}
