/* Which constructs a tool is told of, and how C says so. */

#include "tools/upc2c/instrument.h"

#include <gasp_upc.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct
{
  bool events;    /* any */
  bool functions; /* GASP_C_FUNC */
  bool local;     /* accesses to data of the accessing thread */
  bool is_chosen; /* only those that are wanted */
  bool wanted[GASP_UPC_USEREVT_START];
} instrumenting;

static bool is_system_code;

/* --profile-events=7,8,26: the numbers that upcc makes of the names in a file. */
static void
read_events (const char *word, const char *list)
{
  instrumenting.is_chosen = true;
  while (*list)
    {
      char *end;
      unsigned long event = strtoul (list, &end, 10);

      if (*list < '0' || *list > '9' || event >= GASP_UPC_USEREVT_START || (*end && *end != ','))
        fail ("bad number of an event in '%s'", word);
      instrumenting.wanted[event] = true;
      list = *end ? end + 1 : end;
    }
}

bool
read_instrument_switch (const char *word)
{
  static const char events[] = "--profile-events=";
  bool is_all = strcmp (word, "--profile") == 0;
  bool is_all_local = strcmp (word, "--profile-local") == 0
                      || strcmp (word, "-fupc-instrument-functions") == 0;
  bool is_local = is_all_local || strcmp (word, "-fupc-instrument") == 0;

  if (strncmp (word, events, strlen (events)) == 0)
    {
      read_events (word, word + strlen (events));
      return true;
    }
  instrumenting.events |= is_all || is_local;
  instrumenting.functions |= is_all || is_all_local;
  instrumenting.local |= is_local;
  return is_all || is_local;
}

bool
is_instrumenting (void)
{
  return instrumenting.events;
}

bool
set_system_code (bool is_system)
{
  bool was = is_system_code;

  is_system_code = is_system;
  return was;
}

bool
is_watched (unsigned event, token_index where)
{
  return instrumenting.events && !is_initialising && !is_system_code
         && (event != GASP_C_FUNC || instrumenting.functions)
         && (!instrumenting.is_chosen || instrumenting.wanted[event])
         && !(token_at (where)->flags & TOKEN_UNWATCHED);
}

const char *
declare_value_of (struct expr *e, const char *name)
{
  if (e->type->kind == TYPE_UNKNOWN || e->type->kind == TYPE_ARRAY || e->type->kind == TYPE_FUNCTION)
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
  return instrumenting.local ? watching () : arena_format ("__upc_watching_at (%s)", address);
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
