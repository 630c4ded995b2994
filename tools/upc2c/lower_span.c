/* Loops over blocks. Elements whose indexes are linear forms of a loop's counter stay in
   a block for a while, where they lie evenly in memory: a span of the loop. So

       for (i = lo; i < n; i++) s += a[i - 1] * a[i + 1];

   becomes two loops, of which the inner one does no arithmetic of layouts:

       { unsigned long __upc_todo1, __upc_left1, __upc_n1; char *__upc_at1_1, *__upc_at1_2;
         i = lo;
         for (__upc_todo1 = n - lo; __upc_todo1; __upc_todo1 -= __upc_left1)
           { __upc_left1 = __upc_todo1;
             __upc_at1_1 = __upc_span_element (a, i - 1, …, &__upc_left1, …); …
             for (__upc_n1 = 0; __upc_n1 < __upc_left1; i++, __upc_n1++)
               s += *(int *) (__upc_at1_1 + __upc_n1 * 4) * …;
             if (__upc_n1 < __upc_left1) break; } }

   The counter is changed by the loop's own step only. Where the bound is not known
   beforehand, the inner loop asks for it, and the outer one goes on until it has said no.
   Addresses are computed of elements that the body may not get to: that has no effect. */

#include "tools/upc2c/instrument.h"
#include "tools/upc2c/linear.h"
#include "tools/upc2c/visit.h"

/* With more elements than that the others are found as anywhere else. */
enum { MOST_REFERENCES = 24 };

/* An element, or several with the same index. */
struct reference
{
  struct expr *l;        /* EXPR_INDEX */
  struct expr *root;     /* EXPR_NAME: a static array, or a pointer */
  int64_t step;          /* ultimate elements from one iteration to the next */
  bool stays;            /* in one block, in all iterations */
  int number;
  struct reference *next;
};

struct span
{
  struct share *share;
  struct reference *references;
  int count, number;
  bool is_counted;       /* a loop of C whose iterations are known beforehand */
  const char *iteration; /* the variable that counts those of the span */
  struct span *outer;
};

static struct span *spans;

static bool
is_pointer (const struct reference *r)
{
  return type_is_pts (r->root->type);
}

/* The references. */

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

/* The first and the last value of the counter, if both are known. */
static bool
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

static bool
find_reference (struct expr *l, struct share *s, struct reference *r)
{
  uint32_t block = block_of (l->type);
  struct linear at;
  bool wraps;

  *r = (struct reference){ .l = l, .root = root_name (l) };
  if (!r->root || block < LEAST_SPAN || is_own_element (l, s) || !is_good_root (r->root, s)
      || !find_distance (l, s, &at, &wraps) || at.factor == 0 || at.factor > INT32_MAX || at.factor < -INT32_MAX)
    return false;
  if (s->step_value > INT32_MAX / (at.factor < 0 ? -at.factor : at.factor))
    return false;
  r->step = at.factor * (s->is_down ? -s->step_value : s->step_value);
  if (r->step > block / LEAST_SPAN || -r->step > block / LEAST_SPAN)
    return false;
  r->stays = !wraps && !is_pointer (r) && s->loop->kind == STMT_FOR && s->bound
             && stays_in_block (s, &at, block);
  return true;
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

/* The element that E, an expression, accesses itself; or NULL. */
static struct expr *
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

static struct reference *
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
  return reference_to (span, l) != NULL;
}

int64_t
span_step (struct span *span, struct expr *l)
{
  return reference_to (span, l)->step;
}

static bool
note_reference (struct expr *e, void *data)
{
  struct span *span = data;
  struct expr *l = accessed_element (e);
  struct reference found, *r;

  if (!l || span->count == MOST_REFERENCES || reference_to (span, l) || !find_reference (l, span->share, &found))
    return false;
  r = NEW (struct reference);
  *r = found;
  r->number = ++span->count;
  r->next = span->references;
  span->references = r;
  return false;
}

/* Calls ASK for the expressions of S but for those in loops of its own, which have spans
   of their own. */
static bool
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

