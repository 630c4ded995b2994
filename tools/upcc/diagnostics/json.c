/* Messages as JSON, with gcc's fields. */

#include "tools/upcc/diagnostics/diagnostics.h"

#include <string.h>

/* Bytes that are no UTF-8 become U+FFFD. Returns how many bytes the character at TEXT has; 0: it is none. */
static size_t
character_length (const char *text)
{
  unsigned char first = *text;
  size_t length = first < 0x80   ? 1
                  : first < 0xc2 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf5 ? 4
                                 : 0;

  for (size_t i = 1; i < length; i++)
    if (((unsigned char) text[i] & 0xc0) != 0x80)
      return 0;
  return length;
}

void
write_json_text (FILE *out, const char *text)
{
  fputc ('"', out);
  while (*text)
    {
      size_t length = character_length (text);

      if (length == 0)
        {
          fputs ("\\ufffd", out);
          length = 1;
        }
      else if (*text == '"' || *text == '\\')
        fprintf (out, "\\%c", *text);
      else if ((unsigned char) *text < ' ')
        fprintf (out, "\\u%04x", *text);
      else
        fwrite (text, 1, length, out);
      text += length;
    }
  fputc ('"', out);
}

static void
write_point (FILE *out, const char *name, const struct place *place, unsigned line, unsigned column)
{
  struct place at = { place->file, line, column, column, column };
  unsigned shown = screen_column (&at, column);

  fprintf (out, "\"%s\": {\"file\": ", name);
  write_json_text (out, place->file);
  fprintf (out, ", \"line\": %u, \"column\": %u, \"display-column\": %u, \"byte-column\": %u}",
           line, shown, shown, column);
}

static void
write_place (FILE *out, const struct place *place)
{
  fputs ("\"locations\": [", out);
  if (place->file && place->column)
    {
      fputc ('{', out);
      write_point (out, "caret", place, place->line, place->column);
      if (place->start < place->column)
        {
          fputs (", ", out);
          write_point (out, "start", place, place->line, place->start);
        }
      if (place->finish > place->column)
        {
          fputs (", ", out);
          write_point (out, "finish", place, place->line, place->finish);
        }
      fputc ('}', out);
    }
  else if (place->file)
    {
      fputs ("{\"caret\": {\"file\": ", out);
      write_json_text (out, place->file);
      fprintf (out, ", \"line\": %u}}", place->line);
    }
  fputc (']', out);
}

static void
write_fixes (FILE *out, const struct diagnostic *d)
{
  for (size_t i = 0; i < d->fix_count; i++)
    {
      const struct fix *fix = &d->fixes[i];
      struct place place = { .file = fix->file };

      fputs (i ? ", {" : ", \"fixits\": [{", out);
      write_point (out, "start", &place, fix->line, fix->column);
      fputs (", ", out);
      write_point (out, "next", &place, fix->next_line, fix->next_column);
      fputs (", \"string\": ", out);
      write_json_text (out, fix->text);
      fputc ('}', out);
    }
  if (d->fix_count)
    fputc (']', out);
}

/* Up to its notes. */
static void
begin_diagnostic (FILE *out, const struct diagnostic *d)
{
  fputs ("{\"kind\": ", out);
  write_json_text (out, d->kind);
  fputs (", \"message\": ", out);
  write_json_text (out, d->text);
  if (d->option)
    {
      fputs (", \"option\": ", out);
      write_json_text (out, d->option);
    }
  fputs (", ", out);
  write_place (out, &d->place);
  write_fixes (out, d);
  fputs (", \"escape-source\": false", out);
}

static void
write_diagnostic (FILE *out, const struct diagnostic *d)
{
  begin_diagnostic (out, d);
  fputs (", \"column-origin\": 1, \"children\": [", out);
  for (size_t i = 0; i < d->note_count; i++)
    {
      fputs (i ? ", " : "", out);
      begin_diagnostic (out, &d->notes[i]);
      fputc ('}', out);
    }
  fputs ("]}", out);
}

void
write_json (FILE *out, const struct diagnostics *from)
{
  fputc ('[', out);
  for (size_t i = 0; i < from->count; i++)
    {
      fputs (i ? ", " : "", out);
      write_diagnostic (out, &from->items[i]);
    }
  fputs ("]\n", out);
}
