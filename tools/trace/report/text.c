#include "tools/trace/report/report.h"
#include "tools/trace/format.h"

#include <string.h>

/* VALUE, in the first of UNITS, written in the first of them in which it is below BASE: each
   is BASE of the one before. The first has no decimals; the last takes all that is left. */
static const char *
format_scaled (char *buffer, double value, double base, const char *const *units)
{
  const char *const *unit = units;

  for (; value >= base - 0.05 && unit[1]; unit++)
    value /= base;
  snprintf (buffer, SHORT_TEXT, unit == units ? "%.0f %s" : "%.1f %s", value, *unit);
  return buffer;
}

const char *
format_ns (char *buffer, double ns)
{
  return format_scaled (buffer, ns, 1000, (const char *const[]){ "ns", "us", "ms", "s", NULL });
}

const char *
format_bytes (char *buffer, double bytes)
{
  return format_scaled (buffer, bytes, 1024,
                        (const char *const[]){ "B", "KiB", "MiB", "GiB", "TiB", "PiB", NULL });
}

const char *
site_text (char *buffer, size_t bytes, const struct site *site)
{
  if (!*site->file && !site->line)
    return "?";
  snprintf (buffer, bytes, "%s:%u", *site->path ? site->path : "?", site->line);
  return buffer;
}

void
make_printable (char *text, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if ((unsigned char) text[i] < 0x20 || text[i] == 0x7f)
      text[i] = ' ';
}

/* How many bytes the UTF-8 character at TEXT has; 0 where it is none. */
static unsigned
utf8_length (const unsigned char *text)
{
  unsigned length = *text < 0x80                    ? 1
                    : *text >= 0xc2 && *text < 0xe0 ? 2
                    : *text >= 0xe0 && *text < 0xf0 ? 3
                    : *text >= 0xf0 && *text < 0xf5 ? 4
                                                    : 0;

  for (unsigned i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  /* Overlong forms, surrogates, and what is above U+10FFFF. */
  if ((*text == 0xe0 && text[1] < 0xa0) || (*text == 0xed && text[1] > 0x9f)
      || (*text == 0xf0 && text[1] < 0x90) || (*text == 0xf4 && text[1] > 0x8f))
    return 0;
  return length;
}

void
write_json_text (FILE *file, const char *text)
{
  const unsigned char *at = (const unsigned char *) text;

  putc ('"', file);
  while (*at)
    {
      unsigned length = utf8_length (at);

      if (*at == '"' || *at == '\\')
        fprintf (file, "\\%c", *at);
      else if (*at < 0x20 || *at == '<' || *at == 0x7f)
        fprintf (file, "\\u%04x", *at);
      else if (length)
        fwrite (at, 1, length, file);
      else
        fputs ("\\ufffd", file);
      at += length ? length : 1;
    }
  putc ('"', file);
}

void
write_html_text (FILE *file, const char *text)
{
  const unsigned char *at = (const unsigned char *) text;

  while (*at)
    {
      unsigned length = utf8_length (at);

      if (*at == '<' || *at == '>' || *at == '&' || *at == '"' || *at == '\'')
        fprintf (file, "&#%d;", *at);
      else if (length && (*at >= 0x20 || *at == '\t') && *at != 0x7f)
        fwrite (at, 1, length, file);
      else
        fputs ("\xef\xbf\xbd", file);
      at += length ? length : 1;
    }
}

const char *
values_text (char *buffer, size_t bytes, const struct site *site, const uint64_t *words,
             unsigned count)
{
  *buffer = '\0';
  if (site->event->payload == TRACE_VALUES && *site->format && count)
    trace_print_values (buffer, bytes, site->format, words, count);
  else if (trace_has_number (site->event) && count == 1)
    snprintf (buffer, bytes, "%s %lld", site->event->unit, (long long) words[0]);
  else if (site->event->payload == TRACE_LOCKED && count == 1)
    snprintf (buffer, bytes, "the lock at %#llx of thread %lld",
              (long long) (words[0] & TRACE_LOCK_PLACE),
              (long long) (words[0] >> TRACE_LOCK_THREAD_SHIFT) - 1);
  return buffer;
}
