/* Nests of loops that go through elements in blocks many times:

       shared double a[…][n], b[…][n], c[…][n];
       for (i = 0; i < n; i++) for (k = 0; k < n; k++) for (j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];

   Whatever the plan of an inner loop, it has to locate its first elements, and to do so again for each
   block or residue, and a row is short. So the program computes before the first iteration how often the
   nest accesses each element. If that is often, it copies everything that the nest accesses into memory of
   its own thread, runs the nest there as over arrays in one block, and writes back what has changed
   (include/upct/nest.h, runtime/abi/nest.c). Otherwise the loop runs as planned without copies.

   So the loop has two plans, and the tree two states (nest_state.c): that of the source, and one in which the
   roots of all accesses are pointers to copies, whose types are in one block. The second state is planned like
   any other code. It needs no checks: where there are any, the program looks first whether all that the nest may
   access is right. With AddressSanitizer it is a function that is not instrumented (outlined_nest.c). Then there
   is a third state, for nests that are not worth copies: that of the source, without checks.

   The program cannot tell the copies from the arrays. Nothing in the nest synchronises with other threads,
   so its relaxed accesses may be in any order with those of other threads (UPC 1.3, B.3.1), and everything
   else that it accesses is private memory. Each index is a sum whose lowest and highest value follow from
   those of the induction variables. Pointers may lead to one array; the program tests that, too. */

#include "tools/upc2c/plan/internal.h"

#include <string.h>

enum
{
  MOST_ARRAYS = 8,
  MOST_ACCESSES = 24,
  MOST_LOOPS = 12,
  MOST_IN_TILE = 32,
  LEAST_ACCESSES = 2048, /* include/upct/nest_array.h has both, too */
  LEAST_UNCHECKED = 256
};

struct search
{
  struct nest *nest;
  struct loop *loop;        /* of the outermost statement */
  struct nest_loop *around; /* the innermost one around what is looked at */
  struct nest_loop **last;  /* where the next one is kept */
  int shared_names;         /* that expressions have, … */
  int access_count;         /* … and roots of accesses */
  int loop_count, array_count;
  bool is_split; /* blocks divide rows of some array */
  int deepest_repeated,
      deepest_once; /* loops around accesses that go through the same elements again, and others */
};

/* The loop of the nest, around what is looked at, that D counts; or NULL. */
struct nest_loop *
nest_loop_of (struct nest_loop *around, const struct decl *d)
{
  while (around && around->loop->induction != d)
    around = around->around;
  return around;
}

/* Whether the value of E, which has no effects, is known when all induction variables are: it is a sum of products of these
   and of what the nest does not change. Integers of 32 bits may wrap around: what is no sum of integers then is
   outside of all arrays. */
static bool
has_range (struct expr *e, struct search *search)
{
  e = strip_parens (e);
  if (!type_is_integer (e->type) || type_size (e->type).value > 8)
    return false;
  if (e->is_constant)
    return true;
  switch (e->kind)
    {
    case EXPR_NAME:
      return is_variable (e->decl) && !type_is_shared (e->type)
             && (nest_loop_of (search->around, e->decl)
                 || (is_outer_name (e, search->loop) && is_loop_invariant (e, search->loop)));
    case EXPR_THREADS:
    case EXPR_MYTHREAD:
      return true;
    case EXPR_CAST:
    case EXPR_CONVERT:
      return e->type->kind != TYPE_BOOL && type_size (e->type).value >= 4
             && has_range (e->a, search);
    case EXPR_UNARY:
      return (e->op == '-' || e->op == '+') && has_range (e->a, search);
    case EXPR_BINARY:
      return (e->op == '+' || e->op == '-' || e->op == '*') && has_range (e->a, search)
             && has_range (e->b, search);
    case EXPR_CONDITION:
      return e->b && has_range (e->b, search) && has_range (e->c, search);
    default:
      return false;
    }
}

static bool
has_known_length (const struct type *array)
{
  return array->length_kind == LENGTH_FIXED || array->length_kind == LENGTH_THREADS;
}

