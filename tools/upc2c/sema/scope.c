/* The meaning of names. A name holds its innermost declaration; leaving a scope restores what
   its names meant outside. */

#include "tools/upc2c/sema/sema.h"

struct binding
{
  struct name *name;
  struct decl *decl; /* what NAME was before, or */
  struct tag *tag;
  bool is_tag;
};

static struct binding *bindings;
static uint32_t binding_count;
static size_t binding_capacity;
static uint32_t *scopes; /* where each open scope's bindings begin */
static uint32_t depth;
static size_t scope_capacity;

uint32_t
scope_depth (void)
{
  return depth;
}

void
enter_scope (void)
{
  scopes = grow_array (scopes, depth + 1, &scope_capacity, sizeof *scopes);
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
  bindings = grow_array (bindings, binding_count + 1, &binding_capacity, sizeof *bindings);
  bindings[binding_count++] = binding;
}

void
bind (struct decl *decl)
{
  struct name *name = decl->name;

  if (depth > 0)
    note_binding ((struct binding){ .name = name, .decl = name->decl });
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
    note_binding ((struct binding){ .name = name, .tag = name->tag, .is_tag = true });
  tag->scope_depth = depth;
  if (type_is_record (tag->type))
    tag->type->record->is_local = depth > 0;
  if (name->tag && name->tag->scope_depth < depth)
    hide (name->tag->type);
  name->tag = tag;
}
