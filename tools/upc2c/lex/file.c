/* Reads whole files into memory. */

#include "tools/upc2c/lex/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What is left of FD, a zero byte behind it. */
static char *
read_rest (int fd, size_t *size)
{
  size_t capacity = 1 << 16;
  char *text = malloc (capacity + 1);
  ssize_t n;

  *size = 0;
  while (text && (n = read (fd, text + *size, capacity - *size)) != 0)
    {
      if (n < 0)
        {
          free (text);
          return NULL;
        }
      *size += n;
      if (*size == capacity)
        text = realloc (text, (capacity *= 2) + 1);
    }
  if (!text)
    fail ("out of memory");
  text[*size] = 0;
  return text;
}

char *
read_text (const char *path, size_t *size)
{
  bool is_input = strcmp (path, "-") == 0;
  int fd = is_input ? STDIN_FILENO : open (path, O_RDONLY | O_CLOEXEC), error;
  char *text;

  if (fd < 0)
    return NULL;
  text = read_rest (fd, size);
  error = errno;
  if (!is_input)
    close (fd);
  errno = error;
  return text;
}
