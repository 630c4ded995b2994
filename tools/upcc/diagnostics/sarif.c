/* Messages as a log of SARIF 2.1.0 (OASIS), with one run. */

#include "tools/upcc/diagnostics/diagnostics.h"
#include "tools/common/common.h"
#include "tools/version.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

/* PATH as a URI reference (SARIF 2.1.0, 3.4.3; RFC 3986, 2): a relative one stays relative to the
   folder of the run. */
static const char *
uri_of (const char *path)
{
  char *uri = arena_alloc (3 * strlen (path) + sizeof "file://"), *at = uri;

  if (*path == '/')
    at = stpcpy (at, "file://");
  for (; *path; path++)
    if (isalnum ((unsigned char) *path) || strchr ("-._~/", *path))
      *at++ = *path;
    else
      at += sprintf (at, "%%%02X", (unsigned char) *path);
  return uri;
}

static void
write_artifact (FILE *out, const char *file)
{
  fputs ("\"artifactLocation\": {\"uri\": ", out);
  write_json_text (out, uri_of (file));
  if (*file != '/')
    fputs (", \"uriBaseId\": \"PWD\"", out);
  fputc ('}', out);
}

/* A region in characters; END_COLUMN is the one behind it (SARIF 2.1.0, 3.30). */
static void
write_region (FILE *out, const struct place *place)
{
  fprintf (out, "{\"startLine\": %u", place->line);
  if (place->column)
    fprintf (out, ", \"startColumn\": %u, \"endColumn\": %u",
             character_column (place, place->start), character_column (place, place->finish) + 1);
  fputc ('}', out);
}

/* A message's text and, where it has one, its place, in an object that stays open. */
static void
write_located (FILE *out, const struct diagnostic *d, bool is_list)
{
  fputs ("{\"message\": {\"text\": ", out);
  write_json_text (out, d->program ? arena_format ("%s: %s", d->program, d->text) : d->text);
  fputc ('}', out);
  if (!d->place.file)
    return;
  fputs (is_list ? ", \"locations\": [{\"physicalLocation\": {" : ", \"physicalLocation\": {", out);
  write_artifact (out, d->place.file);
  fputs (", \"region\": ", out);
  write_region (out, &d->place);
  fputs (is_list ? "}}]" : "}", out);
}

static void
write_replacement (FILE *out, const struct fix *fix)
{
  struct place start = { .file = fix->file, .line = fix->line };
  struct place next = { .file = fix->file, .line = fix->next_line };

  fputs ("{\"artifactChanges\": [{", out);
  write_artifact (out, fix->file);
  fprintf (out,
           ", \"replacements\": [{\"deletedRegion\": {\"startLine\": %u, \"startColumn\": %u, "
           "\"endLine\": %u, \"endColumn\": %u}, \"insertedContent\": {\"text\": ",
           fix->line, character_column (&start, fix->column), fix->next_line,
           character_column (&next, fix->next_column));
  write_json_text (out, fix->text);
  fputs ("}}]}]}", out);
}

static const char *
level_of (const struct diagnostic *d)
{
  return strcmp (d->kind, "warning") == 0                                   ? "warning"
         : strcmp (d->kind, "note") == 0 || strcmp (d->kind, "remark") == 0 ? "note"
                                                                            : "error";
}

static void
write_result (FILE *out, const struct diagnostic *d)
{
  write_located (out, d, true);
  fprintf (out, ", \"level\": \"%s\"", level_of (d));
  if (d->option)
    {
      fputs (", \"ruleId\": ", out);
      write_json_text (out, d->option);
    }
  for (size_t i = 0; i < d->note_count; i++)
    {
      fputs (i ? ", " : ", \"relatedLocations\": [", out);
      write_located (out, &d->notes[i], false);
      fputc ('}', out);
    }
  fputs (d->note_count ? "]" : "", out);
  for (size_t i = 0; i < d->fix_count; i++)
    {
      fputs (i ? ", " : ", \"fixes\": [", out);
      write_replacement (out, &d->fixes[i]);
    }
  fputs (d->fix_count ? "]}" : "}", out);
}

static bool
is_first_of_option (const struct diagnostics *from, size_t index)
{
  for (size_t i = 0; i < index; i++)
    if (from->items[i].option && strcmp (from->items[i].option, from->items[index].option) == 0)
      return false;
  return true;
}

/* Every option that results name is a rule. */
static void
write_tool (FILE *out, const struct diagnostics *from)
{
  const char *separator = "";

  fputs ("\"tool\": {\"driver\": {\"name\": \"upcc\", \"version\": \"" UPCT_VERSION
         "\", \"rules\": [",
         out);
  for (size_t i = 0; i < from->count; i++)
    if (from->items[i].option && is_first_of_option (from, i))
      {
        fprintf (out, "%s{\"id\": ", separator);
        write_json_text (out, from->items[i].option);
        fputc ('}', out);
        separator = ", ";
      }
  fputs ("]}}", out);
}

static void
write_folder (FILE *out)
{
  char folder[4096];

  if (!getcwd (folder, sizeof folder))
    return;
  fputs (", \"originalUriBaseIds\": {\"PWD\": {\"uri\": ", out);
  write_json_text (out, uri_of (arena_format ("%s/", strcmp (folder, "/") == 0 ? "" : folder)));
  fputs ("}}", out);
}

void
write_sarif (FILE *out, const struct diagnostics *from, bool command_failed)
{
  fputs ("{\"$schema\": "
         "\"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
         "sarif-schema-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [{",
         out);
  write_tool (out, from);
  write_folder (out);
  fprintf (out,
           ", \"columnKind\": \"unicodeCodePoints\", \"invocations\": [{\"executionSuccessful\": "
           "%s}], \"results\": [",
           command_failed ? "false" : "true");
  for (size_t i = 0; i < from->count; i++)
    {
      fputs (i ? ", " : "", out);
      write_result (out, &from->items[i]);
    }
  fputs ("]}]}\n", out);
}
