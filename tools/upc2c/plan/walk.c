/* Walks: private pointers-to-shared that move from element to element, once in each iteration:

       while (n--) *p++ = *q++;     for (; p < e; p++, q++) *p += *q;

   A strip ends where such a pointer leaves its block. Until then the address of the element follows from
   the iteration's number, and the pointer moves by an addition. Where the loop reads the pointer, it has
   the value that the program gives it, as no iteration reads it after the step. After a strip it may be
   one element past its block, which is then corrected. In loops by residues (residue.c) no iteration moves
   it: it gets its last value after the loop. The same applies in blocks of 1, where a cursor has the
   addresses, if the number of iterations is known and nothing else reads the pointer. */

#include "tools/upc2c/plan/internal.h"

/* What becomes of an expression. */
enum use
{
  VALUE,
  ACCESSED, /* an lvalue that is read or stored to */
  POINTED,  /* a pointer to that */
  DISCARDED
};

/* The uses of a pointer, in the order in which an iteration evaluates them. */
struct walk
{
  struct expr *step;
  bool is_over; /* the step lies behind */
};

static bool
is_of (struct expr *e, const struct expr *name)
{
  e = strip_parens (e);
  return e->kind == EXPR_NAME && e->decl == name->decl;
}

/* Whether E changes the pointer otherwise, or uses it behind the step. */
static bool
disturbs (struct expr *e, void *data)
{
  struct walk *w = data;
  struct expr *name = strip_parens (w->step->a);

  if (e == w->step)
    {
      w->is_over = true;
      return false;
    }
  if (e->kind == EXPR_ASSIGN || e->kind == EXPR_COMPOUND || e->kind == EXPR_STEP)
    return is_of (e->a, name);
  return e->kind == EXPR_NAME && e != name && e->decl == name->decl && w->is_over;
}

/* p++ and the like, p += 1, p -= 1 */
static bool
is_step_by_one (struct expr *e)
{
  return e->kind == EXPR_STEP
         || (e->kind == EXPR_COMPOUND && (e->op == '+' || e->op == '-')
             && strip_parens (e->b)->is_constant && strip_parens (e->b)->value == 1);
}

bool
is_walking_step (struct expr *e)
{
  return is_step_by_one (e) && is_pointer_variable (e->a);
}

/* How often a pointer is named in what a loop does, and how often to access what it points to. */
struct uses
{
  const struct expr *name;
  int count, accesses;
};

static bool
count_use (struct expr *e, void *data)
{
  struct uses *uses = data;

  if (e->kind == EXPR_NAME && e->decl == uses->name->decl)
    uses->count++;
  if ((e->kind == EXPR_DEREF || e->kind == EXPR_ARROW) && is_of (e->a, uses->name))
    uses->accesses++;
  return false;
}

/* Whether LOOP does nothing but access what the pointer NAME points to, and moves it once. */
static bool
is_only_accessed (const struct expr *name, struct loop *loop)
{
  struct uses uses = { .name = name };

  any_in_stmt (loop->stmt->then, count_use, &uses);
  any_in_expr (loop->stmt->step, count_use, &uses);
  return uses.count == uses.accesses + 1;
}

static bool
is_jump (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_GOTO || s->kind == STMT_GOTO_COMPUTED || s->kind == STMT_ASM;
}

bool
is_statement_expr (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_STATEMENT;
}

/* Where control leaves behind a step but by break, the pointer would not be put right. */
static bool
may_walk_in_body (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  return !any_stmt (s->then, is_jump, NULL) && !any_in_stmt (s->then, is_statement_expr, NULL)
         && !any_in_expr (s->expr, is_statement_expr, NULL);
}

/* Whether a cursor may have the addresses in blocks of 1. What may be far is found by the pointer, and tools are told of
   it. */
static bool
may_have_cursor (const struct expr *name, struct loop *loop)
{
  return !switches.network && is_only_accessed (name, loop) && may_walk_in_body (loop)
         && !has_break (loop->stmt->then) && !has_watched_access (loop->stmt);
}

/* Whether strips are worth while in the blocks that the pointer NAME leads to; by residues all that they were made for
   are. */
static bool
is_good_block (const struct expr *name, struct loop *loop)
{
  uint32_t block = block_of (name->decl->type->base);

  if (loop->residues)
    return block > 0 && loop->residues % block == 0;
  return block == 0 || block >= least_strip (block, 1, loop)
         || (block == 1 && may_have_cursor (name, loop));
}

