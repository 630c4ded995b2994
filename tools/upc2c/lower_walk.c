/* Loops whose counter is a pointer-to-shared:

       upc_forall (p = a; p < a + n; p++; p)      for (p = a; p < a + n; p++)

   A thread goes from block to block, in the first form of its own ones. Within a block the
   elements lie one behind the other, so that no step looks for the next one. */

#include "tools/upc2c/instrument.h"
#include "tools/upc2c/linear.h"
#include "tools/upc2c/visit.h"

/* In the loop that is being written *POINTER is at AT[ITERATION]. */
struct walk
{
  struct decl *pointer;
  const char *at, *iteration;
  struct walk *outer;
};

static struct walk *walks;

bool
put_walk_address (struct expr *pointer)
{
  pointer = peel (pointer);
  for (struct walk *w = walks; w; w = w->outer)
    if (is_name_of (pointer, w->pointer))
      {
        putf ("(%s + %s * %luul)", w->at, w->iteration,
              (unsigned long) type_size (w->pointer->type->base).value);
        return true;
      }
  return false;
}

static void
put_walk_body (struct share *s, const char *at, const char *iteration)
{
  struct walk walk = { s->counter, at, iteration, walks };

  walks = &walk;
  gen_stmt (s->loop->then);
  walks = walk.outer;
}

/* A private pointer to elements that are no arrays, in blocks. */
static bool
can_walk (const struct decl *p)
{
  const struct type *element;

  if (!p || !is_variable (p) || !type_is_pts (p->type) || quals_of (p->type))
    return false;
  element = p->type->base;
  return type_is_complete (element) && element->kind != TYPE_ARRAY && element->kind != TYPE_VOID
         && block_of (element) > 0 && type_size (element).is_known;
}

static struct decl *
stepped_pointer (struct expr *step)
{
  step = step ? peel (step) : NULL;
  if (!step || step->kind != EXPR_STEP || step->op != TOKEN_INCREMENT
      || peel (step->a)->kind != EXPR_NAME || !can_walk (peel (step->a)->decl))
    return NULL;
  return peel (step->a)->decl;
}

/* Where the walk ends: of the same type, and in the same layout. */
static bool
find_end (struct share *s)
{
  struct expr *e = s->loop->expr ? peel (s->loop->expr) : NULL;
  const struct type *type;

  if (!e || e->kind != EXPR_BINARY || !(is_counter (e->a, s) || is_counter (e->b, s)))
    return false;
  s->relation = is_counter (e->a, s) ? e->op : mirrored (e->op);
  s->bound = is_counter (e->a, s) ? e->b : e->a;
  type = s->bound->type;
  return (s->relation == '<' || s->relation == TOKEN_LESS_EQUAL || s->relation == TOKEN_NOT_EQUAL)
         && type_is_pts (type) && types_match_unqualified (type->base, s->counter->type->base)
         && block_of (type->base) == block_of (s->counter->type->base) && is_steady (s->bound, s);
}

/* How many steps it is to the end, as a long. */
static void
put_way (struct share *s)
{
  put ("__upc_difference (");
  gen_argument (s->bound);
  putf (", %s", c_name (s->counter));
  put_layout (s->counter->type->base);
  put (s->relation == TOKEN_LESS_EQUAL ? " + 1" : "");
}

