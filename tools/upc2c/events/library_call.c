/* Which library functions a call may name, and the event of each. */

#include "tools/upc2c/events/events.h"

#include <gasp_upc.h>

#include <string.h>

/* As runtime/gasp/events.def says. */
static const struct known_call known_calls[] = {
#define CALL(name, event, values) { name, GASP_##event, values },
#include "runtime/gasp/events.def"
};

static const struct
{
  const char *name;
  int type;
} user_events[] = {
  { "pupc_event_start", GASP_START },
  { "pupc_event_end", GASP_END },
  { "pupc_event_atomic", GASP_ATOMIC },
};

/* The letters of upc_all_reduceC and the like. */
/* clang-format off */
static const struct
{
  const char *suffix;
  gasp_upc_reduction_t type;
} reductions[] = {
  { "C", GASP_UPC_REDUCTION_C }, { "UC", GASP_UPC_REDUCTION_UC }, { "S", GASP_UPC_REDUCTION_S },
  { "US", GASP_UPC_REDUCTION_US }, { "I", GASP_UPC_REDUCTION_I }, { "UI", GASP_UPC_REDUCTION_UI },
  { "L", GASP_UPC_REDUCTION_L }, { "UL", GASP_UPC_REDUCTION_UL }, { "F", GASP_UPC_REDUCTION_F },
  { "D", GASP_UPC_REDUCTION_D }, { "LD", GASP_UPC_REDUCTION_LD },
};
/* clang-format on */

/* The function of the library that E calls by its name, or NULL. */
static struct expr *
library_function (struct expr *e)
{
  struct expr *callee = strip_conversions (e->a);
  struct decl *d = callee->kind == EXPR_NAME ? callee->decl : NULL;

  if (!d || d->kind != DECL_FUNCTION || !d->is_global || d->storage == STORAGE_STATIC || d->body)
    return NULL;
  return callee;
}

/* Whether NAME is the function of KNOWN: of a reduction, with one of the letters behind it. */
static bool
is_known_call (const struct known_call *known, const char *name, int *type)
{
  size_t length = strlen (known->name);

  if (!strchr (known->values, 't'))
    return strcmp (name, known->name) == 0;
  if (strncmp (name, known->name, length) != 0)
    return false;
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (strcmp (name + length, reductions[i].suffix) == 0)
      {
        *type = reductions[i].type;
        return true;
      }
  return false;
}

static void
find_library_call (struct call *c, const char *name)
{
  /* The access code of upc_nb.h has names of its own. */
  if (strncmp (name, "__upc_", strlen ("__upc_")) == 0)
    name += 2;
  for (size_t i = 0; i < sizeof known_calls / sizeof *known_calls; i++)
    if (is_known_call (&known_calls[i], name, &c->type))
      {
        c->kind = CALL_LIBRARY;
        c->known = known_calls[i];
      }
}

static void
find_user_event (struct call *c, const char *name)
{
  for (size_t i = 0; i < sizeof user_events / sizeof *user_events; i++)
    if (strcmp (name, user_events[i].name) == 0)
      {
        c->kind = CALL_USER_EVENT;
        c->type = user_events[i].type;
      }
}

static const struct
{
  const char *name;
  unsigned event;
} ways_out[] = {
  { "exit", GASP_UPC_COLLECTIVE_EXIT },
  { "bupc_exit", GASP_UPC_COLLECTIVE_EXIT },
  { "upc_global_exit", GASP_UPC_NONCOLLECTIVE_EXIT },
  { "_Exit", GASP_UPC_NONCOLLECTIVE_EXIT },
  { "_exit", GASP_UPC_NONCOLLECTIVE_EXIT },
  { "quick_exit", GASP_UPC_NONCOLLECTIVE_EXIT },
  { "abort", GASP_UPC_NONCOLLECTIVE_EXIT },
};

static void
find_way_out (struct call *c, const char *name)
{
  for (size_t i = 0; i < sizeof ways_out / sizeof *ways_out; i++)
    if (strcmp (name, ways_out[i].name) == 0)
      {
        c->kind = CALL_EXIT;
        c->known.event = ways_out[i].event;
      }
  if (strcmp (name, "_setjmp") == 0 || strcmp (name, "setjmp") == 0
      || strcmp (name, "__sigsetjmp") == 0)
    c->kind = CALL_SETJMP;
}

/* The arguments that the event needs are there. */
static bool
has_arguments (const struct expr *e, const char *values)
{
  for (; *values; values++)
    if (*values >= '0' && *values <= '9' && (uint32_t) (*values - '0') >= e->list->count)
      return false;
    else if (*values == 'm' && e->list->count != 2)
      return false;
  return true;
}

struct call
find_call (struct expr *e)
{
  struct expr *callee = library_function (e);
  struct call c = { .kind = CALL_UNKNOWN };

  if (!callee)
    return c;
  c.function = callee->decl;
  c.where = callee->token;
  find_user_event (&c, c.function->name->text);
  if (c.kind == CALL_USER_EVENT && e->list->count == 0)
    c.kind = CALL_UNKNOWN;
  if (c.kind != CALL_UNKNOWN || !is_instrumenting ())
    return c;
  find_library_call (&c, c.function->name->text);
  find_way_out (&c, c.function->name->text);
  if (c.kind == CALL_LIBRARY && !has_arguments (e, c.known.values))
    c.kind = CALL_UNKNOWN;
  return c;
}

bool
is_watched_call (struct expr *e)
{
  return find_call (e).kind != CALL_UNKNOWN;
}
