/* What names mean. A name holds its innermost declaration; leaving a scope puts back
   what its names meant outside. */

#include "tools/upc2c/front.h"
#include "tools/upc2c/parse.h"

#include <stdlib.h>

struct binding
{
  struct name *name;
  struct decl *decl; /* what NAME was before, or */
  struct tag *tag;
  bool is_tag;
};

static struct binding *bindings;
static uint32_t binding_count, binding_room;
static uint32_t *scopes; /* where each open scope's bindings begin */
static uint32_t depth, scope_room;

uint32_t
scope_depth (void)
{
  return depth;
}

void
enter_scope (void)
{
  if (depth == scope_room)
    {
      scope_room = scope_room ? 2 * scope_room : 64;
      scopes = realloc (scopes, scope_room * sizeof *scopes);
      if (!scopes)
        fail ("out of memory");
    }
  scopes[depth++] = binding_count;
}

void
leave_scope (void)
{
  uint32_t start = scopes[--depth];

  while (binding_count > start)
    {
      struct binding *binding = &bindings[--binding_count];

      if (binding->is_tag)
        binding->name->tag = binding->tag;
      else
        binding->name->decl = binding->decl;
    }
}

void
leave_scopes_to (uint32_t wanted)
{
  while (depth > wanted)
    leave_scope ();
}

static void
note_binding (struct binding binding)
{
  if (binding_count == binding_room)
    {
      binding_room = binding_room ? 2 * binding_room : 1024;
      bindings = realloc (bindings, binding_room * sizeof *bindings);
      if (!bindings)
        fail ("out of memory");
    }
  bindings[binding_count++] = binding;
}

void
bind (struct decl *decl)
{
  struct name *name = decl->name;

  if (depth > 0)
    note_binding ((struct binding) { .name = name, .decl = name->decl });
  decl->shadowed = name->decl;
  decl->scope_depth = depth;
  if (name->decl && name->decl->scope_depth < depth)
    name->decl->is_hidden = true;
  name->decl = decl;
}

static void
hide (struct type *type)
{
  if (type_is_record (type))
    type->record->is_hidden = true;
  else
    type->enumeration->is_hidden = true;
}

void
bind_tag (struct name *name, struct tag *tag)
{
  if (depth > 0)
    note_binding ((struct binding) { .name = name, .tag = name->tag, .is_tag = true });
  tag->scope_depth = depth;
  if (type_is_record (tag->type))
    tag->type->record->is_local = depth > 0;
  if (name->tag && name->tag->scope_depth < depth)
    hide (name->tag->type);
  name->tag = tag;
}
