/* Accesses through private pointers, for the race detector (-fupc-check=race): they may be to shared
   data. If they are not, one comparison finds that out (include/upct/race.h).

       p[i] = 1;       (*(int *) __upc_race_private (&p[i], 4, 1, "f.upc:7\000p[i]")) = 1;
       strlen (s)      __upc_race_strlen (s, "f.upc:8\000strlen (s)")

   Accesses to volatile and atomic objects, on which programs wait, and to objects without an address
   are not reported. */

#include "tools/upc2c/write/internal.h"

/* What is done with a private lvalue. */
enum
{
  READ, /* where nothing else is known */
  WRITE,
  NOTHING
};

static void
note_as (struct expr *lvalue, int how)
{
  lvalue = strip_parens (lvalue);
  if (lvalue->private_access == READ)
    lvalue->private_access = how;
}

/* The array that L is an element of, where no pointer leads to it; or NULL. */
static struct expr *
private_array (struct expr *l)
{
  struct expr *array = strip_parens (l->kind == EXPR_INDEX ? pointer_of (l) : l->a);

  return array->type->kind == TYPE_ARRAY ? array : NULL;
}

static bool
note_operands (struct expr *e, void *unused)
{
  (void) unused;
  switch (e->kind)
    {
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      note_as (e->a, WRITE);
      break;
    case EXPR_ADDRESS:
    case EXPR_DOT:
    case EXPR_VA_ARG:
      note_as (e->a, NOTHING);
      break;
    case EXPR_INDEX:
    case EXPR_DEREF:
      if (private_array (e))
        note_as (private_array (e), NOTHING);
      break;
    default:;
    }
  return false;
}

void
find_private_accesses (struct stmt *body)
{
  if (switches.race)
    any_in_stmt (body, note_operands, NULL);
}

/* Whether a private pointer leads to L, and not the name of a variable. */
static bool
is_pointed_to (struct expr *l)
{
  for (;;)
    switch (l->kind)
      {
      case EXPR_DOT:
        l = strip_parens (l->a);
        break;
      case EXPR_INDEX:
      case EXPR_DEREF:
        if (!private_array (l))
          return (l->kind == EXPR_INDEX ? pointer_of (l) : l->a)->type->kind == TYPE_POINTER;
        l = private_array (l);
        break;
      default:
        return l->kind == EXPR_ARROW;
      }
}

static bool
is_told (struct expr *l)
{
  enum type_kind kind = ultimate_type (l->type)->kind;
  bool is_form = l->kind == EXPR_DEREF || l->kind == EXPR_INDEX || l->kind == EXPR_ARROW
                 || l->kind == EXPR_DOT;

  return is_form && l->is_lvalue && l->private_access != NOTHING && !type_is_shared (l->type)
         && l->type->kind != TYPE_ARRAY && kind != TYPE_FUNCTION && kind != TYPE_VOID
         && !(quals_of (l->type) & QUAL_VOLATILE) && is_raced_code (l) && is_pointed_to (l)
         && !is_packed (l);
}

bool
gen_private_access (struct expr *l)
{
  int how = l->private_access;

  if (!switches.race || !function_being_written || !is_told (l))
    return false;
  open_at (l->first);
  putf ("(*(%s) __upc_race_private (&", pointer_type (l->type));
  l->private_access = NOTHING;
  gen_expr (l);
  l->private_access = how;
  putf (", %luul, %d", (unsigned long) type_size (l->type).value, how == WRITE);
  put_raced_site (l);
  put (")");
  close_at (l->last);
  return true;
}

bool
gen_raced_call (struct expr *call)
{
  const char *name = switches.race ? memory_function (call) : NULL;

  if (!name || !function_being_written || token_at (call->first)->flags & TOKEN_SYSTEM)
    return false;
  open_at (call->first);
  putf ("__upc_race_%s (", name);
  for (uint32_t i = 0; i < call->list->count; i++)
    {
      put (i ? ", " : "");
      gen_argument (call->list->item[i]);
    }
  put_raced_site (call);
  close_at (call->last);
  return true;
}
