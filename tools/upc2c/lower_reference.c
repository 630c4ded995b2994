/* Which elements that a loop accesses stay in a block for a while: those of a static array,
   or of a pointer that the loop does not change, whose indexes are linear forms of the
   counter. */

#include "tools/upc2c/span.h"

#include <string.h>

/* With more elements than that the others are found as anywhere else. */
enum { MOST_REFERENCES = 24 };

bool
is_pointer (const struct reference *r)
{
  return type_is_pts (r->root->type);
}

bool
is_row (const struct reference *r)
{
  return r->l->type->kind == TYPE_ARRAY;
}

uint64_t
element_bytes (const struct reference *r)
{
  return type_size (ultimate_type (r->l->type)).value;
}

/* The whole index of an element, in ultimate elements, as a linear form. */
static bool
find_distance (struct expr *l, struct share *s, struct linear *sum, bool *wraps)
{
  *sum = (struct linear){ .factor = 0 };
  *wraps = false;
  for (; l->kind == EXPR_INDEX; l = peel (pointer_of (l)->a))
    {
      struct size size = ultimate_count (l->type);
      struct linear own;
      int64_t count = (int64_t) size.value;

      if (!size.is_known || count <= 0 || count > 1 << 28)
        return false;
      if (!find_linear (number_of (l), s, &own))
        {
          if (*wraps || sum->factor != 0 || !find_wrapping (number_of (l), s, &own))
            return false;
          *wraps = true;
        }
      if (size.times_threads && own.factor != 0)
        return false;
      *sum = (struct linear){ sum->factor + own.factor * count, sum->constant + own.constant * count,
                              common_divisor (sum->divisor, own.divisor * (uint64_t) count) };
      if (size.times_threads && (own.constant != 0 || own.divisor != 0))
        *sum = (struct linear){ sum->factor, 0, 1 };
      if (pointer_of (l)->kind != EXPR_DECAY)
        return true;
    }
  return true;
}

bool
find_range (struct share *s, int64_t *first, int64_t *last)
{
  struct expr *init = s->loop->init_expr && !s->loop->declaration ? peel (s->loop->init_expr) : NULL;
  struct decl *declared = s->loop->declaration ? s->loop->declaration->decls : NULL;
  struct expr *start = NULL, *bound = s->bound ? peel (s->bound) : NULL;

  if (init && init->kind == EXPR_ASSIGN && is_counter (init->a, s))
    start = peel (init->b);
  else if (declared && declared == s->counter && declared->init && declared->init->expr)
    start = peel (declared->init->expr);
  if (!start || !start->is_constant || !bound || !bound->is_constant)
    return false;
  *first = start->value;
  *last = bound->value;
  if (s->relation == '<' || (s->relation == TOKEN_NOT_EQUAL && !s->is_down))
    --*last;
  else if (s->relation == '>' || s->relation == TOKEN_NOT_EQUAL)
    ++*last;
  return *first >= 0 && *first < INT32_MAX && *last >= 0 && *last < INT32_MAX;
}

static int64_t
floor_quotient (int64_t n, int64_t d)
{
  return n >= 0 ? n / d : ~(~n / d);
}

/* Whether all iterations meet the same block, wherever what is fixed begins: that is a
   multiple of the divisor. */
static bool
stays_in_block (struct share *s, const struct linear *at, uint32_t block)
{
  int64_t first, last, size = (int64_t) common_divisor (block, at->divisor);

  return find_range (s, &first, &last)
         && floor_quotient (at->constant + at->factor * first, size)
              == floor_quotient (at->constant + at->factor * last, size);
}

static struct expr *
root_name (struct expr *l)
{
  struct element root = root_of (l);

  if (root.object)
    return root.object;
  return root.pointer && peel (root.pointer)->kind == EXPR_NAME ? peel (root.pointer) : NULL;
}

static bool
is_good_root (struct expr *root, struct share *s)
{
  if (!is_outer_name (root, s))
    return false;
  return type_is_shared (root->type) ? root->decl->kind == DECL_VARIABLE
                                     : type_is_pts (root->type) && is_steady (root, s);
}

bool
has_spans (const struct share *s)
{
  return s->loop->kind == STMT_FOR || (s->is_by_one && s->block > 1 && !s->divisor);
}

/* Whether S is a upc_forall of which a thread does each THREADS-th iteration, all in one run:
   what moves by blocks is always in the same thread then, block behind block. */
static bool
is_cyclic (const struct share *s)
{
  return s->loop->kind == STMT_FORALL && s->is_by_one && s->block == 1;
}

/* How R, which is at AT, moves from one iteration to the next. */
static bool
find_movement (struct reference *r, struct share *s, const struct linear *at, bool wraps)
{
  int64_t block = block_of (r->l->type);

  r->movement = ANEW;
  r->stays = true;
  if (s->step || s->step_value > INT32_MAX / (at->factor < 0 ? -at->factor : at->factor))
    return is_row (r);
  r->step = at->factor * (s->is_down ? -s->step_value : s->step_value);
  if (r->step % block == 0 && !wraps && (has_spans (s) || is_cyclic (s)))
    {
      r->movement = is_cyclic (s) ? WITHIN_BLOCK : ACROSS;
      return true;
    }
  if (!has_spans (s) || r->step > block / LEAST_SPAN || -r->step > block / LEAST_SPAN)
    return is_row (r);
  r->movement = WITHIN_BLOCK;
  r->stays = !wraps && !is_pointer (r) && s->loop->kind == STMT_FOR && s->bound
             && stays_in_block (s, at, (uint32_t) block);
  return true;
}

