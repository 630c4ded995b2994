/* Declarations. If `shared` is in the type of a declarator, the declaration is rewritten, one
   declarator at a time. Otherwise its tokens stay, and only the parts in them are generated. */

#include "tools/upc2c/write/internal.h"

/* The name D has in the C text. */
const char *
c_name (struct decl *d)
{
  return d->name->text;
}

static bool
is_shared_object (const struct decl *d)
{
  return d->kind == DECL_VARIABLE && type_is_shared (d->type);
}

/* A typedef for shared arrays: C knows no such length outside of functions. */
static bool
is_length_of_threads (const struct decl *d)
{
  if (d->kind == DECL_TYPEDEF && d->scope_depth == 0)
    for (const struct type *type = d->type; type->kind == TYPE_ARRAY; type = type->base)
      if (type->length_kind == LENGTH_THREADS)
        return true;
  return false;
}

static bool
is_rewritten (const struct decl *d)
{
  return type_involves_shared (d->type) || is_length_of_threads (d) || d->was_void;
}

static void
gen_value (struct decl *d)
{
  if (d->has_static_duration && type_holds_pts (d->type))
    gen_static_initializer (d->init);
  else
    gen_initializer (d->init);
}

/* A declarator that stays, with what it encloses. */
static void
gen_declarator (struct decl *d)
{
  if (!d->translate)
    {
      copy (d->first, d->init ? d->init->last : d->last);
      return;
    }
  gen_parts (d->parts, d->first, d->last);
  if (d->is_in_indexes)
    put (" __attribute__ ((__unused__))");
  if (!d->init)
    return;
  copy (d->last + 1, d->init->first - 1);
  gen_value (d);
}

/* The specifiers that say something beside the type: storage, inline, attributes. */
static void
put_other_specifiers (struct specifiers *s, struct decl *d)
{
  bool defined = is_shared_object (d) && (d->init || is_far (d));

  if (is_far (d))
    put ("extern ");
  for (token_index i = s->first; s->first <= s->last && i <= s->last; i++)
    switch (token_at (i)->kind)
      {
      case KEY_AUTO:
      case KEY_REGISTER: /* its address is taken where pointers-to-shared move */
        break;
      case KEY_TYPEDEF:
      case KEY_STATIC:
        if (is_far (d))
          break;
        /* fall through */
      case KEY_EXTERN:
      case KEY_INLINE:
      case KEY_NORETURN:
      case KEY_CONSTEXPR:
      case KEY_EXTENSION:
      case KEY_THREAD_LOCAL:
        if (token_at (i)->kind != KEY_EXTERN || !defined)
          putf ("%.*s ", (int) token_at (i)->length, token_at (i)->text);
        break;
      case KEY_ATTRIBUTE:
      case KEY_ALIGNAS:
        {
          token_index first = i;
          int depth = 0;

          do
            {
              i++;
              depth += token_at (i)->kind == '(';
              depth -= token_at (i)->kind == ')';
            }
          while (depth > 0 && i < s->last);
          put_tokens (first, i);
          break;
        }
      case KEY_STRUCT:
      case KEY_UNION:
      case KEY_ENUM:
        /* A body may hold any of these for its members. */
        for (struct part *part = s->parts; part; part = part->next)
          if (part->first == i)
            i = part->last;
        break;
      default:
        break;
      }
}

/* asm and attributes behind the declarator. */
static void
put_suffix (struct decl *d)
{
  token_index last = d->init ? d->init->first - 2 : d->last;

  if (d->suffix_first == NO_TOKEN || d->suffix_first > last)
    return;
  put (" ");
  put_tokens (d->suffix_first, last);
}

/* A body in the specifiers of a declaration that is rewritten stands first, as a
   declaration of its own. */
static void
gen_definition_in (struct specifiers *s)
{
  for (struct part *part = s->parts; part; part = part->next)
    if (part->kind == PART_TYPE_NAME && !type_involves_shared (part->type_name->type))
      gen_definition_in (part->type_name->specifiers);
    else if (part->is_definition)
      {
        gen_part (part, true);
        put ("; ");
        return;
      }
}

static const char *
old_style_parameters (struct decl *d)
{
  const char *list = "";

  for (struct decl *p = d->params; p; p = p->next)
    list = arena_format ("%s%s%s", list, *list ? ", " : "", p->name->text);
  return list;
}

/* What stands in the declarator of D: its name, of an old function with parameters. */
static const char *
declared_name (struct decl *d)
{
  return d->name ? d->name->text : "";
}

