/* A upc_forall whose counter is a pointer-to-shared that is its own affinity:

       upc_forall (p = a; p < a + n; p++; p)

   A thread goes from block to block of its own. */

#include "tools/upc2c/affine.h"
#include "tools/upc2c/visit.h"

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

static void
put_walk (struct share *s)
{
  int n = s->loop_number;
  const struct type *element = s->counter->type->base;
  const char *p = c_name (s->counter);
  unsigned long bytes = type_size (element).value;

  putf (" { const __upc_pts __upc_first%d = %s; const long __upc_end%d = __upc_difference (", n, p, n);
  gen_argument (s->bound);
  putf (", %s", p);
  put_layout (element);
  putf ("%s; ", s->relation == TOKEN_LESS_EQUAL ? " + 1" : "");
  putf ("__upc_share __upc_share%d = __upc_share_begin (__upc_end%d > 0 ? (unsigned long) __upc_end%d : 0, "
        "__upc_position (%s, %u), %u, __upc_outer%d); unsigned long __upc_k%d; ",
        n, n, n, p, block_of (element), block_of (element), n, n);
  putf ("for (; __upc_share%d.__at < __upc_share%d.__end; __upc_share_next (&__upc_share%d, %u)) { "
        "const __upc_pts __upc_run%d = __upc_add (__upc_first%d, (long) __upc_share%d.__at",
        n, n, n, block_of (element), n, n, n);
  put_layout (element);
  putf ("; for (__upc_k%d = 0; __upc_k%d < __upc_share%d.__count; __upc_k%d++) { "
        "%s = __upc_shift (__upc_run%d, (long) __upc_k%d * %lu, 0, %s); ",
        n, n, n, n, p, n, n, bytes,
        block_of (element) == 1 ? "0" : arena_format ("(long) __upc_k%d", n));
  gen_stmt (s->loop->then);
  putf (" } } %s = __upc_add (__upc_first%d, (long) __upc_share%d.__end", p, n, n);
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
