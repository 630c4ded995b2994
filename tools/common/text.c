#include "tools/common/common.h"

#include <stdlib.h>
#include <string.h>

bool
starts_with (const char *text, const char *prefix)
{
  return strncmp (text, prefix, strlen (prefix)) == 0;
}

bool
ends_with (const char *text, const char *suffix)
{
  size_t length = strlen (text), tail = strlen (suffix);

  return length >= tail && strcmp (text + length - tail, suffix) == 0;
}

const char *
next_switch (const char **from)
{
  const char *in = *from + strspn (*from, " \t\n");
  char *word = arena_copy (in, strlen (in)), *out = word, quote = 0;

  if (!*in)
    return NULL;
  for (; *in && (quote || !strchr (" \t\n", *in)); in++)
    if (quote ? *in == quote : *in == '\'' || *in == '"')
      quote = quote ? 0 : *in;
    else
      *out++ = *in;
  *out = 0;
  *from = in;
  return word;
}

const char *
path_base (const char *path)
{
  const char *slash = strrchr (path, '/');

  return slash ? slash + 1 : path;
}

const char *
path_folder (const char *path)
{
  const char *slash = strrchr (path, '/');

  if (!slash)
    return ".";
  return slash == path ? "/" : arena_copy (path, slash - path);
}

void
text_append (struct text_buffer *buffer, const char *text, size_t length)
{
  if (length == 0)
    return;
  buffer->bytes = grow_array (buffer->bytes, buffer->length + length, &buffer->capacity, 1);
  memcpy (buffer->bytes + buffer->length, text, length);
  buffer->length += length;
}

void
text_free (struct text_buffer *buffer)
{
  free (buffer->bytes);
  *buffer = (struct text_buffer){ 0 };
}
