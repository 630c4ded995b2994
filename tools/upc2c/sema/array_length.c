/* Lengths of arrays. With dynamic THREADS a length may be a multiple of THREADS. */

#include "tools/upc2c/sema/sema.h"

/* Whether E is THREADS, or it multiplied by positive constants: then *FACTOR is their
   product. */
static bool
is_multiple_of_threads (struct expr *e, uint64_t *factor)
{
  e = strip_conversions (e);
  if (e->kind == EXPR_THREADS && !switches.threads)
    {
      *factor = 1;
      return true;
    }
  if (e->kind == EXPR_BINARY && e->op == '*')
    for (int swap = 0; swap < 2; swap++)
      {
        struct expr *constant = swap ? e->b : e->a;

        if (constant->is_constant && constant->value > 0
            && is_multiple_of_threads (swap ? e->a : e->b, factor))
          return !__builtin_mul_overflow (*factor, (uint64_t) constant->value, factor);
      }
  return false;
}

struct type *
array_with_length (struct type *base, struct expr *length)
{
  uint64_t factor;

  if (!length)
    return array_of_kind (base, LENGTH_UNKNOWN, 0, NULL);
  if (is_multiple_of_threads (length, &factor))
    return array_of_kind (base, LENGTH_THREADS, factor, length);
  if (length->is_constant && (length->value >= 0 || type_is_unsigned (length->type)))
    return array_of_kind (base, LENGTH_FIXED, length->value, length);
  if (type_is_shared (base) && !has_undeclared (length))
    {
      if (length->is_constant)
        error_at (length->first, "size of shared array is negative");
      else if (mentions_threads (length))
        error_at (length->first, "with dynamic THREADS, size of shared array must be "
                                 "'THREADS' or its product with a positive integer constant "
                                 "(UPC 1.3, 6.5.2.1)");
      else
        error_at (length->first, "size of shared array is not constant (UPC 1.3, 6.5.2.1)");
    }
  return array_of_kind (base, LENGTH_VARIABLE, 0, length);
}
