/* Fatal errors, memory, text. */

#include "privatize/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
fail (const char *path, const char *format, ...)
{
  va_list args;

  fflush (stdout);
  fprintf (stderr, "%s: error: ", path);
  va_start (args, format);
  vfprintf (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
  /* Nothing is to be cleaned up: the output exists only once it is whole. */
  _exit (1);
}

void *
resize (void *memory, size_t count, size_t size)
{
  size_t bytes;

  if (__builtin_mul_overflow (count, size, &bytes) || !(memory = realloc (memory, bytes + !bytes)))
    fail ("upc-privatize", "out of memory");
  return memory;
}

/* COUNT zeroed elements of SIZE bytes. */
void *
allocate (size_t count, size_t size)
{
  void *memory = calloc (count + !count, size);

  if (!memory)
    fail ("upc-privatize", "out of memory");
  return memory;
}

char *
join_text (const char *first, const char *second)
{
  size_t n = strlen (first);
  char *text = allocate (n + strlen (second) + 1, 1);

  memcpy (text, first, n);
  strcpy (text + n, second);
  return text;
}

char *
copy_text (const char *text)
{
  return join_text ("", text);
}