/* The pointer or array that L, an element, starts from by indexes alone that have ranges, in rows of known lengths; or NULL. */
static struct expr *
ranged_root (struct expr *l, struct search *search)
{
  for (; l->kind == EXPR_INDEX; l = strip_parens (pointer_of (l)->a))
    {
      struct expr *p = pointer_of (l);
      struct size size = ultimate_count (l->type);

      if (!size.is_known || size.value == 0 || size.value > INT32_MAX
          || !has_range (index_of (l), search))
        return NULL;
      if (p->kind != EXPR_DECAY)
        return p->kind == EXPR_NAME && type_is_pts (p->type) ? p : NULL;
      if (strip_parens (p->a)->kind == EXPR_INDEX && !has_known_length (strip_parens (p->a)->type))
        return NULL;
    }
  return l->kind == EXPR_NAME && has_known_extent (l) ? l : NULL;
}

static int
depth_of (const struct nest_loop *n)
{
  int depth = 0;

  for (; n; n = n->around)
    depth++;
  return depth;
}

/* Whether some loop of the nest around L goes through the same elements in each of its iterations. */
static bool
is_repeated (struct expr *l, struct search *search)
{
  for (struct nest_loop *n = search->around; n; n = n->around)
    if (!any_in_expr (l, is_name_of, n->loop->induction))
      return true;
  return false;
}

/* How deep accesses are, those that go through the same elements again and those that do not. */
static void
note_depth (struct expr *l, struct search *search)
{
  int depth = depth_of (search->around);
  int *deepest = is_repeated (l, search) ? &search->deepest_repeated : &search->deepest_once;

  if (block_of (l->type) > 0 && depth > *deepest)
    *deepest = depth;
}

/* The array that starts from ROOT, of which L is an element. */
static struct nest_array *
array_of_root (struct expr *root, struct expr *l, struct search *search)
{
  struct nest_array *a = search->nest->arrays;

  while (a && a->root->decl != root->decl)
    a = a->next;
  if (a)
    return block_of (a->l->type) == block_of (l->type) && a->l->type->kind == l->type->kind ? a
                                                                                            : NULL;
  if (search->array_count == MOST_ARRAYS)
    return NULL;
  a = NEW (struct nest_array);
  *a = (struct nest_array){ .l = l, .number = search->array_count++, .next = search->nest->arrays };
  a->root = NEW (struct expr);
  *a->root = *root;
  search->nest->arrays = a;
  return a;
}

/* Whether L is an element of a row that begins anywhere in a block. */
static bool
has_split_rows (struct expr *l)
{
  struct expr *row = array_of_element (l);

  return block_of (l->type) > 0 && row && row->kind == EXPR_INDEX && !enclosing_row (l);
}

/* Whether what is around L goes along a short part of a row in each of its runs. */
static bool
is_in_tile (struct expr *l, const struct search *search)
{
  const struct nest_loop *around = search->around;

  return block_of (l->type) > 0 && around->most && around->most <= MOST_IN_TILE
         && any_in_expr (index_of (l), is_name_of, around->loop->induction);
}

/* Notes that L, which is shared, is accessed. False: a copy cannot have it. */
static bool
note_access (struct expr *l, bool is_store, struct search *search)
{
  struct expr *root = l->kind == EXPR_INDEX ? ranged_root (l, search) : NULL;
  struct nest_array *array;
  struct nest_access *access;

  if (!root || !is_plain_access (l) || type_size (l->type).value > 8
      || !is_good_root (root, search->loop) || ++search->access_count > MOST_ACCESSES)
    return false;
  note_depth (l, search);
  search->is_split |= is_in_small_blocks (l) || has_split_rows (l) || is_in_tile (l, search);
  array = array_of_root (root, l, search);
  if (!array)
    return false;
  array->is_written |= is_store;
  access = NEW (struct nest_access);
  *access = (struct nest_access){ l, array, search->around, search->nest->accesses };
  search->nest->accesses = access;
  return true;
}

