/* Nests that AddressSanitizer need not instrument. The ranges of all their indexes are known before they start (nest.c), so
   it is known there whether any access to shared data may be wrong. If none can, a function that is not instrumented
   runs the nest (write/outlined_nest.c): in copies, or in its arrays. If not, the normal nest does it, in which the wrong
   access is reported.

   The nest may use no private data but scalars, which the function gets. */

#include "tools/upc2c/plan/internal.h"

/* Whether D, a private variable, is declared in the nest, or has a place that functions share. */
static bool
is_known_everywhere (const struct decl *d, const struct loop *outermost)
{
  return d->has_static_duration || d->is_thread_local
         || (d->name_token != NO_TOKEN && d->name_token > outermost->stmt->first);
}

/* Whether E is a name that the function cannot have; whatever private memory the nest accesses, it has to name a pointer, an
   array or a record for that. What has no value yet may be no bool: it is passed whether the nest uses it or not. */
static bool
is_bad_name (struct expr *e, void *data)
{
  struct loop *outermost = data;

  if (e->kind != EXPR_NAME || !e->decl || !is_variable (e->decl) || type_is_shared (e->type))
    return false;
  if (!type_is_arithmetic (e->type) && !type_is_pts (e->type))
    return true;
  if (is_known_everywhere (e->decl, outermost))
    return false;
  note_outlined (outermost, (struct outlined){ .decl = e->decl });
  return e->type->kind == TYPE_BOOL || e->decl->name_token == NO_TOKEN;
}

static bool
note_stored (struct expr *e, void *data)
{
  struct loop *outermost = data;
  struct expr *l = is_store (e) ? strip_parens (e->a) : NULL;

  if (l && l->kind == EXPR_NAME && !type_is_shared (l->type)
      && !is_known_everywhere (l->decl, outermost))
    note_outlined (outermost, (struct outlined){ .decl = l->decl })->is_stored = true;
  return false;
}

bool
may_be_function (struct nest *nest)
{
  struct loop *outermost = nest->loops->loop;

  if (!switches.outlines || !nest->loops->next
      || any_in_stmt (outermost->stmt, is_bad_name, outermost))
    return false;
  outermost->number = next_number ();
  any_in_stmt (outermost->stmt, note_stored, outermost);
  return true;
}
