/* Pointers-to-shared and integers without a name that are invariant in a loop:

       for (j = 0; j < grid->n; j++) grid->cell[j] += rows[i - 1][j];
       for (k = first[i]; k < first[i + 1]; k++) …

   Plans are for pointers that have names, and for bounds that do not change. So a generated variable gets
   the value before the first iteration, and replaces the expression in the tree. The loop then has no
   reads of members of structures, of private arrays or of shared data there. Only what the condition or
   each iteration evaluates is hoisted. No store of the loop may change it by C's aliasing rules, and
   nothing may synchronise with other threads: a relaxed read may then have the value of any moment in
   between (UPC 1.3, B.3.1). In a upc_forall, what the condition and the affinity evaluate is hoisted. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_BASES = 8
};

struct search
{
  struct stmt *stmt;
  struct loop *loop;
  bool is_owned;                  /* by a upc_forall, of which the thread may have no iteration */
  struct expr *bases[MOST_BASES]; /* pointers that its condition and its affinity lead by */
  int base_count;
  bool is_in_condition;
};

static bool
is_unaddressed (const struct decl *d)
{
  return d && is_variable (d) && !d->has_static_duration && !d->has_address_taken;
}

/* Whether E may store to LVALUE, which is no variable. */
static bool
may_store (struct expr *e, void *lvalue)
{
  struct expr *target = is_store (e) ? strip_parens (e->a) : NULL, *l = lvalue;

  if (!target || (target->kind == EXPR_NAME && is_unaddressed (target->decl)))
    return false;
  return !(type_is_shared (target->type) && is_private_name (l))
         && !(type_is_shared (l->type) && is_private_name (target))
         && may_alias (target->type, l->type);
}