/* Whether E itself is nothing that a nest in copies may have. */
static bool
is_bad_expr (struct expr *e, void *data)
{
  struct search *search = data;

  switch (e->kind)
    {
    case EXPR_INDEX:
    case EXPR_DOT:
    case EXPR_ARROW:
    case EXPR_DEREF:
      return false;
    case EXPR_CAST:
    case EXPR_CONVERT:
      return !type_is_arithmetic (e->type) && e->type->kind != TYPE_VOID;
    case EXPR_SIZEOF:
      return !e->is_constant;
    case EXPR_NAME:
      search->shared_names += type_is_shared (e->type) || e->type->has_shared;
      return e->decl && is_variable (e->decl)
             && (quals_of (e->decl->type) & (QUAL_VOLATILE | QUAL_ATOMIC));
    case EXPR_CALL:
      return !is_math_call (e);
    case EXPR_LOAD:
      return !note_access (strip_parens (e->a), false, search);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return type_is_shared (e->a->type) ? !note_access (strip_parens (e->a), true, search)
                                         : !type_is_arithmetic (e->a->type);
    default:
      return !is_operator (e);
    }
}

static bool
is_good_expr (struct expr *e, struct search *search)
{
  return !any_in_expr (e, is_bad_expr, search);
}

static bool is_good_stmt (struct stmt *s, struct search *search);

static bool
is_good_declaration (struct declaration *d, struct search *search)
{
  if (d->kind != DECLARATION_OBJECTS)
    return false;
  for (struct decl *v = d->decls; v; v = v->next)
    if (v->kind != DECL_VARIABLE || v->has_static_duration || !type_is_arithmetic (v->type)
        || (quals_of (v->type) & (QUAL_VOLATILE | QUAL_ATOMIC))
        || (v->init && (!v->init->expr || !is_good_expr (v->init->expr, search))))
      return false;
  return true;
}

/* Whether the loop S goes through values that are known before it, if those of the loops around it are. */
static bool
is_good_header (struct stmt *s, struct loop *loop, struct search *search)
{
  return find_header (loop) && !is_by_pointer (loop) && !loop->step
         && loop->relation != TOKEN_NOT_EQUAL && !may_wrap (loop)
         && !(s->declaration && s->declaration->decls->next) && first_value (loop)
         && has_range (first_value (loop), search) && has_range (loop->bound, search)
         && is_good_expr (s->expr, search) && is_good_expr (s->step, search)
         && (s->declaration ? is_good_declaration (s->declaration, search)
                            : is_good_expr (s->init_expr, search));
}

static bool
is_good_loop (struct stmt *s, struct loop *loop, struct search *search)
{
  struct nest_loop *around = search->around, *n = NEW (struct nest_loop);
  bool is_good;

  if (search->loop_count == MOST_LOOPS || !is_good_header (s, loop, search))
    return false;
  *n = (struct nest_loop){
    .loop = loop, .first = first_value (loop), .around = around, .number = search->loop_count++
  };
  n->most = iterations_of_tile (n->first, loop->bound, loop);
  *search->last = n;
  search->last = &n->next;
  search->around = n;
  is_good = is_good_stmt (s->then, search);
  search->around = around;
  return is_good;
}

static bool
is_good_inner_loop (struct stmt *s, struct search *search)
{
  struct loop *loop = NEW (struct loop);

  *loop = (struct loop){ .stmt = s, .is_consecutive = true };
  return is_good_loop (s, loop, search);
}

static bool
is_good_stmt (struct stmt *s, struct search *search)
{
  switch (s->kind)
    {
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (!is_good_stmt (item, search))
          return false;
      return true;
    case STMT_EXPR:
      return is_good_expr (s->expr, search);
    case STMT_EMPTY:
    case STMT_BREAK:
    case STMT_CONTINUE:
      return true;
    case STMT_IF:
      return is_good_expr (s->expr, search) && is_good_stmt (s->then, search)
             && (!s->otherwise || is_good_stmt (s->otherwise, search));
    case STMT_DECLARATION:
      return is_good_declaration (s->declaration, search);
    case STMT_FOR:
      return is_good_inner_loop (s, search);
    default:
      return false;
    }
}

