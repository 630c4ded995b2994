/* Depfiles: rules for make. Sources are compiled in steps, through temporary files, so the
   compiler is told what the target of a rule is and where the rule goes. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* What the source becomes, as the user sees it. */
static const char *
depfile_target (const struct options *options, const struct item *source, const char *result)
{
  if (options->mode == MODE_LINK && options->names_output && options->source_count == 1)
    return options->output;
  if (options->mode == MODE_COMPILE || options->mode == MODE_ASSEMBLY)
    return result;
  return replace_suffix (source->text, ".o");
}

static const char *
depfile_name (const char *target)
{
  const char *name = replace_suffix (target, ".d");

  return strchr (target, '/') ? arena_format ("%s/%s", path_folder (target), name) : name;
}

void
add_depfile (struct words *command, const struct options *options, const struct item *source,
             const char *result)
{
  const struct depfile *depfile = &options->depfile;
  const char *target;

  if (!depfile->kind)
    return;
  target = depfile_target (options, source, result);
  words_add (command, depfile->kind);
  words_add_all (command, &depfile->words);
  if (depfile->targets.count)
    words_add_all (command, &depfile->targets);
  else
    words_add_these (command, "-MQ", target, NULL);
  if (depfile->file)
    words_add_these (command, "-MF", depfile->file, NULL);
  else if (!is_depfile_only (options))
    words_add_these (command, "-MF", depfile_name (target), NULL);
}

/* -M and -MM: the rule is the output. */
bool
is_depfile_only (const struct options *options)
{
  const char *kind = options->depfile.kind;

  return kind && (strcmp (kind, "-M") == 0 || strcmp (kind, "-MM") == 0);
}
