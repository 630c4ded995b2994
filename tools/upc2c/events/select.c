/* Which constructs raise events. */

#include "tools/upc2c/events/events.h"

#include <errno.h>
#include <gasp_upc.h>
#include <string.h>

static bool is_system_code;
static enum access_events access_events;

bool
is_instrumenting (void)
{
  return switches.profile.is_on;
}

bool
set_system_code (bool is_system)
{
  bool was = is_system_code;

  is_system_code = is_system;
  return was;
}

enum access_events
set_access_events (enum access_events which)
{
  enum access_events was = access_events;

  access_events = which;
  return was;
}

enum access_events
which_access_events (void)
{
  return access_events;
}

static bool
is_access (unsigned event)
{
  return event == GASP_UPC_GET || event == GASP_UPC_PUT;
}

bool
is_watched (unsigned event, token_index where)
{
  return switches.profile.is_on && !is_system_code
         && !(access_events == NO_ACCESS_EVENTS && is_access (event))
         && (event != GASP_C_FUNC || switches.profile.functions)
         && (!switches.profile.is_selective || switches.profile.selected[event])
         && !(token_at (where)->flags & TOKEN_UNWATCHED);
}

/* Whether an attribute between FIRST and LAST is called NAME or __NAME__. */
static bool
has_attribute (token_index first, token_index last, const char *name)
{
  size_t length = strlen (name);

  for (token_index i = first; first != NO_TOKEN && i <= last; i++)
    {
      const struct token *t = token_at (i);

      if (t->kind != TOKEN_NAME)
        continue;
      if (token_is (t, name)
          || (t->length == length + 4 && memcmp (t->text, "__", 2) == 0
              && memcmp (t->text + 2, name, length) == 0))
        return true;
    }
  return false;
}

/* A function may ask not to be instrumented, and a naked one cannot have a frame. */
static bool
refuses_frame (const struct decl *function)
{
  static const char *const names[] = { "no_instrument_function", "naked" };

  for (const struct decl *d = function; d; d = d->previous)
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (d->declaration
          && has_attribute (d->declaration->first, d->body ? d->body->first : d->declaration->last,
                            names[i]))
        return true;
  return false;
}

bool
is_watched_function (const struct decl *function)
{
  return is_watched (GASP_C_FUNC, function->name_token)
         && !(token_at (function->body->first)->flags & TOKEN_SYSTEM) && !refuses_frame (function);
}

static bool
is_watched_load (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_LOAD && is_watched (GASP_UPC_GET, e->first);
}

static bool
is_watched_access (struct expr *e, void *nothing)
{
  if (e->kind != EXPR_ASSIGN && e->kind != EXPR_COMPOUND && e->kind != EXPR_STEP)
    return is_watched_load (e, nothing);
  return type_is_shared (e->a->type)
         && (is_watched (GASP_UPC_GET, e->first) || is_watched (GASP_UPC_PUT, e->first));
}

bool
has_watched_access (struct stmt *s)
{
  return any_in_stmt (s, is_watched_access, NULL);
}

bool
has_watched_header (struct stmt *s)
{
  return any_in_expr (s->expr, is_watched_load, NULL)
         || any_in_expr (s->step, is_watched_load, NULL)
         || any_in_expr (s->affinity, is_watched_load, NULL);
}
