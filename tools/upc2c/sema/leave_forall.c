/* Statements that leave a upc_forall, lead into one, or must not be in one (UPC 1.3, 6.6.2). The behaviour is
   undefined, and nothing at run time would report it. */

#include "tools/upc2c/sema/sema.h"

struct body
{
  const struct stmt *forall;
  bool has_own_break; /* an inner loop or switch is what break leaves */
};

static bool
is_label (struct stmt *s, void *name)
{
  return s->kind == STMT_LABEL && s->name == name;
}

static void
warn (const struct stmt *s, const char *what)
{
  warning_at (s->first, "%s 'upc_forall' is undefined behavior (UPC 1.3, 6.6.2)", what);
}

static void check (struct stmt *s, struct body body);

static void
check_parts (struct stmt *s, struct body body)
{
  if (s->kind == STMT_BLOCK)
    for (struct stmt *item = s->items; item; item = item->next)
      check (item, body);
  else
    {
      check (s->then, body);
      check (s->otherwise, body);
    }
}

static void
check (struct stmt *s, struct body body)
{
  if (!s)
    return;
  switch (s->kind)
    {
    case STMT_FORALL: /* has its own warnings */
      return;
    case STMT_RETURN:
      warn (s, "'return' out of");
      return;
    case STMT_BREAK:
      if (!body.has_own_break)
        warn (s, "'break' out of");
      return;
    case STMT_GOTO:
      if (!any_stmt (body.forall->then, is_label, s->name))
        warn (s, "'goto' out of");
      return;
    case STMT_BARRIER:
      if (s->op != KEY_UPC_FENCE)
        warn (s, arena_format ("'%.*s' in", (int) token_at (s->first)->length,
                               token_at (s->first)->text));
      return;
    case STMT_SWITCH:
    case STMT_WHILE:
    case STMT_DO:
    case STMT_FOR:
      body.has_own_break = true;
      break;
    default:
      break;
    }
  check_parts (s, body);
}

void
check_forall_body (const struct stmt *forall)
{
  check (forall->then, (struct body){ .forall = forall });
}

static bool
is_same (struct stmt *s, void *other)
{
  return s == other;
}

static bool
is_entered (struct stmt *s, void *jump)
{
  return s->kind == STMT_FORALL && any_stmt (s->then, is_label, ((struct stmt *) jump)->name)
         && !any_stmt (s->then, is_same, jump);
}

static bool
check_jump (struct stmt *s, void *body)
{
  if (s->kind == STMT_GOTO && any_stmt (body, is_entered, s))
    warn (s, "'goto' into");
  return false;
}

void
check_jumps (struct stmt *body)
{
  any_stmt (body, check_jump, body);
}
