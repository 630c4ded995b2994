/* Compound literals outside of functions that hold pointers-to-shared. Their values are stored
   before main. So each becomes an object with a name, which is declared before the declaration
   that contains it. */

#include "tools/upc2c/write/internal.h"

#include <string.h>

struct literal
{
  struct expr *e;
  struct decl *object;
  struct literal *next;
};

static struct literal *literals;

static struct decl *
new_object (struct expr *e)
{
  struct decl *d = NEW (struct decl);
  const char *name = arena_format ("__upc_literal_%u", e->first);

  d->kind = DECL_VARIABLE;
  d->name = intern (name, strlen (name));
  d->type = d->declared_type = e->type;
  d->storage = STORAGE_STATIC;
  d->has_static_duration = d->is_definition = true;
  d->first = d->last = d->name_token = d->declarator_first = d->declarator_last = e->first;
  d->suffix_first = NO_TOKEN;
  d->init = e->init;
  return d;
}

/* The definition of D. */
static void
insert_object (struct decl *d)
{
  struct buffering *c = begin_buffering ();
  const struct type *type = with_quals (without_shared (d->type), quals_of (d->type) & ~QUAL_CONST,
                                        0);

  putf ("static %s = ", declare (type, d->name->text));
  gen_static_initializer (d->init);
  put ("; ");
  insert_before (declaration_around (d->first)->first, end_buffering (c));
}

const char *
static_literal (struct expr *e)
{
  struct literal *l = literals;

  while (l && l->e != e)
    l = l->next;
  if (!l)
    {
      l = NEW (struct literal);
      *l = (struct literal){ e, new_object (e), literals };
      literals = l;
      insert_object (l->object);
    }
  if (has_run_time_value (l->object))
    initialise_later (l->object);
  return l->object->name->text;
}