/* Whether E may access an element of an array by a private pointer. */
static bool
may_reach (struct expr *e, void *data)
{
  struct nest *nest = data;

  for (struct nest_array *a = nest->arrays; a; a = a->next)
    if (may_be_element (e, a->l->type))
      return true;
  return false;
}

static bool
loads_or_calls (struct expr *e, void *nothing)
{
  (void) nothing;
  return e->kind == EXPR_LOAD || e->kind == EXPR_ASSIGN || has_effect (e);
}

/* Whether S is a loop that may be the outermost one. The affinity of a upc_forall is that of the arrays themselves. */
static bool
may_be_outermost (struct stmt *s)
{
  return s->kind == STMT_FOR
         || (s->kind == STMT_FORALL && s->affinity_kind != AFFINITY_NONE
             && s->affinity_kind != AFFINITY_CONTINUE
             && !any_in_expr (s->affinity, loads_or_calls, NULL));
}

/* Whether the nest is known to have fewer accesses than are worth while. */
static bool
is_short (const struct nest *nest)
{
  const uint64_t least = switches.outlines ? LEAST_UNCHECKED : LEAST_ACCESSES;
  uint64_t count = 0;

  for (const struct nest_access *access = nest->accesses; access; access = access->next)
    {
      uint64_t times = 1;

      for (const struct nest_loop *n = access->around; n && times < least; n = n->around)
        times *= n->most ? n->most : INT32_MAX;
      count += times;
    }
  return count < least;
}

/* Whether it is known what the nest of LOOP accesses. */
static bool
is_good_nest (struct search *search)
{
  struct stmt *s = search->loop->stmt;

  return knows_variables () && !has_order (s->then) && !may_order (s->expr) && !may_order (s->step)
         && !may_order (s->affinity) && !has_watched_access (s) && !has_watched_header (s)
         && is_good_loop (s, search->loop, search) && search->shared_names == search->access_count;
}

/* Whether all that it does may be done in the copied state, and it goes through some elements in blocks again and again. */
static bool
may_copy (struct search *search)
{
  struct stmt *s = search->loop->stmt;

  return switches.threads != 1 && search->deepest_once < search->deepest_repeated
         && !any_in_stmt (s, may_reach, search->nest) && !is_short (search->nest);
}

struct nest *
find_nest (struct stmt *s)
{
  static int count;
  struct nest *nest = NEW (struct nest);
  struct search search = { .nest = nest, .loop = NEW (struct loop), .last = &nest->loops };

  *nest = (struct nest){ .number = 0 };
  *search.loop = (struct loop){ .stmt = s, .is_consecutive = true };
  if (!may_be_outermost (s) || switches.network || switches.race || switches.plugin
      || !is_good_nest (&search))
    return NULL;
  nest->number = ++count;
  nest->is_outlined = !is_short (nest) && may_be_function (nest);
  nest->may_copy = nest->is_outlined == switches.outlines && may_copy (&search);
  /* Rows that are in one block each are gone through almost as fast as copies of them. */
  nest->is_in_place = !search.is_split;
  return nest;
}

/* Whether LOOP has to know of two parts of one array whether they overlap. A nest only knows that of arrays. */
static bool
asks_of_parts (const struct loop *loop)
{
  for (const struct meeting *m = loop->meetings; m; m = m->next)
    if (m->a->root->decl == m->b->root->decl)
      return true;
  for (const struct strip_meeting *m = loop->strip_meetings; m; m = m->next)
    if (m->a->reference->root->decl == m->b->reference->root->decl)
      return true;
  return false;
}

bool
ask_nest (struct loop *loop, struct nest *nest)
{
  if (asks_of_parts (loop))
    return false;
  loop->asked = nest;
  nest->is_asked = true;
  return true;
}
