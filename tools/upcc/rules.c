/* Rules for make. Sources are compiled in steps, through temporary files, so the
   compiler is told what a rule is for and where it goes. */

#include "tools/upcc/upcc.h"

#include <string.h>

/* What the source becomes, as the user sees it. */
static const char *
rule_target (const struct options *options, const struct item *source, const char *result)
{
  if (options->mode == MODE_LINK && options->names_output && options->source_count == 1)
    return options->output;
  if (options->mode == MODE_COMPILE || options->mode == MODE_ASSEMBLY)
    return result;
  return replace_suffix (source->text, ".o");
}

static const char *
rule_file (const char *target)
{
  const char *name = replace_suffix (target, ".d");

  return strchr (target, '/') ? arena_format ("%s/%s", path_folder (target), name) : name;
}

void
add_rules (struct words *command, const struct options *options, const struct item *source,
           const char *result)
{
  const struct rules *rules = &options->rules;
  const char *target;

  if (!rules->kind)
    return;
  target = rule_target (options, source, result);
  words_add (command, rules->kind);
  words_add_all (command, &rules->words);
  if (rules->targets.count)
    words_add_all (command, &rules->targets);
  else
    words_add_these (command, "-MQ", target, NULL);
  if (rules->file)
    words_add_these (command, "-MF", rules->file, NULL);
  else if (!rules_only (options))
    words_add_these (command, "-MF", rule_file (target), NULL);
}

/* -M and -MM: the rule is the result. */
bool
rules_only (const struct options *options)
{
  const char *kind = options->rules.kind;

  return kind && (strcmp (kind, "-M") == 0 || strcmp (kind, "-MM") == 0);
}