static void
put_walk (struct share *s)
{
  int n = s->loop_number;
  const struct type *element = s->counter->type->base;
  const char *p = c_name (s->counter);
  unsigned long bytes = type_size (element).value;

  putf (" { const __upc_pts __upc_first%d = %s; const long __upc_end%d = ", n, p, n);
  put_way (s);
  put ("; ");
  putf ("__upc_owned __upc_owned%d = __upc_owned_begin (__upc_end%d > 0 ? (unsigned long) __upc_end%d : 0, "
        "__upc_position (%s, %u), %u, __upc_outer%d); unsigned long __upc_k%d; ",
        n, n, n, p, block_of (element), block_of (element), n, n);
  putf ("for (; __upc_owned%d.__at < __upc_owned%d.__end; __upc_owned_next (&__upc_owned%d, %u)) { "
        "const __upc_pts __upc_run%d = __upc_add (__upc_first%d, (long) __upc_owned%d.__at",
        n, n, n, block_of (element), n, n, n);
  put_layout (element);
  putf ("; char *const __upc_base%d = (char *) __upc_address (__upc_run%d); for (__upc_k%d = 0; __upc_k%d < __upc_owned%d.__count; __upc_k%d++) { "
        "%s = __upc_shift (__upc_run%d, (long) __upc_k%d * %lu, 0, %s); ",
        n, n, n, n, n, n, p, n, n, bytes,
        block_of (element) == 1 ? "0" : arena_format ("(long) __upc_k%d", n));
  put_walk_body (s, arena_format ("__upc_base%d", n), arena_format ("__upc_k%d", n));
  putf (" } } %s = __upc_add (__upc_first%d, (long) __upc_owned%d.__end", p, n, n);
  put_layout (element);
  put ("; ");
}

bool
gen_walk (struct stmt *loop, int number)
{
  struct share s = { .loop = loop, .sureness = SURE, .loop_number = number };

  s.counter = stepped_pointer (loop->step);
  if (loop->affinity_kind != AFFINITY_POINTER || has_break (loop->then) || !is_good_counter (&s)
      || !is_counter (loop->affinity, &s) || !find_end (&s))
    return false;
  putf ("{ const int __upc_outer%d = __upc_depth++; ", number);
  put_initialisation (loop);
  put_walk (&s);
  putf ("} __upc_depth = __upc_outer%d; }", number);
  return true;
}

/* The loop over what is left of a block; then the pointer is set to the next one. */
static void
put_block_loop (struct share *s)
{
  int n = s->loop_number;
  const struct type *element = s->counter->type->base;
  const char *p = c_name (s->counter);

  putf ("__upc_left%d = __upc_todo%d; __upc_from%d = %s; __upc_at%d = __upc_strip_index (%s, 0, 1, &__upc_left%d", n, n, n,
        p, n, p, n);
  put_layout (element);
  putf ("; for (__upc_n%d = 0; __upc_n%d < __upc_left%d; __upc_n%d++, %s = __upc_shift (%s, %lu, 0, 1)) { ", n, n, n, n, p, p,
        (unsigned long) type_size (element).value);
  put_walk_body (s, arena_format ("__upc_at%d", n), arena_format ("__upc_n%d", n));
  putf (" } if (__upc_n%d < __upc_left%d) break; %s = __upc_add (__upc_from%d, (long) __upc_left%d", n, n, p, n, n);
  put_layout (element);
  put ("; ");
}

bool
gen_plain_walk (struct stmt *loop)
{
  struct share *s = NEW (struct share);
  struct decl *pointer = stepped_pointer (loop->step);
  int n;

  *s = (struct share){ .loop = loop, .sureness = SURE, .counter = pointer };
  if (is_instrumenting () || !function_being_written || !pointer || has_pragmas ()
      || block_of (pointer->type->base) < LEAST_SPAN || !is_good_counter (s) || !find_end (s)
      || has_entry (loop->then, false))
    return false;
  s->loop_number = n = new_span_number ();
  open_at (loop->first);
  putf ("{ unsigned long __upc_todo%d, __upc_left%d, __upc_n%d; char *__upc_at%d; __upc_pts __upc_from%d; ", n, n, n, n, n);
  put_initialisation (loop);
  putf ("for (__upc_todo%d = (", n);
  gen_expr (loop->expr);
  put (") ? (unsigned long) (");
  put_way (s);
  putf (") : 0; __upc_todo%d; __upc_todo%d -= __upc_left%d) { ", n, n, n);
  put_block_loop (s);
  put ("} }");
  close_at (loop->last);
  return true;
}
