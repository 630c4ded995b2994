/* Variables that iterations set once, and that indexes of shared elements have:

       for (i = 0; i < n; i++) { int q = i + s; a[q] = b[q] + 1; }

   a[q] is planned as a[i + s]: the index gets the value of q, if that is a sum of products of what nothing in the block changes.
   The variable stays, for whatever else has it. */

#include "tools/upc2c/plan/internal.h"

enum
{
  MOST_PARTS = 24
};

/* What a variable is from here to the end of a block. */
struct value
{
  struct decl *decl;
  struct expr *is;
  bool is_used; /* some index has it */
  const struct value *next;
};

/* A search in BLOCK. */
struct search
{
  struct stmt *function, *block;
  const struct value *known;
  bool is_in_loop;
  int parts; /* of the value that is looked at */
};

static bool
is_integer_variable (const struct decl *d)
{
  return d && is_variable (d) && type_is_integer (d->type) && type_size (d->type).value >= 4
         && type_size (d->type).value <= 8 && !type_is_shared (d->type) && !d->has_static_duration
         && !d->has_address_taken && !(quals_of (d->type) & (QUAL_VOLATILE | QUAL_ATOMIC));
}

static const struct value *
value_known (const struct decl *d, const struct value *known)
{
  while (known && known->decl != d)
    known = known->next;
  return known;
}

/* Whether nothing in the block changes the variable NAME, which means the same wherever it stands there. */
static bool
is_good_name (const struct expr *name, struct search *search)
{
  const struct decl *d = name->decl;

  if (name->is_constant)
    return true;
  if (!is_integer_variable (d))
    return false;
  return value_known (d, search->known)
         || (!d->is_hidden && uses_in (search->block, d).stores == 0);
}

static bool
is_good_value (struct expr *e, struct search *search)
{
  if (++search->parts > MOST_PARTS || !type_is_integer (e->type))
    return false;
  switch (e->kind)
    {
    case EXPR_INTEGER:
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_NAME:
      return is_good_name (e, search);
    case EXPR_PAREN:
      return is_good_value (e->a, search);
    case EXPR_CAST:
      return type_size (e->type).value >= 4 && is_good_value (e->a, search);
    case EXPR_UNARY:
      return (e->op == '-' || e->op == '+') && is_good_value (e->a, search);
    case EXPR_BINARY:
      return (e->op == '+' || e->op == '-' || e->op == '*') && is_good_value (e->a, search)
             && is_good_value (e->b, search);
    default:
      return false;
    }
}

static bool
is_same_kind (const struct type *a, const struct type *b)
{
  return type_size (a).value == type_size (b).value && type_is_unsigned (a) == type_is_unsigned (b);
}

/* Makes E, a name of V's variable, its value. */
static void
set_value (struct expr *e, const struct value *v)
{
  struct type *type = unqualified (v->decl->type);

  *e = (struct expr){ .kind = is_same_kind (v->is->type, type) ? EXPR_PAREN : EXPR_CAST,
                      .translate = true,
                      .first = e->first,
                      .last = e->last,
                      .token = NO_TOKEN,
                      .type = type,
                      .a = copy_of_expr (v->is) };
}

static bool
replace_known (struct expr *e, void *known)
{
  const struct value *v = value_known (e->decl, known);

  if (v)
    set_value (e, v);
  return v;
}

/* A copy of E, in which the names of what is KNOWN have their values. */
static struct expr *
with_values (struct expr *e, const struct value *known)
{
  struct expr *copy = copy_of_expr (e);

  visit_names (copy, replace_known, (void *) known);
  return copy;
}

static bool
replace_name (struct expr *e, void *data)
{
  struct value *v = data;

  if (e->decl != v->decl)
    return false;
  v->is_used = true;
  set_value (e, v);
  return true;
}

static bool
replace_in_index (struct expr *e, void *value)
{
  if (e->kind == EXPR_INDEX && type_is_shared (e->type))
    visit_names (index_of (e), replace_name, value);
  return false;
}

/* The C compiler does not warn of D, which may be unused now. */
static bool
tell_of (struct stmt *s, void *d)
{
  struct decl *decl = d;

  if (s->declaration != decl->declaration)
    return false;
  decl->is_in_indexes = decl->translate = decl->declaration->translate = s->translate = true;
  return true;
}

/* From ITEM on, D is E, unless something in the block of SEARCH changes that. */
static void
note_value (struct decl *d, struct expr *e, int stores, struct stmt *item, struct search *search)
{
  struct value *v;

  search->parts = 0;
  if (!is_integer_variable (d) || !d->declaration || !is_good_value (e, search)
      || uses_in (search->block, d).stores != stores)
    return;
  v = NEW (struct value);
  *v = (struct value){ .decl = d, .is = with_values (e, search->known), .next = search->known };
  search->known = v;
  for (struct stmt *s = item; s; s = s->next)
    any_in_stmt (s, replace_in_index, v);
  if (v->is_used)
    any_stmt (search->function, tell_of, d);
}

/* What ITEM, of the block of SEARCH, sets. */
static void
note_item (struct stmt *item, struct search *search)
{
  struct declaration *d = item->kind == STMT_DECLARATION ? item->declaration : NULL;
  struct expr *e = item->kind == STMT_EXPR && item->expr ? strip_parens (item->expr) : NULL;

  for (struct decl *v = d && d->kind == DECLARATION_OBJECTS ? d->decls : NULL; v; v = v->next)
    if (v->init && v->init->expr)
      note_value (v, v->init->expr, 0, item->next, search);
  if (e && e->kind == EXPR_ASSIGN && strip_parens (e->a)->kind == EXPR_NAME)
    note_value (strip_parens (e->a)->decl, e->b, 1, item->next, search);
}

static void look_inside (struct stmt *s, struct search search);

static void
look_in_block (struct stmt *s, struct search search)
{
  bool is_good = search.is_in_loop && !has_entry (s, false)
                 && !any_in_stmt (s, is_statement_expr, NULL);

  search.block = s;
  for (struct stmt *item = s->items; item; item = item->next)
    {
      look_inside (item, search);
      if (is_good)
        note_item (item, &search);
    }
}

static void
look_inside (struct stmt *s, struct search search)
{
  if (!s || !s->translate)
    return;
  switch (s->kind)
    {
    case STMT_BLOCK:
      look_in_block (s, search);
      return;
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      search.is_in_loop = true;
      look_inside (s->then, search);
      return;
    case STMT_IF:
    case STMT_SWITCH:
    case STMT_LABEL:
    case STMT_CASE:
    case STMT_DEFAULT:
      look_inside (s->then, search);
      look_inside (s->otherwise, search);
      return;
    default:
      return;
    }
}

void
find_index_values (struct stmt *function)
{
  if (knows_variables ())
    look_inside (function, (struct search){ .function = function });
}