static bool
is_blocked_element (struct expr *e, void *nothing)
{
  struct expr *l = accessed_element (e);

  (void) nothing;
  return l && block_of (l->type) >= LEAST_SPAN;
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

/* What is written. */

static void
put_index (struct expr *l)
{
  struct expr *p = pointer_of (l);

  if (p->kind == EXPR_DECAY && peel (p->a)->kind == EXPR_INDEX)
    {
      put_index (peel (p->a));
      put (" + ");
    }
  put ("(long) ");
  put_linear (number_of (l));
  put (step_factor (l->type));
}

static void
put_root_name (struct reference *r)
{
  struct capture *c;

  if (is_pointer (r))
    {
      put (c_name (r->root->decl));
      return;
    }
  c = begin_capture ();
  put_object (r->root);
  put (end_capture (c));
}

void
put_span_variables (struct span *span)
{
  putf ("unsigned long __upc_left%d; char ", span->number);
  for (struct reference *r = span->references; r; r = r->next)
    putf ("*__upc_at%d_%d%s", span->number, r->number, r->next ? ", " : "; ");
}

/* Neither the counter nor an index wraps around within a span: MOST VALUE LEAST is how far
   it may still go. */
static void
put_wrap (struct span *span, const char *most, const char *value, const char *least)
{
  putf ("__upc_span_wrap (&__upc_left%d, (unsigned long) (%s%s%s), %ld); ", span->number, most, value, least,
        (long) span->share->step_value);
}

static void
put_wrap_of_counter (struct span *span)
{
  struct share *s = span->share;
  const struct type *type = s->counter->type;
  int bits = 8 * (int) type_size (type).value;
  const char *value = arena_format ("(long) %s", c_name (s->counter));
  int64_t most;

  /* Signed integers do not overflow, but shorter ones are converted. */
  if (bits == 64 || (bits == 32 && !type_is_unsigned (type)))
    return;
  most = (1l << (type_is_unsigned (type) ? bits : bits - 1)) - 1;
  if (!s->is_down)
    put_wrap (span, arena_format ("%ldl - ", (long) most), value, "");
  else
    put_wrap (span, "", value, type_is_unsigned (type) ? "" : arena_format (" + %ldl", (long) most + 1));
}

static void
put_wraps_of_indexes (struct span *span, struct expr *l)
{
  for (; l->kind == EXPR_INDEX; l = peel (pointer_of (l)->a))
    {
      struct linear form;

      if (!find_linear (number_of (l), span->share, &form) && find_wrapping (number_of (l), span->share, &form))
        {
          struct capture *c = begin_capture ();
          const char *index;

          put_linear (number_of (l));
          index = end_capture (c);
          if ((form.factor > 0) != span->share->is_down)
            put_wrap (span, "0xffffffffu - ", index, "");
          else
            put_wrap (span, "", index, "");
        }
      if (pointer_of (l)->kind != EXPR_DECAY)
        break;
    }
}

void
put_span_start (struct span *span)
{
  for (struct reference *r = span->references; r; r = r->next)
    {
      putf ("__upc_at%d_%d = %s (", span->number, r->number,
            r->stays         ? "__upc_span_place"
            : is_pointer (r) ? "__upc_span_index"
                             : "__upc_span_element");
      put_root_name (r);
      put (", ");
      put_index (r->l);
      if (!r->stays)
        putf (", %ld, &__upc_left%d", (long) r->step, span->number);
      put_layout (r->l->type);
      put ("; ");
      put_wraps_of_indexes (span, r->l);
    }
  if (!span->is_counted)
    put_wrap_of_counter (span);
}

bool
put_span_address (struct expr *l)
{
  struct reference *r;

  if (l->kind != EXPR_INDEX || l->type->kind == TYPE_ARRAY)
    return false;
  for (struct span *span = spans; span; span = span->outer)
    if ((r = reference_to (span, l)))
      {
        /* Unsigned, as compilers do not know that the number of iterations is small. */
        putf ("(__upc_at%d_%d %c %s * %luul)", span->number, r->number, r->step < 0 ? '-' : '+', span->iteration,
              (unsigned long) (r->step < 0 ? -r->step : r->step) * type_size (l->type).value);
        return true;
      }
  return false;
}

void
enter_span (struct span *span)
{
  span->outer = spans;
  spans = span;
}

void
leave_span (struct span *span)
{
  spans = span->outer;
}

int
span_number (const struct span *span)
{
  return span->number;
}

int
new_span_number (void)
{
  static int number;

  return ++number;
}

static struct span *
new_span (struct share *s)
{
  struct span *span = NEW (struct span);

  *span = (struct span){ .share = s, .number = new_span_number () };
  return span;
}

/* upc_forall. */

struct span *
find_own_span (struct share *s)
{
  struct span *span;

  if (is_instrumenting () || !s->is_by_one || s->block <= 1 || s->divisor)
    return NULL;
  span = new_span (s);
  span->iteration = arena_format ("__upc_k%d", s->loop_number);
  any_outside_loops (s->loop->then, note_reference, span);
  return span->references ? span : NULL;
}

/* Loops of C. */

/* Whether the number of iterations is known before the first one. */
static bool
is_counted (struct share *s)
{
  const struct type *type = s->counter->type;
  uint64_t bytes = type_size (type).value;

  if (find_bound (s) && bytes >= 4
      && (!type_is_unsigned (type)
          || ((s->relation == '<' || s->relation == '>') && type_size (s->bound->type).value <= bytes
              && (s->step_value == 1 || bytes == 8))))
    return true;
  s->bound = NULL;
  return false;
}

static struct span *
find_span (struct stmt *loop)
{
  struct share *s = NEW (struct share);
  struct span *span;

  *s = (struct share){ .loop = loop, .sureness = SURE };
  if (is_instrumenting () || !function_being_written || !loop->step
      || !any_outside_loops (loop->then, is_blocked_element, NULL)
      || !find_counter (s) || s->step || s->step_value > INT32_MAX || has_entry (loop->then, false))
    return NULL;
  span = new_span (s);
  span->is_counted = is_counted (s);
  span->iteration = arena_format ("__upc_n%d", span->number);
  any_outside_loops (loop->then, note_reference, span);
  if (!span->is_counted)
    any_in_expr (loop->expr, note_reference, span);
  return span->references ? span : NULL;
}

static bool
all_stay (struct span *span)
{
  struct reference *r = span->references;

  while (r && r->stays)
    r = r->next;
  return !r;
}

/* Iterations side by side: the counter is what each makes of its number. */
static void
put_simd_loop (struct span *span)
{
  struct share *s = span->share;
  int n = span->number;
  const char *counter = c_name (s->counter), *type = plain_type (s->counter->type);
  char sign = s->is_down ? '-' : '+';
  unsigned long step = (unsigned long) s->step_value;

  put_span_start (span);
  putf ("__upc_from%d = (unsigned long) %s;", n, counter);
  enter_span (span);
  putf ("__upc_n%d = 0; ", n);
  if (!put_whole_copy (s, span, arena_format ("__upc_left%d", n)))
    {
      put_line ("#pragma omp simd");
      putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++) { %s = (%s) (__upc_from%d %c __upc_n%d * %lu); ",
            n, n, n, n, counter, type, n, sign, n, step);
      gen_stmt (s->loop->then);
      put (" } ");
    }
  leave_span (span);
  putf ("__upc_n%d = __upc_left%d; %s = (%s) (__upc_from%d %c __upc_left%d * %lu); ", n, n, counter, type, n, sign, n, step);
}

