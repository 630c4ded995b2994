/* Words for the linker. Objects and archives are linked twice: first into one
   object, where everything between them is settled, then into the program. A
   word that says how archives are searched or symbols resolved concerns the
   first; all others, such as -rpath, concern the last. */

#include "tools/upcc/upcc.h"

#include <string.h>

enum link_effect
{
  EFFECT_NONE,
  EFFECT_STATIC,
  EFFECT_DYNAMIC,
  EFFECT_PUSH,
  EFFECT_POP,
  EFFECT_OPEN,
  EFFECT_CLOSE
};

struct link_row
{
  const char *word;
  enum link_phase phase;
  enum link_effect effect;
  bool takes_next; /* the value is the next word; with '=' it stands in this one */
};

static const struct link_row link_rows[] = {
  { "-(", LINK_BOTH, EFFECT_OPEN, false },
  { "--start-group", LINK_BOTH, EFFECT_OPEN, false },
  { "-)", LINK_BOTH, EFFECT_CLOSE, false },
  { "--end-group", LINK_BOTH, EFFECT_CLOSE, false },
  { "--whole-archive", LINK_BOTH, EFFECT_NONE, false },
  { "--no-whole-archive", LINK_BOTH, EFFECT_NONE, false },
  { "--push-state", LINK_BOTH, EFFECT_PUSH, false },
  { "--pop-state", LINK_BOTH, EFFECT_POP, false },
  { "-Bstatic", LINK_LAST, EFFECT_STATIC, false },
  { "-dn", LINK_LAST, EFFECT_STATIC, false },
  { "-non_shared", LINK_LAST, EFFECT_STATIC, false },
  { "-static", LINK_LAST, EFFECT_STATIC, false },
  { "-Bdynamic", LINK_LAST, EFFECT_DYNAMIC, false },
  { "-dy", LINK_LAST, EFFECT_DYNAMIC, false },
  { "-call_shared", LINK_LAST, EFFECT_DYNAMIC, false },
  { "-u", LINK_FIRST, EFFECT_NONE, true },
  { "--undefined", LINK_FIRST, EFFECT_NONE, true },
  { "--wrap", LINK_FIRST, EFFECT_NONE, true },
  { "-wrap", LINK_FIRST, EFFECT_NONE, true },
  /* Values of the words below may look like words above. */
  { "-rpath", LINK_LAST, EFFECT_NONE, true },
  { "-z", LINK_LAST, EFFECT_NONE, true },
  { "-shared", LINK_REFUSED, EFFECT_NONE, false },
  { "-Bshareable", LINK_REFUSED, EFFECT_NONE, false },
  { "-r", LINK_REFUSED, EFFECT_NONE, false },
  { "--relocatable", LINK_REFUSED, EFFECT_NONE, false },
};

static const struct link_row *
find_row (const char *word)
{
  for (size_t i = 0; i < sizeof link_rows / sizeof *link_rows; i++)
    {
      const struct link_row *row = &link_rows[i];
      size_t length = strlen (row->word);

      if (strcmp (word, row->word) == 0)
        return row;
      if (row->takes_next && strncmp (word, row->word, length) == 0 && word[length] == '=')
        return row;
    }
  return NULL;
}

static void
apply (struct link_state *state, enum link_effect effect, const char *word)
{
  const int deepest = sizeof state->pushed / sizeof *state->pushed;

  switch (effect)
    {
    case EFFECT_NONE:
      break;
    case EFFECT_STATIC:
    case EFFECT_DYNAMIC:
      state->only_static = effect == EFFECT_STATIC;
      break;
    case EFFECT_PUSH:
      if (state->depth == deepest)
        fail_usage ("'%s' nests too deeply", word);
      state->pushed[state->depth++] = state->only_static;
      break;
    case EFFECT_POP:
      if (!state->depth)
        fail_usage ("'%s' without --push-state", word);
      state->only_static = state->pushed[--state->depth];
      break;
    case EFFECT_OPEN:
    case EFFECT_CLOSE:
      state->groups += effect == EFFECT_OPEN ? 1 : -1;
      if (state->groups < 0 || state->groups > 1)
        fail_usage (state->groups < 0 ? "'%s' without --start-group" : "'%s' within a group", word);
      break;
    }
}

enum link_phase
classify_linker_word (struct link_state *state, const char *word, bool *takes_next)
{
  const struct link_row *row = find_row (word);

  *takes_next = false;
  if (!row)
    return LINK_LAST;
  if (row->phase == LINK_REFUSED)
    fail_usage ("'%s': upcc links programs", word);
  *takes_next = row->takes_next && strcmp (word, row->word) == 0;
  apply (state, row->effect, word);
  return row->phase;
}
