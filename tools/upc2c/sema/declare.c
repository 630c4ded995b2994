/* What a declaration declares. */

#include "tools/upc2c/sema/sema.h"

/* C's main returns int: a debugger and who waits for the process see that. */
static void
give_main_a_result (struct decl *decl)
{
  struct type *type = decl->type;

  if (!is_main_function (decl) || type->base->kind != TYPE_VOID)
    return;
  decl->type = function_returning (type_int (), type->function.params, type->function.is_variadic,
                                   type->function.has_prototype);
  decl->was_void = decl->translate = true;
}

void
set_kind (struct decl *decl)
{
  const struct specifiers *specifiers = decl->specifiers;

  decl->storage = specifiers->storage;
  decl->is_thread_local = specifiers->is_thread_local;
  decl->is_inline = specifiers->is_inline;
  if (decl->storage == STORAGE_TYPEDEF)
    decl->kind = DECL_TYPEDEF;
  else if (decl->type->kind == TYPE_FUNCTION)
    decl->kind = DECL_FUNCTION;
  else
    decl->kind = DECL_VARIABLE;
  give_main_a_result (decl);
  decl->is_global = scope_depth () == 0 || decl->storage == STORAGE_EXTERN;
  decl->has_static_duration = decl->is_global || decl->storage == STORAGE_STATIC
                              || decl->is_thread_local;
  decl->is_definition = decl->kind == DECL_VARIABLE && decl->storage != STORAGE_EXTERN;
}

void
name_typedef (struct decl *decl)
{
  struct type *type = decl->type;

  if (decl->align)
    type = with_align (type, decl->align);
  if (type_is_record (type) && !type->quals && !type->record->tag && !type->record->typedef_decl)
    type->record->typedef_decl = decl;
  decl->type = named_by (type, decl);
}

/* The declaration that DECL repeats: of the same scope, or any outer one of the same
   extern thing. */
static struct decl *
find_previous (const struct decl *decl)
{
  struct decl *before = decl->name->decl;

  if (before && before->kind == decl->kind
      && (before->scope_depth == scope_depth () || (decl->is_global && before->is_global)))
    return before;
  return NULL;
}

/* What one declaration of an array leaves open, another may say. */
static void
complete_from (struct decl *decl, const struct decl *before)
{
  if (decl->type->kind == TYPE_ARRAY && decl->type->length_kind == LENGTH_UNKNOWN
      && before->type->kind == TYPE_ARRAY && before->type->length_kind != LENGTH_UNKNOWN
      && types_match (decl->type, before->type))
    decl->type = before->type;
}

static bool
is_extension (const struct decl *decl)
{
  return decl->scope_depth == 0 && decl->name_token != NO_TOKEN
         && token_at (decl->name_token)->flags & TOKEN_EXTENSION;
}

static bool
repeats_type (const struct decl *decl, const struct decl *before)
{
  return decl->kind == DECL_TYPEDEF && before->kind == DECL_TYPEDEF
         && types_match (decl->type, before->type);
}

/* What a header offers beyond the specification leaves its name to a program that declares it:
   none of the names is reserved. Such a header has one name in a declaration. A typedef that is
   only repeated stays, for it may be in use. */
static void
give_way_to (const struct decl *decl)
{
  struct decl *before = decl->name->decl;

  if (!before || !before->declaration || !is_extension (before)
      || (scope_depth () > 0 && !decl->is_global)
      || token_at (decl->name_token)->flags & TOKEN_EXTENSION || repeats_type (decl, before))
    return;
  before->declaration->gave_way = true;
  decl->name->decl = NULL;
}

/* Of several declarations of what other files may name the definition says most, or else the last. */
static void
list_global (struct decl *decl)
{
  struct decl *before = decl->previous;

  decl->is_internal = decl->storage == STORAGE_STATIC || (before && before->is_internal);
  if ((decl->kind != DECL_VARIABLE && decl->kind != DECL_FUNCTION) || !decl->is_global
      || decl->is_internal)
    return;
  if (before && before->is_definition && !decl->is_definition)
    decl->is_repeated = true;
  else if (before)
    before->is_repeated = true;
  decl->next_global = tree.globals;
  tree.globals = decl;
}

void
declare_name (struct decl *decl)
{
  if (!decl->name)
    return;
  give_way_to (decl);
  decl->previous = find_previous (decl);
  if (decl->previous)
    complete_from (decl, decl->previous);
  check_redeclaration (decl);
  list_global (decl);
  bind (decl);
}

/* What can be said of an array only once its initialiser has given the length. */
void
finish_object (struct decl *decl)
{
  settle_star_layout (decl);
  check_object (decl);
  if (decl->kind == DECL_VARIABLE && type_is_shared (decl->type) && decl->type->kind == TYPE_ARRAY
      && decl->type->length_kind == LENGTH_UNKNOWN && decl->storage != STORAGE_EXTERN)
    error_at (decl->name_token, "array size missing in shared array '%s'", decl->name->text);
}

static struct decl *
find_param (struct decl *params, const struct name *name)
{
  for (; params; params = params->next)
    if (params->name == name)
      return params;
  return NULL;
}

/* The K&R list gives the named parameters their types. */
void
take_old_types (struct decl *function)
{
  for (struct declaration *d = function->old_params; d; d = d->next)
    {
      function->translate = function->translate || d->translate;
      for (struct decl *decl = d->decls; decl; decl = decl->next)
        {
          struct decl *param = find_param (function->params, decl->name);

          if (!param)
            continue;
          param->type = decl->type;
          param->declared_type = decl->declared_type;
          param->translate = decl->translate;
          function->type->has_shared = function->type->has_shared || decl->type->has_shared;
        }
    }
}

/* C90 lets a call declare its function: extern int NAME (); */
struct decl *
declare_implicit_function (token_index where)
{
  struct decl *decl = NEW (struct decl);

  decl->kind = DECL_FUNCTION;
  decl->name = token_at (where)->name;
  decl->type = decl->declared_type = function_returning (type_int (), NULL, false, false);
  decl->is_implicit = decl->is_global = true;
  decl->first = decl->last = decl->name_token = where;
  decl->declarator_first = decl->declarator_last = where;
  decl->suffix_first = NO_TOKEN;
  bind (decl);
  return decl;
}
