/* -fdiagnostics-format: messages for programs. All that this process and its commands say is
   collected, and written at the end in the form that was asked for. What is no message, as the
   commands that -v shows, stays text. */

#include "tools/upcc/upcc.h"
#include "tools/upcc/diagnostics/diagnostics.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const struct
{
  const char *name;
  enum message_format format;
} formats[] = {
  { "text", MESSAGES_TEXT },          { "json", MESSAGES_JSON },
  { "json-stderr", MESSAGES_JSON },   { "json-file", MESSAGES_JSON_FILE },
  { "sarif-stderr", MESSAGES_SARIF }, { "sarif-file", MESSAGES_SARIF_FILE },
};

void
set_message_format (struct options *options, const struct option_row *row, const char *value)
{
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp (formats[i].name, value) == 0)
      {
        options->message_format = formats[i].format;
        return;
      }
  fail_usage (
      "invalid value '%s' for %s; expected text, json, json-stderr, json-file, sarif-stderr "
      "or sarif-file",
      value, row->name);
}

struct collection
{
  enum message_format format;
  const char *file; /* NULL: standard error */
  FILE *out;        /* the file */
  int collected;    /* what standard error is meanwhile */
  int original;
};

/* As gcc has it: SOURCE.gcc.json or SOURCE.sarif, in the current folder. */
static const char *
file_of_messages (const struct options *options)
{
  const char *source = "stdin";

  for (size_t i = options->item_count; i-- > 0;)
    if (options->items[i].kind == ITEM_FILE && strcmp (options->items[i].text, "-") != 0)
      source = path_base (options->items[i].text);
  return options->message_format == MESSAGES_JSON_FILE    ? arena_format ("%s.gcc.json", source)
         : options->message_format == MESSAGES_SARIF_FILE ? arena_format ("%s.sarif", source)
                                                          : NULL;
}

static void
write_messages (FILE *out, const struct collection *c, const struct diagnostics *messages,
                int status)
{
  if (c->format == MESSAGES_JSON || c->format == MESSAGES_JSON_FILE)
    write_json (out, messages);
  else
    write_sarif (out, messages, status != 0);
}

static void
end_collection (int status, void *collection)
{
  const struct collection *c = collection;
  struct diagnostics messages = { 0 };
  off_t size;
  char *text;

  fflush (stderr);
  dup2 (c->original, STDERR_FILENO);
  size = lseek (c->collected, 0, SEEK_END);
  text = size > 0 ? mmap (NULL, size, PROT_READ, MAP_PRIVATE, c->collected, 0) : NULL;
  if (text && text != MAP_FAILED)
    read_diagnostics (&messages, text, size, stderr);
  write_messages (c->out ? c->out : stderr, c, &messages, status);
  if (c->out && (ferror (c->out) | (fclose (c->out) != 0)))
    {
      warn_file (c->file, "cannot write: %m");
      _exit (STATUS_FAILED);
    }
}

void
collect_messages (const struct options *options)
{
  static struct collection c;

  if (options->message_format == MESSAGES_TEXT)
    return;
  c.format = options->message_format;
  c.file = file_of_messages (options);
  c.out = c.file ? fopen (c.file, "we") : NULL;
  if (c.file && !c.out)
    fail ("cannot write %s: %m", c.file);
  c.collected = memfd_create ("messages", MFD_CLOEXEC);
  c.original = fcntl (STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (c.collected < 0 || c.original < 0 || on_exit (end_collection, &c) != 0
      || dup2 (c.collected, STDERR_FILENO) < 0)
    fail ("cannot collect messages: %m");
}