static bool
is_walk (struct expr *step, struct loop *loop, enum use use)
{
  struct walk w = { .step = step, .is_over = step->is_prefix && use == POINTED };
  struct stmt *s = loop->stmt;
  const struct decl *d = strip_parens (step->a)->decl;

  if (!is_pointer_variable (step->a) || d->has_static_duration || d->has_address_taken
      || !is_outer_name (strip_parens (step->a), loop))
    return false;
  /* `*++p` may be seen before its block. */
  if (w.is_over && step->op == TOKEN_INCREMENT)
    return false;
  return is_good_block (strip_parens (step->a), loop) && !any_in_expr (s->expr, disturbs, &w)
         && !any_in_stmt (s->then, disturbs, &w) && !any_in_expr (s->step, disturbs, &w);
}

static void note_steps (struct expr *e, struct loop *loop, enum use use);

static void
note_arguments (struct expr *call, struct loop *loop)
{
  for (uint32_t i = 0; call->list && i < call->list->count; i++)
    note_steps (call->list->item[i], loop, VALUE);
}

/* Finds the steps in E, which each iteration evaluates once. */
static void
note_steps (struct expr *e, struct loop *loop, enum use use)
{
  if (!e)
    return;
  if (is_step_by_one (e) && (use == DISCARDED || (use == POINTED && e->kind == EXPR_STEP))
      && is_walk (e, loop, use))
    {
      add_walk (loop, e, use == POINTED);
      return;
    }
  switch (e->kind)
    {
    case EXPR_STEP:
      note_steps (e->a, loop, ACCESSED);
      break;
    case EXPR_PAREN:
      note_steps (e->a, loop, use);
      break;
    case EXPR_COMMA:
      note_steps (e->a, loop, DISCARDED);
      note_steps (e->b, loop, use);
      break;
    case EXPR_DEREF:
    case EXPR_ARROW:
      note_steps (e->a, loop, use == ACCESSED ? POINTED : VALUE);
      break;
    case EXPR_DOT:
      note_steps (e->a, loop, use == ACCESSED ? ACCESSED : VALUE);
      break;
    case EXPR_LOAD:
      note_steps (e->a, loop, ACCESSED);
      break;
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
      note_steps (e->a, loop, ACCESSED);
      note_steps (e->b, loop, VALUE);
      break;
    case EXPR_CALL:
      note_arguments (e, loop);
      break;
    case EXPR_LOGICAL:
    case EXPR_CONDITION:
      note_steps (e->a, loop, VALUE);
      break;
    case EXPR_INDEX:
    case EXPR_UNARY:
    case EXPR_CAST:
    case EXPR_BINARY:
    case EXPR_CONVERT:
      note_steps (e->a, loop, VALUE);
      note_steps (e->b, loop, VALUE);
      break;
    default:
      break;
    }
}

static void
note_statement (struct stmt *s, struct loop *loop)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        note_statement (item, loop);
      break;
    case STMT_EXPR:
      note_steps (s->expr, loop, DISCARDED);
      break;
    case STMT_IF:
    case STMT_SWITCH:
      note_steps (s->expr, loop, VALUE);
      break;
    case STMT_DECLARATION:
      for (struct decl *d = s->declaration->decls; d; d = d->next)
        if (d->kind == DECL_VARIABLE && d->init && !d->has_static_duration)
          note_steps (d->init->expr, loop, VALUE);
      break;
    default:
      break;
    }
}

void
find_walks (struct loop *loop)
{
  struct stmt *s = loop->stmt;

  if (!knows_variables ())
    return;
  note_steps (s->step, loop, DISCARDED);
  if (!may_walk_in_body (loop))
    return;
  note_steps (s->expr, loop, VALUE);
  if (!has_continue (s->then))
    note_statement (s->then, loop);
}

static bool
has_bad_cursor (const struct reference *r, struct loop *loop)
{
  struct uses uses = { .name = r->root };

  if (!r->walk || r->stride_kind != BLOCK_STRIDE)
    return false;
  if (!is_counted (loop))
    return true;
  any_in_expr (loop->stmt->expr, count_use, &uses);
  return uses.count != (loop->bound && r->root->decl == loop->induction);
}

void
drop_bad_cursors (struct loop *loop)
{
  drop_references (loop, has_bad_cursor);
}

/* One that goes up to a bound controls the loop, or else any that goes up. */
void
find_walking_induction (struct loop *loop)
{
  struct decl *any = NULL;

  loop->step_value = 1;
  for (struct reference *r = loop->references; r; r = r->next)
    if (r->stride > 0 && r->at.constant == 0)
      {
        any = loop->induction = r->root->decl;
        if (find_bound (loop))
          return;
      }
  loop->induction = any;
  loop->bound = NULL;
}
