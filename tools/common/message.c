/* Messages in gcc's form:

       upcc: error: …
       file.upc:12:7: error: …
          12 |   x = p;
             |       ^
 */

#include "tools/common/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer lines say nothing to a reader. */
enum
{
  MAX_LINE_SHOWN = 400
};

static bool has_colors;

/* As gcc has them where GCC_COLORS does not say otherwise. */
static struct
{
  const char *name;
  char code[32];
} colors[] = { { "error", "01;31" }, { "warning", "01;35" },   { "note", "01;36" },
               { "locus", "01" },    { "fixit-insert", "32" }, { "fixit-delete", "31" },
               { "quote", "01" } };

enum
{
  COLOR_COUNT = sizeof colors / sizeof *colors
};

/* GCC_COLORS: "error=01;31:warning=…"; empty: no colors. */
static void
read_colors (const char *text)
{
  for (; *text; text += *text == ':')
    {
      size_t size = strcspn (text, ":");

      for (size_t i = 0; i < COLOR_COUNT; i++)
        {
          size_t length = strlen (colors[i].name);

          if (size > length && strncmp (text, colors[i].name, length) == 0 && text[length] == '=')
            snprintf (colors[i].code, sizeof colors[i].code, "%.*s", (int) (size - length - 1),
                      text + length + 1);
        }
      text += size;
    }
}

void
set_message_colors (bool on)
{
  const char *chosen = getenv ("GCC_COLORS");

  has_colors = on && (!chosen || *chosen);
  if (chosen)
    read_colors (chosen);
}

static void
begin_color (const char *name)
{
  for (size_t i = 0; has_colors && i < COLOR_COUNT; i++)
    if (strcmp (colors[i].name, name) == 0)
      fprintf (stderr, "\33[%sm\33[K", colors[i].code);
}

static void
end_color (void)
{
  if (has_colors)
    fputs ("\33[m\33[K", stderr);
}

/* Text with what is in quotes in color. */
static void
show_text (const char *text)
{
  bool is_quoted = false;

  for (; *text; text++)
    if (*text != '\'' || !has_colors)
      fputc (*text, stderr);
    else if (is_quoted)
      {
        end_color ();
        fputc (*text, stderr);
        is_quoted = false;
      }
    else
      {
        fputc (*text, stderr);
        begin_color ("quote");
        is_quoted = true;
      }
  if (is_quoted)
    end_color ();
}

void
show_message (const char *where, const char *kind, const char *format, va_list args)
{
  char *text;

  fflush (stdout);
  begin_color ("locus");
  fprintf (stderr, "%s:", where);
  end_color ();
  fputc (' ', stderr);
  begin_color (kind);
  fprintf (stderr, "%s: ", kind);
  end_color ();
  if (vasprintf (&text, format, args) < 0)
    abort ();
  show_text (text);
  free (text);
  fputc ('\n', stderr);
}

/* Blanks up to before COLUMN. Tabs stay tabs, so that what follows stands right at any tab width; a
   character of several bytes is one blank. */
static void
show_blanks (const struct source_location *location, size_t column)
{
  for (size_t i = 0; i + 1 < column; i++)
    {
      char c = i < location->length ? location->text[i] : ' ';

      if (c == '\t')
        fputc ('\t', stderr);
      else if (begins_character (c))
        fputc (' ', stderr);
    }
}

/* The line, and a caret under the column, with what is pointed to underlined. */
static bool
show_line (const struct source_location *location, const char *kind)
{
  size_t before = location->column - 1, width = location->width;

  if (!location->text || location->length == 0 || location->length > MAX_LINE_SHOWN)
    return false;
  if (before > location->length)
    before = location->length;
  if (width > location->length - before)
    width = location->length - before;
  fprintf (stderr, "%5u | %.*s", location->line, (int) before, location->text);
  begin_color (kind);
  fprintf (stderr, "%.*s", (int) width, location->text + before);
  end_color ();
  fprintf (stderr, "%.*s\n      | ", (int) (location->length - before - width),
           location->text + before + width);
  show_blanks (location, location->column);
  begin_color (kind);
  fputc ('^', stderr);
  for (size_t i = 1; i < width; i++)
    if (begins_character (location->text[before + i]))
      fputc ('~', stderr);
  end_color ();
  fputc ('\n', stderr);
  return true;
}

/* TEXT ends with a line feed. */
static void
show_new_line (const char *text)
{
  fputs ("  +++ |+", stderr);
  begin_color ("fixit-insert");
  fprintf (stderr, "%.*s", (int) strlen (text) - 1, text);
  end_color ();
  fputc ('\n', stderr);
}

/* Under the marks: what to write instead, or what to take away. */
static void
show_replacement (const struct source_location *location)
{
  const struct source_fix *fix = location->fix;

  fputs ("      | ", stderr);
  show_blanks (location, fix->column);
  begin_color (*fix->text ? "fixit-insert" : "fixit-delete");
  fputs (fix->text, stderr);
  for (unsigned i = fix->column; !*fix->text && i < fix->next_column; i++)
    fputc ('-', stderr);
  end_color ();
  fputc ('\n', stderr);
}

void
show_message_at (const struct source_location *location, const char *kind, const char *format,
                 va_list args)
{
  char *where;

  if (asprintf (&where, "%s:%u:%u", location->file, location->line, location->column) < 0)
    abort ();
  show_message (where, kind, format, args);
  free (where);
  if (!show_line (location, kind) || !location->fix)
    return;
  if (strchr (location->fix->text, '\n'))
    show_new_line (location->fix->text);
  else if (location->fix->line == location->line)
    show_replacement (location);
}

void
note (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "note", format, args);
  va_end (args);
}

void
warn_file (const char *file, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (file, "warning", format, args);
  va_end (args);
}

void
fail (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (STATUS_FAILED);
}

void
fail_usage (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (STATUS_USAGE);
}

void
fail_status (int status, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (program_name, "error", format, args);
  va_end (args);
  exit (status);
}

void
fail_file (const char *file, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  show_message (file, "error", format, args);
  va_end (args);
  exit (STATUS_FAILED);
}