/* Whether LVALUE may have another value after an iteration of the loop. */
static bool
may_change (struct expr *lvalue, struct stmt *s)
{
  return lvalue->is_strict || lvalue->is_awaited || lvalue->is_bit_field
         || (quals_of (lvalue->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
         || any_in_stmt (s->then, may_store, lvalue) || any_in_expr (s->step, may_store, lvalue)
         || any_in_expr (s->expr, may_store, lvalue);
}

bool
reads_stored (struct expr *e, struct stmt *s)
{
  switch (e->kind)
    {
    case EXPR_LOAD:
      return may_change (strip_parens (e->a), s);
    case EXPR_INDEX:
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_DEREF:
      return !type_is_shared (e->type) && e->type->kind != TYPE_ARRAY && may_change (e, s);
    default:
      return false;
    }
}

/* Whether E itself, without what is in it, may have another value. */
static bool
varies (struct expr *e, void *data)
{
  struct search *search = data;

  if (has_effect (e) || reads_stored (e, search->stmt))
    return true;
  switch (e->kind)
    {
    case EXPR_NAME:
      return e->decl && is_variable (e->decl)
             && (!is_outer_name (e, search->loop)
                 || (type_is_scalar (e->type) && !type_is_shared (e->type)
                     && !is_loop_invariant (e, search->loop)));
    case EXPR_ASSIGN:
    case EXPR_LABEL:
    case EXPR_LITERAL:
    case EXPR_BUILTIN_TYPES:
    case EXPR_VA_ARG:
      return true;
    default:
      return false;
    }
}

/* Whether A and B are the same expression. */
static bool
are_same (struct expr *a, struct expr *b)
{
  if (!a || !b)
    return a == b;
  a = strip_parens (a);
  b = strip_parens (b);
  if (a->is_constant && b->is_constant)
    return a->value == b->value;
  if (a->kind != b->kind || !types_match (a->type, b->type))
    return false;
  switch (a->kind)
    {
    case EXPR_NAME:
      return a->decl == b->decl;
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_DOT:
    case EXPR_ARROW:
      return a->member == b->member && are_same (a->a, b->a);
    case EXPR_INDEX:
      return are_same (pointer_of (a), pointer_of (b)) && are_same (index_of (a), index_of (b));
    case EXPR_BINARY:
      return a->op == b->op && are_same (a->a, b->a) && are_same (a->b, b->b);
    case EXPR_UNARY:
      return a->op == b->op && are_same (a->a, b->a);
    case EXPR_LOAD:
    case EXPR_DECAY:
    case EXPR_DEREF:
    case EXPR_CAST:
    case EXPR_CONVERT:
      return are_same (a->a, b->a);
    default:
      return false;
    }
}

static bool
note_base (struct expr *e, void *data)
{
  struct search *search = data;

  if (e->kind == EXPR_ARROW && search->base_count < MOST_BASES)
    search->bases[search->base_count++] = e->a;
  return false;
}

/* Whether E reads by what is none of the bases, so that it may be nothing that can be read. */
static bool
leads_elsewhere (struct expr *e, void *data)
{
  struct search *search = data;
  int i = 0;

  if (e->kind == EXPR_DEREF || e->kind == EXPR_INDEX || e->kind == EXPR_LOAD)
    return true;
  while (i < search->base_count && !are_same (search->bases[i], e->a))
    i++;
  return e->kind == EXPR_ARROW && i == search->base_count;
}

static struct hoisted *
find_hoisted (struct expr *value, struct stmt *s)
{
  struct hoisted *h = s->hoisted;

  while (h && !are_same (h->value, value))
    h = h->next;
  return h;
}

static struct hoisted *
add_hoisted (struct expr *value, struct search *search)
{
  struct hoisted *h = NEW (struct hoisted);
  int number = search->stmt->hoisted ? search->stmt->hoisted->number + 1 : 1;
  const char *name = arena_format ("__upc_root%d_%d", search->loop->number, number);

  *h = (struct hoisted){ .decl = generate_variable (name, unqualified (value->type), search->stmt),
                         .value = value,
                         .number = number,
                         .is_in_condition = search->is_in_condition,
                         .next = search->stmt->hoisted };
  search->stmt->hoisted = h;
  return h;
}

/* What stands for VALUE; NULL: it may change, or may not be evaluated. */
static struct hoisted *
hoist (struct expr *value, struct search *search)
{
  struct hoisted *h = find_hoisted (value, search->stmt);

  if (!h && !any_in_expr (value, varies, search)
      && !(search->is_owned && any_in_expr (value, leads_elsewhere, search)))
    h = add_hoisted (value, search);
  return h;
}

/* Whether E reads an integer of which loops do not see that it stays the same. */
static bool
is_read (struct expr *e, struct loop *loop)
{
  switch (e->kind)
    {
    case EXPR_LOAD:
    case EXPR_ARROW:
    case EXPR_DEREF:
    case EXPR_INDEX:
      return type_is_integer (e->type) && !type_is_shared (e->type) && !e->is_bit_field
             && e->type->kind != TYPE_ENUM && !is_loop_invariant (e, loop);
    default:
      return false;
    }
}

/* Gives names to what E, which is evaluated, reads as an operand of arithmetic. */
static void
hoist_integers (struct expr *e, struct search *search)
{
  struct hoisted *h;
  struct expr *value;

  switch (e->kind)
    {
    case EXPR_PAREN:
    case EXPR_UNARY:
    case EXPR_CAST:
    case EXPR_CONVERT:
    case EXPR_BINARY:
      hoist_integers (e->a, search);
      if (e->b)
        hoist_integers (e->b, search);
      return;
    default:
      break;
    }
  if (!is_read (e, search->loop))
    return;
  value = NEW (struct expr);
  *value = *e;
  h = hoist (value, search);
  if (h)
    *e = *name_instead (h->value, h->decl);
}

/* Whether POINTER, which an element is found by, is to be a variable. */
static bool
is_nameless (const struct expr *pointer)
{
  return type_is_pts (pointer->type) && type_is_complete (pointer->type->base)
         && pointer->kind != EXPR_NAME && pointer->kind != EXPR_DECAY;
}

static void
note_element (struct expr *e, void *data)
{
  struct search *search = data;
  struct expr **pointer = e->index_swapped ? &e->b : &e->a;
  struct hoisted *h;

  if (e->kind != EXPR_INDEX || !type_is_shared (e->type))
    return;
  hoist_integers (index_of (e), search);
  h = is_nameless (strip_parens (*pointer)) ? hoist (*pointer, search) : NULL;
  if (!h)
    return;
  *pointer = name_instead (h->value, h->decl);
}

static bool
is_effect (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_ASSIGN || has_effect (e);
}

/* Whether it may be asked before the loop S whether it has a first iteration. */
static bool
has_plain_condition (struct stmt *s)
{
  return s->expr && !any_in_expr (s->expr, is_effect, NULL);
}

void
hoist_reads (struct loop *loop)
{
  struct stmt *s = loop->stmt;
  struct search search = { .stmt = s, .loop = loop };

  if (s->hoisted || switches.race || !knows_variables () || !has_plain_condition (s)
      || !is_straight (s->then) || has_order (s->then) || may_order (s->expr) || may_order (s->step)
      || may_order (s->affinity) || has_watched_access (s) || has_watched_header (s))
    return;
  any_in_expr (s->expr, note_base, &search);
  any_in_expr (s->affinity, note_base, &search);
  search.is_in_condition = true;
  hoist_integers (strip_parens (s->expr), &search);
  search.is_in_condition = false;
  if (s->kind == STMT_FORALL)
    {
      visit_certain_expr (s->affinity, note_element, &search);
      search.is_owned = true;
    }
  visit_certain (s->then, note_element, &search);
}
