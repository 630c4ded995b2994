/* Statements. */

#include "tools/upc2c/write/internal.h"

/* Writes the pieces of a statement in order, with the tokens between them. */
struct progress
{
  token_index at;
};

static void
upto (struct progress *p, token_index first)
{
  if (first > p->at)
    copy (p->at, first - 1);
}

static void
next_expr (struct progress *p, struct expr *e)
{
  if (!e)
    return;
  upto (p, e->first);
  gen_expr (e);
  p->at = e->last + 1;
}

static void
next_stmt (struct progress *p, struct stmt *s)
{
  if (!s)
    return;
  upto (p, s->first);
  gen_stmt (s);
  p->at = s->last + 1;
}

static void
next_declaration (struct progress *p, struct declaration *d)
{
  if (!d)
    return;
  upto (p, d->first);
  gen_declaration (d);
  p->at = d->last + 1;
}

/* upc_barrier E; and the like. Messages tell where a thread waits: an empty statement of its own behind each
   call keeps compilers from making one of two, and from jumping there in place of calling it. */
static void
gen_barrier (struct stmt *s)
{
  const char *name = s->op == KEY_UPC_BARRIER  ? "__upc_barrier"
                     : s->op == KEY_UPC_NOTIFY ? "__upc_notify"
                     : s->op == KEY_UPC_WAIT   ? "__upc_wait"
                                               : "__upc_fence";

  open_at (s->first);
  if (!event_hooks->barrier (s, name))
    {
      putf ("{ %s (", name);
      if (s->expr)
        gen_argument (s->expr);
      else if (s->op != KEY_UPC_FENCE)
        put ("__upc_no_id");
      putf ("); __asm__ __volatile__ (\"\" : : \"i\" (%d)); }", s->first);
    }
  close_at (s->last);
}

void
discard (struct expr *e)
{
  while (e && (e->kind == EXPR_PAREN || e->kind == EXPR_COMMA))
    e = e->kind == EXPR_PAREN ? e->a : e->b;
  if (e)
    e->is_discarded = true;
}

void
note_value (struct stmt *body)
{
  struct stmt *last = body->items;

  while (last && last->next)
    last = last->next;
  while (last && last->then
         && (last->kind == STMT_LABEL || last->kind == STMT_CASE || last->kind == STMT_DEFAULT))
    last = last->then;
  if (last)
    last->gives_value = true;
}

/* Whether E, an operand of asm, stays in memory and so must be an lvalue: its constraint,
   before the parenthesis, offers nothing else. */
static bool
is_memory_operand (struct expr *e)
{
  const struct token *constraint = token_at (e->first - 2);
  const char *end = constraint->text + constraint->length;

  for (const char *c = constraint->text; c < end; c++)
    if (*c == 'r' || *c == 'g' || *c == 'i' || *c == 'x')
      return false;
  return true;
}

static bool
is_shared_load (struct expr *e)
{
  e = strip_parens (e);
  return e->kind == EXPR_LOAD && type_is_shared (e->a->type);
}

/* Of a main that was declared without a result. */
static void
gen_return (struct stmt *s)
{
  open_at (s->first);
  put ("return ");
  if (s->expr)
    {
      gen_expr (s->expr);
      put (", ");
    }
  put ("0;");
  close_at (s->last);
}

static void
gen_pieces (struct stmt *s)
{
  struct progress p = { s->first };

  switch (s->kind)
    {
    case STMT_DO:
      next_stmt (&p, s->then);
      next_expr (&p, s->expr);
      break;
    case STMT_FOR:
      if (s->declaration)
        next_declaration (&p, s->declaration);
      else
        next_expr (&p, s->init_expr);
      next_expr (&p, s->expr);
      next_expr (&p, s->step);
      next_stmt (&p, s->then);
      break;
    case STMT_ASM:
      for (uint32_t i = 0; s->list && i < s->list->count; i++)
        {
          if (is_memory_operand (s->list->item[i]) && is_shared_load (s->list->item[i]))
            refuse_on_network (s->list->item[i], "a shared operand of asm in memory is");
          event_hooks->watch_accesses (!is_memory_operand (s->list->item[i]));
          next_expr (&p, s->list->item[i]);
          event_hooks->watch_accesses (true);
        }
      break;
    case STMT_CASE:
      next_expr (&p, s->expr);
      next_expr (&p, s->step);
      next_stmt (&p, s->then);
      break;
    default:
      if (s->kind == STMT_EXPR && !s->gives_value)
        discard (s->expr);
      next_expr (&p, s->expr);
      next_stmt (&p, s->then);
      next_stmt (&p, s->otherwise);
    }
  if (p.at <= s->last)
    copy (p.at, s->last);
}

