#include "tools/trace/format.h"

#include <stdio.h>
#include <string.h>

static enum trace_value
integer_value (const char *length, bool is_signed)
{
  if (length[0] == 'l' || length[0] == 'j' || length[0] == 'z' || length[0] == 't'
      || length[0] == 'q' || length[0] == 'L')
    return is_signed ? TRACE_LONG : TRACE_UNSIGNED_LONG;
  return is_signed ? TRACE_INT : TRACE_UNSIGNED;
}

/* The letter behind the length modifier decides. */
static bool
classify (struct trace_conversion *conversion, const char *length, char letter)
{
  switch (letter)
    {
    case 'd':
    case 'i':
      conversion->value = integer_value (length, true);
      return true;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      conversion->value = integer_value (length, false);
      return true;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      conversion->value = length[0] == 'L' ? TRACE_LONG_DOUBLE : TRACE_DOUBLE;
      return true;
    case 'c':
      conversion->value = TRACE_CHAR;
      return true;
    case 's':
      conversion->value = length[0] == 'l' ? TRACE_WIDE_STRING : TRACE_STRING;
      return true;
    case 'S':
      conversion->value = TRACE_WIDE_STRING;
      return true;
    case 'C':
      conversion->value = TRACE_CHAR;
      return true;
    case 'p':
      conversion->value = TRACE_POINTER;
      return true;
    case 'n':
      conversion->value = TRACE_COUNT;
      return true;
    }
  return false;
}

/* Digits or a star; returns the number, -2 for a star. */
static int
read_number (const char **text, struct trace_conversion *conversion)
{
  int number = 0;

  if (**text == '*')
    {
      ++*text;
      conversion->stars++;
      return -2;
    }
  for (; **text >= '0' && **text <= '9'; ++*text)
    if (number < 100000)
      number = number * 10 + (**text - '0');
  return number;
}

bool
trace_next_conversion (const char **text, struct trace_conversion *conversion)
{
  const char *at = *text, *length;

  for (;; at += 2)
    {
      at = strchr (at, '%');
      if (!at)
        return false;
      if (at[1] != '%')
        break;
    }
  *conversion = (struct trace_conversion){ .start = at++, .precision = -1 };
  at += strspn (at, "-+ #0'I");
  read_number (&at, conversion);
  if (*at == '.')
    {
      at++;
      conversion->precision = read_number (&at, conversion);
    }
  length = at;
  at += strspn (at, "hlLqjzt");
  if (!classify (conversion, length, *at))
    return false;
  conversion->end = *text = at + 1;
  return true;
}

/* What is being written, and the words that are left. */
struct output
{
  char *text;
  size_t size;
  const uint64_t *word;
  unsigned count;
};

static void
put_bytes (struct output *output, const char *bytes, size_t count)
{
  if (count >= output->size)
    count = output->size - 1;
  memcpy (output->text, bytes, count);
  output->text += count;
  output->size -= count;
  *output->text = '\0';
}

/* The format's own characters: %% is one. */
static void
put_plain (struct output *output, const char *from, const char *to)
{
  for (; from < to; from++)
    {
      put_bytes (output, from, 1);
      if (from[0] == '%' && from + 1 < to && from[1] == '%')
        from++;
    }
}

static bool
take (struct output *output, uint64_t *word)
{
  if (!output->count)
    return false;
  *word = *output->word++;
  output->count--;
  return true;
}

static int
limited (int64_t number, int most)
{
  return number < -most ? -most : number > most ? most : (int) number;
}

/* Makes a format of one conversion with everything spelt out, so that printf is given nothing
   but what was checked: flags, width, precision, and LETTERS. */
static bool
plain_format (char *spec, size_t size, const struct trace_conversion *conversion,
              struct output *output, const char *letters)
{
  enum
  {
    MOST = 200
  };
  const char *at = conversion->start + 1;
  size_t flags = strspn (at, "-+ #0");
  size_t length = 0;

  length += snprintf (spec + length, size - length, "%%%.*s", (int) (flags < 5 ? flags : 5), at);
  at += strspn (at, "-+ #0'I");
  for (int part = 0; part < 2; part++)
    {
      struct trace_conversion ignored = { .stars = 0 };
      bool is_there = part == 0 ? *at == '*' || (*at >= '1' && *at <= '9') : *at == '.';
      int64_t number;
      uint64_t word;

      if (!is_there)
        continue;
      at += part;
      number = read_number (&at, &ignored);
      if (ignored.stars)
        {
          if (!take (output, &word))
            return false;
          number = (int32_t) word;
        }
      /* A negative precision is none; a negative width is a flag and a width. */
      if (part == 0 || number >= 0)
        length += snprintf (spec + length, size - length, "%s%d", part ? "." : "",
                            limited (number, MOST));
    }
  snprintf (spec + length, size - length, "%s", letters);
  return true;
}

static const char *
letters_for (const struct trace_conversion *conversion, char *buffer)
{
  char letter = conversion->end[-1];

  switch (conversion->value)
    {
    case TRACE_DOUBLE:
    case TRACE_LONG_DOUBLE:
    case TRACE_STRING:
      sprintf (buffer, "%c", letter);
      break;
    case TRACE_CHAR:
      sprintf (buffer, "c");
      break;
    case TRACE_POINTER:
    case TRACE_WIDE_STRING:
      sprintf (buffer, "p");
      break;
    default:
      sprintf (buffer, "l%c", letter);
    }
  return buffer;
}

/* A string: its length, then its bytes. */
static bool
put_string (struct output *output, const char *spec)
{
  char text[TRACE_STRING_MOST + 1], shown[2 * TRACE_STRING_MOST];
  uint64_t length;
  size_t words;

  if (!take (output, &length))
    return false;
  words = (length + 7) / 8;
  if (length > TRACE_STRING_MOST || words > output->count)
    return false;
  memcpy (text, output->word, length);
  text[length] = '\0';
  output->word += words;
  output->count -= words;
  /* The format is one that plain_format made. */
  snprintf (shown, sizeof shown, spec, text);
  put_bytes (output, shown, strlen (shown));
  return true;
}

static bool
put_value (struct output *output, const struct trace_conversion *conversion)
{
  char spec[64], letters[4], shown[600];
  uint64_t word;
  double number;

  if (!plain_format (spec, sizeof spec, conversion, output, letters_for (conversion, letters)))
    return false;
  if (conversion->value == TRACE_STRING)
    return put_string (output, spec);
  if (!take (output, &word))
    return false;
  switch (conversion->value)
    {
    case TRACE_DOUBLE:
    case TRACE_LONG_DOUBLE:
      memcpy (&number, &word, sizeof number);
      snprintf (shown, sizeof shown, spec, number);
      break;
    case TRACE_CHAR:
      snprintf (shown, sizeof shown, spec, (int) word);
      break;
    case TRACE_POINTER:
    case TRACE_WIDE_STRING:
      snprintf (shown, sizeof shown, spec, (void *) word);
      break;
    default:
      snprintf (shown, sizeof shown, spec, (long) word);
    }
  put_bytes (output, shown, strlen (shown));
  return true;
}

void
trace_print_values (char *text, size_t size, const char *format, const uint64_t *words,
                    unsigned count)
{
  struct output output = { text, size, words, count };
  struct trace_conversion conversion;
  const char *at = format;

  *text = '\0';
  while (trace_next_conversion (&at, &conversion))
    {
      put_plain (&output, format, conversion.start);
      format = at;
      if (conversion.value != TRACE_COUNT && !put_value (&output, &conversion))
        put_bytes (&output, "?", 1);
    }
  put_plain (&output, format, format + strlen (format));
}
