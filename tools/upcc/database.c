/* -MJ: an entry of compile_commands.json for each source that is compiled, as clang writes it. A build makes one list
   of the files; upc-clangd and other tools read there how a source is compiled. */

#include "tools/upcc/diagnostics/diagnostics.h"
#include "tools/upcc/upcc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void
write_field (FILE *out, const char *name, const char *value)
{
  fprintf (out, "\"%s\": ", name);
  write_json_text (out, value);
  fputs (", ", out);
}

/* What upcc was told that concerns the source. */
static struct words
command_for (const struct options *options, const struct item *source, const char *result)
{
  struct words command = { 0 };

  words_add (&command, "upcc");
  words_add_all (&command, &options->compile);
  words_add_all (&command, &options->preprocess);
  if (options->threads)
    words_add (&command, arena_format ("-fupc-threads-%d", options->threads));
  words_add_these (&command, "-c", source->text, NULL);
  if (result)
    words_add_these (&command, "-o", result, NULL);
  return command;
}

void
add_to_database (const struct options *options, const struct item *source, const char *result)
{
  struct words command = command_for (options, source, result);
  char *folder = getcwd (NULL, 0);
  FILE *out;

  if (!folder)
    fail ("cannot tell the current folder: %m");
  /* Several compilations may write to one file at once: an entry is one write. */
  out = fopen (options->database, "a");
  if (!out)
    fail ("%s: %m", options->database);
  fputs ("{", out);
  write_field (out, "directory", folder);
  write_field (out, "file", source->text);
  if (result)
    write_field (out, "output", result);
  fputs ("\"arguments\": [", out);
  for (size_t i = 0; i < command.count; i++)
    {
      fputs (i ? ", " : "", out);
      write_json_text (out, command.item[i]);
    }
  fputs ("]},\n", out);
  if (fclose (out) != 0)
    fail ("%s: %m", options->database);
  free (folder);
}