static void
put_declarator (struct decl *d)
{
  if (d->kind == DECL_FUNCTION && d->body && d->is_old_style)
    put (declare (d->type->base,
                  arena_format ("%s (%s)", declared_name (d), old_style_parameters (d))));
  else if (has_run_time_value (d))
    /* Its value is stored before main. */
    put (declare (with_quals (without_shared (d->type), quals_of (d->type) & ~(QUAL_CONST), 0),
                  declared_name (d)));
  else if (d->kind == DECL_TYPEDEF && type_is_shared (d->type))
    /* Nothing is spelled by it; its length may be no constant for C. */
    put (declare (without_shared (ultimate_type (d->type)), declared_name (d)));
  else if (is_length_of_threads (d))
    /* An incomplete type: what is private cannot have it. */
    putf ("struct __upc_length_of_%s %s", declared_name (d), declared_name (d));
  else
    put (declare (without_shared (d->type), declared_name (d)));
}

static void
gen_rewritten (struct declaration *d)
{
  bool alone = d->kind == DECLARATION_FUNCTION;

  if (!d->decls || d->decls->kind != DECL_PARAMETER)
    gen_definition_in (d->specifiers);
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    {
      open_at (decl->first);
      put_other_specifiers (d->specifiers, decl);
      if (is_shared_object (decl))
        gen_shared_object (decl);
      else
        {
          put_declarator (decl);
          if (has_run_time_value (decl))
            initialise_later (decl);
          put_label (decl);
          put_suffix (decl);
          if (decl->init)
            {
              put (" = ");
              gen_value (decl);
            }
        }
      close_at (decl->last);
      if (!alone)
        put (decl->next ? "; " : ";");
    }
  if (!alone)
    close_at (d->last);
}

static void
gen_in_place (struct declaration *d)
{
  struct specifiers *s = d->specifiers;
  token_index at = d->first;

  if (s->first <= s->last)
    {
      gen_parts (s->parts, at, s->last);
      at = s->last + 1;
    }
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    {
      if (decl->first > at)
        copy (at, decl->first - 1);
      gen_declarator (decl);
      at = (decl->init ? decl->init->last : decl->last) + 1;
      if (has_run_time_value (decl))
        initialise_later (decl);
    }
  if (d->kind != DECLARATION_FUNCTION && at <= d->last)
    copy (at, d->last);
}

static bool
any_rewritten (struct declaration *d)
{
  if (type_is_shared (d->specifiers->type))
    return true;
  for (struct decl *decl = d->decls; decl; decl = decl->next)
    if (is_rewritten (decl)
        || (has_run_time_value (decl)
            && (quals_of (decl->type) & QUAL_CONST || decl->scope_depth > 0)))
      return true;
  return false;
}

struct decl *function_being_written;

static void
gen_function (struct declaration *d)
{
  struct decl *f = d->decls, *outer = function_being_written;
  bool is_main = f == tree.main;
  bool was_system = set_system_code (token_at (f->body->first)->flags & TOKEN_SYSTEM);
  int outer_frame = event_hooks->set_frame (0);
  const char *frame = event_hooks->function_frame (f);
  token_index at;

  if (f->is_kept)
    put ("__attribute__ ((__used__)) ");
  if (any_rewritten (d))
    {
      open_at (d->first);
      gen_rewritten (d);
    }
  else
    gen_in_place (d);
  at = f->last + 1;
  for (struct declaration *p = f->old_params; p; p = p->next)
    {
      if (p->first > at)
        copy (at, p->first - 1);
      gen_declaration (p);
      at = p->last + 1;
    }
  if (f->body->first > at)
    copy (at, f->body->first - 1);
  spare_dead_code (f->body);
  find_looks (f->body);
  find_private_accesses (f->body);
  plan_function (f, outer != NULL);
  function_being_written = f;
  /* At its end main returns 0, in C89 too. */
  gen_body (f->body, frame, is_main && f->type->base->kind == TYPE_INT ? "return 0;" : NULL);
  function_being_written = outer;
  event_hooks->set_frame (outer_frame);
  set_system_code (was_system);
}

void
gen_declaration (struct declaration *d)
{
  if (!d->translate)
    {
      copy (d->first, d->last);
      return;
    }
  switch (d->kind)
    {
    case DECLARATION_FUNCTION:
      gen_function (d);
      break;
    case DECLARATION_OBJECTS:
      open_at (d->first);
      if (any_rewritten (d))
        gen_rewritten (d);
      else
        gen_in_place (d);
      break;
    default:
      if (d->expr)
        {
          copy (d->first, d->expr->first - 1);
          gen_expr (d->expr);
          copy (d->expr->last + 1, d->last);
        }
      else
        copy (d->first, d->last);
    }
}