/* Local labels stand before all else in a block. */
static token_index
behind_local_labels (struct stmt *body)
{
  token_index at = body->first + 1;

  for (struct stmt *item = body->items; item && item->kind == STMT_LOCAL_LABEL; item = item->next)
    at = item->last + 1;
  return at;
}

void
gen_body (struct stmt *body, const char *at_start, const char *before_end)
{
  struct progress p = { body->first };

  if (at_start)
    {
      p.at = behind_local_labels (body);
      copy (body->first, p.at - 1);
      put (" ");
      put (at_start);
      put (" ");
    }
  if (body->items && body->items->first >= p.at)
    {
      upto (&p, body->items->first);
      p.at = body->items->first;
      realign (p.at);
    }
  for (struct stmt *item = body->items; item; item = item->next)
    {
      if (item->moved)
        {
          upto (&p, item->first);
          p.at = item->first;
          gen_moved (item->moved);
        }
      if (item->translate)
        next_stmt (&p, item);
      if (item->translate && item->next && item->next->first == p.at)
        realign (p.at);
    }
  if (before_end)
    {
      upto (&p, body->last);
      put (" ");
      put (before_end);
      put (" ");
      p.at = body->last;
    }
  copy (p.at, body->last);
}

/* Iterations in the place of their loop (plan/full_unroll.c). What compilers warn of in one is told of that alone. */
static void
gen_unrolled (struct stmt *s)
{
  bool was_quiet = false;

  open_at (s->first);
  put ("{ ");
  for (struct stmt *item = s->items; item; item = item->next)
    {
      struct decl *counter = item->fixed->decl;

      putf ("{ %s __attribute__ ((__unused__)) = %lld; ",
            declare_value (counter->type, c_name (counter)), (long long) item->fixed->value);
      gen_stmt (item->items);
      put (" } ");
      if (item == s->items)
        was_quiet = put_quiet (true, s->first);
    }
  put_quiet (was_quiet, s->first);
  put ("}");
  close_at (s->last);
}

/* A while or do that has become a for. */
static void
gen_while (struct stmt *s)
{
  open_at (s->first);
  gen_while_head (s);
  gen_stmt (s->then);
  gen_while_end (s);
  close_at (s->last);
}

static void
gen_for (struct stmt *s)
{
  discard (s->step);
  if (!s->declaration)
    discard (s->init_expr);
  if (gen_loop (s))
    return;
  if (s->is_while)
    gen_while (s);
  else
    gen_pieces (s);
}

/* An assignment that is no conditional move (plan/seldom.c). */
static void
gen_seldom (struct stmt *s)
{
  open_at (s->first);
  put ("{ ");
  gen_pieces (s);
  put (" __asm__ (\"\"); }");
  close_at (s->last);
}

static void
gen_one_stmt (struct stmt *s)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      if (s->items && s->items->fixed)
        gen_unrolled (s);
      else
        gen_body (s, NULL, NULL);
      break;
    case STMT_DECLARATION:
      gen_declaration (s->declaration);
      break;
    case STMT_BARRIER:
      gen_barrier (s);
      break;
    case STMT_FORALL:
      gen_loop (s);
      break;
    case STMT_FOR:
      gen_for (s);
      break;
    case STMT_EXPR:
      if (s->is_seldom)
        gen_seldom (s);
      else
        gen_pieces (s);
      break;
    case STMT_EMPTY:
      if (s->is_step)
        put (";");
      else
        gen_pieces (s);
      break;
    case STMT_WHILE:
      if (!gen_loop (s))
        gen_pieces (s);
      break;
    case STMT_RETURN:
      if (function_being_written && function_being_written->was_void)
        gen_return (s);
      else
        gen_pieces (s);
      break;
    default:
      gen_pieces (s);
    }
}

void
gen_stmt (struct stmt *s)
{
  bool was_told = begin_told (s->first);

  if (!s->translate)
    copy (s->first, s->last);
  else if (s->all_near && !is_in_batch ())
    gen_near_or_not (s, gen_one_stmt);
  else
    gen_one_stmt (s);
  end_told (was_told, s->first, s->last);
}
