/* Events and the source locations of their constructs, in C. */

#include "tools/upc2c/instrument/internal.h"

const char *
declare_value_of (struct expr *e, const char *name)
{
  if (e->type->kind == TYPE_UNKNOWN || e->type->kind == TYPE_ARRAY
      || e->type->kind == TYPE_FUNCTION)
    return arena_format ("__auto_type %s", name);
  return declare_value (e->type, name);
}

int
new_number (void)
{
  static int last;

  return ++last;
}

void
put_site (int number, token_index where)
{
  const struct token *t = token_at (where);

  putf ("static const struct upct_site __upc_site%d = { \"%s\", %u, %d }; ", number,
        quoted_file (t), t->line, token_column (t));
}

const char *
watching (void)
{
  return "__upc_watching ()";
}

const char *
watching_at (const char *address)
{
  return switches.profile.local ? watching () : arena_format ("__upc_watching_at (%s)", address);
}

const char *
watching_access_at (const char *address)
{
  if (which_access_events () == ALL_ACCESS_EVENTS)
    return watching_at (address);
  return switches.profile.local ? "__upc_watching_access ()"
                                : arena_format ("__upc_watching_access_at (%s)", address);
}

const char *
event_call (int site, unsigned event, int type, const char *arguments)
{
  return arena_format ("upct_gasp_event (&__upc_site%d, %u, %d%s)", site, event, type, arguments);
}

void
put_event (int site, unsigned event, int type, const char *arguments)
{
  putf ("if (%s) %s; ", watching (), event_call (site, event, type, arguments));
}