static void
put_plain_loop (struct span *span)
{
  struct stmt *loop = span->share->loop;
  int n = span->number;

  put_span_start (span);
  putf ("for (__upc_n%d = 0; __upc_n%d < __upc_left%d", n, n, n);
  enter_span (span);
  if (!span->is_counted && loop->expr)
    {
      put (" && (");
      gen_expr (loop->expr);
      put (")");
    }
  put ("; ");
  gen_expr (loop->step);
  putf (", __upc_n%d++) { ", n);
  gen_stmt (loop->then);
  put (" } ");
  leave_span (span);
}

static bool
is_side_by_side (struct span *span)
{
  return span->is_counted && may_run_side_by_side (span->share, span);
}

static void
put_inner_loop (struct span *span)
{
  if (is_side_by_side (span))
    put_simd_loop (span);
  else
    put_plain_loop (span);
}

static void
put_outer_loop (struct span *span)
{
  int n = span->number;

  if (!span->is_counted)
    {
      putf ("for (;;) { __upc_left%d = ~0ul >> 1; ", n);
      put_inner_loop (span);
      putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
      return;
    }
  if (all_stay (span))
    {
      putf ("__upc_left%d = ", n);
      put_count (span->share);
      put ("; ");
      put_inner_loop (span);
      return;
    }
  putf ("for (__upc_todo%d = ", n);
  put_count (span->share);
  putf ("; __upc_todo%d; __upc_todo%d -= __upc_left%d) { __upc_left%d = __upc_todo%d; ", n, n, n, n, n);
  put_inner_loop (span);
  putf ("if (__upc_n%d < __upc_left%d) break; } ", n, n);
}

bool
gen_span (struct stmt *loop)
{
  struct span *span = find_span (loop);

  if (!span)
    return false;
  open_at (loop->first);
  put ("{ ");
  put_span_variables (span);
  putf ("unsigned long __upc_n%d; ", span->number);
  if (is_side_by_side (span))
    putf ("unsigned long __upc_from%d; ", span->number);
  if (span->is_counted && !all_stay (span))
    putf ("unsigned long __upc_todo%d; ", span->number);
  put_initialisation (loop);
  put_outer_loop (span);
  put ("}");
  close_at (loop->last);
  return true;
}