static bool
find_reference (struct expr *l, struct share *s, struct reference *r)
{
  struct linear at;
  bool wraps;

  *r = (struct reference){ .l = l, .root = root_name (l) };
  return r->root && block_of (l->type) > 0 && !is_own_element (l, s) && is_good_root (r->root, s)
         && !(is_pointer (r) && (is_row (r) || is_cyclic (s))) && find_distance (l, s, &at, &wraps) && at.factor != 0
         && at.factor <= INT32_MAX && at.factor >= -INT32_MAX && find_movement (r, s, &at, wraps);
}

/* The shared element that is accessed as L, of which it may be a part; or NULL. */
static struct expr *
element_under (struct expr *l)
{
  for (l = peel (l); is_inside (l); l = peel (l))
    switch (l->kind)
      {
      case EXPR_DOT:
      case EXPR_UNARY:
        l = l->a;
        break;
      case EXPR_INDEX:
        l = pointer_of (l)->kind == EXPR_DECAY ? pointer_of (l)->a : pointer_of (l);
        break;
      default:
        return NULL;
      }
  if (l->kind != EXPR_INDEX || !type_is_shared (l->type) || l->type->kind == TYPE_ARRAY
      || !type_size (l->type).is_known)
    return NULL;
  return l;
}

struct expr *
accessed_element (struct expr *e)
{
  switch (e->kind)
    {
    case EXPR_LOAD:
      return element_under (e->a);
    case EXPR_ASSIGN:
    case EXPR_COMPOUND:
    case EXPR_STEP:
      return type_is_shared (e->a->type) ? element_under (e->a) : NULL;
    default:
      return NULL;
    }
}

bool
is_same_element (struct expr *a, struct expr *b)
{
  if (a == b)
    return true;
  for (; a->kind == EXPR_INDEX && b->kind == EXPR_INDEX; a = peel (pointer_of (a)->a), b = peel (pointer_of (b)->a))
    {
      if (!are_equal (number_of (a), number_of (b)) || pointer_of (a)->kind != pointer_of (b)->kind)
        return false;
      if (pointer_of (a)->kind != EXPR_DECAY)
        return are_equal (pointer_of (a), pointer_of (b));
    }
  return are_equal (a, b);
}

struct reference *
reference_to (struct span *span, struct expr *l)
{
  struct reference *r = span->references;

  while (r && !is_same_element (r->l, l))
    r = r->next;
  return r;
}

bool
is_in_span (struct span *span, struct expr *l)
{
  struct reference *r = reference_to (span, l);

  return r && r->movement == WITHIN_BLOCK;
}

int64_t
span_step (struct span *span, struct expr *l)
{
  return reference_to (span, l)->step;
}

bool
add_reference (struct span *span, struct expr *l)
{
  struct reference found, *r;

  if (reference_to (span, l))
    return true;
  if (span->count == MOST_REFERENCES || !find_reference (l, span->share, &found))
    return false;
  r = NEW (struct reference);
  *r = found;
  r->number = ++span->count;
  r->next = span->references;
  span->references = r;
  return true;
}

bool
note_reference (struct expr *e, void *span)
{
  struct expr *l = accessed_element (e);

  if (l && !has_row (span, l))
    add_reference (span, l);
  return false;
}

bool
any_outside_loops (struct stmt *s, expr_question *ask, void *data)
{
  if (!s)
    return false;
  switch (s->kind)
    {
    case STMT_FOR:
    case STMT_FORALL:
    case STMT_WHILE:
    case STMT_DO:
      return false;
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (any_outside_loops (item, ask, data))
          return true;
      return false;
    case STMT_DECLARATION:
    case STMT_ASM:
      return any_in_stmt (s, ask, data);
    default:
      return any_in_expr (s->expr, ask, data) || any_outside_loops (s->then, ask, data)
             || any_outside_loops (s->otherwise, ask, data);
    }
}

bool
is_blocked_element (struct expr *e, void *nothing)
{
  struct expr *l = accessed_element (e);

  (void) nothing;
  return l && block_of (l->type) > 0;
}

bool
has_entry (struct stmt *s, bool is_in_switch)
{
  if (!s)
    return false;
  switch (s->kind)
    {
    case STMT_LABEL:
      return true;
    case STMT_CASE:
    case STMT_DEFAULT:
      return !is_in_switch || has_entry (s->then, is_in_switch);
    case STMT_SWITCH:
      return has_entry (s->then, true);
    case STMT_BLOCK:
      for (struct stmt *item = s->items; item; item = item->next)
        if (has_entry (item, is_in_switch))
          return true;
      return false;
    default:
      return has_entry (s->then, is_in_switch) || has_entry (s->otherwise, is_in_switch);
    }
}

static bool
has_foreign_pragma (const char *text, const char *end)
{
  static const char pragma[] = "#pragma ";
  size_t size = strlen (pragma);

  while ((text = memmem (text, end - text, pragma, size)))
    {
      text += size;
      if (strncmp (text, "upc ", 4) != 0)
        return true;
    }
  return false;
}

bool
has_pragmas (void)
{
  static struct stmt *last;
  static bool has_last;
  struct stmt *body = function_being_written->body;

  if (body == last)
    return has_last;
  last = body;
  has_last = has_foreign_pragma (token_at (body->first)->text, token_at (body->last)->text);
  return has_last;
}
