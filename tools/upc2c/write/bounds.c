/* Constant indexes that are out of the bounds of an array. The address of the element one past
   the end may be taken, but it may not be accessed. */

#include "tools/upc2c/write/internal.h"

#include <limits.h>
#include <upct/segment.h>

enum
{
  MOST_THREADS = 1 << __UPC_THREAD_BITS
};

/* CONSTANT + THREADS_FACTOR * THREADS. */
struct linear
{
  int64_t constant;
  int64_t threads_factor;
};

static bool find_linear (struct expr *e, struct linear *f);

static bool
find_linear_binary (struct expr *e, struct linear *f)
{
  struct linear a, b;

  if (!find_linear (e->a, &a) || !find_linear (e->b, &b))
    return false;
  if (e->op == '*' && a.threads_factor == 0)
    {
      struct linear other = a;

      a = b;
      b = other;
    }
  if (e->op == '*')
    return b.threads_factor == 0 && !__builtin_mul_overflow (a.constant, b.constant, &f->constant)
           && !__builtin_mul_overflow (a.threads_factor, b.constant, &f->threads_factor);
  if (e->op == '+')
    return !__builtin_add_overflow (a.constant, b.constant, &f->constant)
           && !__builtin_add_overflow (a.threads_factor, b.threads_factor, &f->threads_factor);
  return e->op == '-' && !__builtin_sub_overflow (a.constant, b.constant, &f->constant)
         && !__builtin_sub_overflow (a.threads_factor, b.threads_factor, &f->threads_factor);
}

/* E as such a form. The sums and products of the program are ints, and so small. */
static bool
find_linear (struct expr *e, struct linear *f)
{
  e = strip_conversions (e);
  if (e->is_constant)
    {
      *f = (struct linear){ .constant = e->value };
      return e->value >= INT_MIN && e->value <= INT_MAX;
    }
  if (e->kind == EXPR_THREADS)
    {
      *f = (struct linear){ .threads_factor = 1 };
      return true;
    }
  return e->kind == EXPR_BINARY && find_linear_binary (e, f)
         && f->constant + f->threads_factor == (int) (f->constant + f->threads_factor);
}

/* Its least and greatest value for any number of threads. */
static int64_t
least (const struct linear *f)
{
  return f->constant + f->threads_factor * (f->threads_factor < 0 ? MOST_THREADS : 1);
}

static int64_t
greatest (const struct linear *f)
{
  return f->constant + f->threads_factor * (f->threads_factor < 0 ? 1 : MOST_THREADS);
}

/* INDEX, less the extent of the array TYPE. */
static struct linear
beyond_end (struct linear index, const struct type *type)
{
  if (type->length_kind == LENGTH_THREADS)
    index.threads_factor -= (int64_t) type->count;
  else
    index.constant -= (int64_t) type->count;
  return index;
}

bool
is_within_bounds (struct expr *l)
{
  struct linear index, beyond;

  if (!find_linear (index_of (l), &index))
    return false;
  beyond = beyond_end (index, array_of_element (l)->type);
  return least (&index) >= 0 && greatest (&beyond) < 0;
}

static const char *
object_text (const struct decl *d)
{
  return arena_format ("'%s'", declared_text (d->type, d->name->text));
}

const char *
array_in_messages (struct expr *array)
{
  int dimension = 1;

  for (; array->kind == EXPR_INDEX && array_of_element (array); dimension++)
    array = array_of_element (array);
  if (array->kind != EXPR_NAME && array->kind != EXPR_DOT && array->kind != EXPR_ARROW)
    return type_text (array->type);
  if (dimension == 1 && array->type->base->kind != TYPE_ARRAY)
    return object_text (array->decl);
  return arena_format ("dimension %d of %s", dimension, object_text (array->decl));
}

static const char *
text_of_index (const struct linear *index)
{
  const char *threads = index->threads_factor == 1
                            ? "THREADS"
                            : arena_format ("%ld*THREADS", (long) index->threads_factor);

  if (index->threads_factor == 0)
    return arena_format ("%ld", (long) index->constant);
  return index->constant ? arena_format ("%s%+ld", threads, (long) index->constant) : threads;
}

/* ---- Code that constants rule out ---- */

static bool
spare (struct expr *e, void *unused)
{
  (void) unused;
  e->is_warned_of = true;
  return false;
}

/* The operand of E that is never evaluated, or NULL. */
static struct expr *
dead_operand (struct expr *e)
{
  if ((e->kind != EXPR_CONDITION && e->kind != EXPR_LOGICAL) || !e->a->is_constant)
    return NULL;
  if (e->kind == EXPR_CONDITION)
    return e->a->value ? e->c : e->b;
  return (e->op == TOKEN_OR_OR) == (e->a->value != 0) ? e->b : NULL;
}

static bool
spare_operand (struct expr *e, void *unused)
{
  struct expr *dead = dead_operand (e);

  (void) unused;
  if (dead)
    any_in_expr (dead, spare, NULL);
  return false;
}

static bool
spare_branch (struct stmt *s, void *unused)
{
  struct stmt *dead;

  (void) unused;
  if ((s->kind != STMT_IF && s->kind != STMT_WHILE && s->kind != STMT_FOR) || !s->expr
      || !s->expr->is_constant)
    return false;
  dead = s->expr->value ? s->otherwise : s->then;
  if (dead)
    any_in_stmt (dead, spare, NULL);
  if (s->kind == STMT_FOR && !s->expr->value && s->step)
    any_in_expr (s->step, spare, NULL);
  return false;
}

/* A program may ask for the extent of an array before it uses an element: #define N, if (N > 4). */
void
spare_dead_code (struct stmt *body)
{
  any_in_stmt (body, spare_operand, NULL);
  any_stmt (body, spare_branch, NULL);
}

void
warn_of_bounds (struct expr *l, bool is_access)
{
  struct expr *array;
  struct linear index, beyond;

  if (switches.ignores_bounds)
    return;
  for (; l->kind == EXPR_INDEX && (array = array_of_element (l)); l = array)
    {
      if (l->is_warned_of || !has_known_extent (array) || !find_linear (index_of (l), &index))
        continue;
      beyond = beyond_end (index, array->type);
      if (greatest (&index) >= 0 && least (&beyond) < (is_access ? 0 : 1))
        continue;
      l->is_warned_of = true;
      warning_at (l->first, "index %s is out of bounds of %s [-Warray-bounds]",
                  text_of_index (&index), array_in_messages (array));
    }
}
