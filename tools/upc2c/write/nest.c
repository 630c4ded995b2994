/* Nests of loops that may have their arrays in private copies (plan/nest.c, include/upct/nest.h):

       __upc_nest_array nest[3]; int is_nest = 0;
       const __upc_range i = __upc_range_of_loop (0, n, 1); const double times_i = __upc_range_count (i, 1);
       const __upc_range j = …; const double times_j = times_i * …;
       if (__upc_nest_is_long (3 * times_j + …, __UPC_LEAST_NEST))
         {
           __upc_nest_array_at (&nest[0], a, …);
           __upc_nest_access (&nest[0], i * n + j, times_j);
           …
           is_nest = __upc_nest_is_copied (nest, 3, 0);
         }
       if (is_nest)
         {
           const __upc_pts copy_of_a = nest[0].__copy; …
           for (i = 0; …) for (…) … copy_of_a[i][j] …;
           __upc_nest_end (nest, 3);
         }
       else
         for (i = 0; …) for (…) … a[i][j] …;

   With AddressSanitizer the copies are gone through in a separate function (outlined_nest.c), and so are the arrays if
   `__upc_nest_is_right (nest, 3)`. */

#include "tools/upc2c/write/internal.h"

static void put_range (struct expr *e, const struct nest *nest, struct nest_loop *around);

/* Opens what is around a value of E's type that might wrap around. */
static const char *
open_type (struct expr *e)
{
  const struct type *type = e->type;
  unsigned bits = 8 * (unsigned) type_size (type).value;
  bool is_unsigned = type_is_unsigned (type);
  long most = bits == 64 ? 1l << 60 : (long) ((1ul << (is_unsigned ? bits : bits - 1)) - 1);

  if (!is_unsigned && (bits == 64 || (e->kind != EXPR_CAST && e->kind != EXPR_CONVERT)))
    return "";
  put ("__upc_range_of_type (");
  return arena_format (", %ld, %ld)", is_unsigned ? 0 : -most - 1, most);
}

static void
put_range_name (struct expr *e, const struct nest *nest, struct nest_loop *around)
{
  struct nest_loop *n = nest_loop_of (around, e->decl);

  if (n)
    putf ("__upc_range%d_%d", nest->number, n->number);
  else
    putf ("__upc_range_at ((long) %s)", c_name (e->decl));
}

static void
put_two_ranges (struct expr *a, struct expr *b, const struct nest *nest, struct nest_loop *around)
{
  put_range (a, nest, around);
  put (", ");
  put_range (b, nest, around);
  put (")");
}

static void
put_range_of_parts (struct expr *e, const struct nest *nest, struct nest_loop *around)
{
  switch (e->kind)
    {
    case EXPR_NAME:
      put_range_name (e, nest, around);
      break;
    case EXPR_THREADS:
      put ("__upc_range_at ((long) __upc_threads)");
      break;
    case EXPR_MYTHREAD:
      put ("__upc_range_at ((long) __upc_mythread)");
      break;
    case EXPR_UNARY:
      putf ("__upc_range_%s (__upc_range_at (0), ", e->op == '-' ? "minus" : "plus");
      put_range (e->a, nest, around);
      put (")");
      break;
    case EXPR_BINARY:
      putf ("__upc_range_%s (", e->op == '+' ? "plus" : e->op == '-' ? "minus" : "times");
      put_two_ranges (e->a, e->b, nest, around);
      break;
    case EXPR_CONDITION:
      put ("__upc_range_either (");
      put_two_ranges (e->b, e->c, nest, around);
      break;
    default:
      put_range (e->a, nest, around);
    }
}

/* What values E may have, in the loop AROUND. */
static void
put_range (struct expr *e, const struct nest *nest, struct nest_loop *around)
{
  const char *closing;

  e = strip_parens (e);
  if (e->is_constant)
    {
      putf ("__upc_range_at (%ldl)", (long) e->value);
      return;
    }
  closing = open_type (e);
  put_range_of_parts (e, nest, around);
  put (closing);
}

static void
put_number (uint64_t n, bool times_threads)
{
  putf (", %lul%s", (unsigned long) n, times_threads ? " * __upc_threads" : "");
}

/* The distances of L from its root. */
static void
put_range_of_element (struct expr *l, const struct nest *nest, struct nest_loop *around)
{
  struct expr *p = pointer_of (l), *row = p->kind == EXPR_DECAY ? strip_parens (p->a) : NULL;
  struct size size = ultimate_count (l->type);

  if (!row || row->kind != EXPR_INDEX)
    {
      put ("__upc_range_scaled (");
      put_range (index_of (l), nest, around);
      put_number (size.value, size.times_threads);
      put (")");
      return;
    }
  put ("__upc_range_in_row (");
  put_range_of_element (row, nest, around);
  put (", ");
  put_range (index_of (l), nest, around);
  put_number (row->type->count, row->type->length_kind == LENGTH_THREADS);
  put_number (size.value, size.times_threads);
  put (")");
}

static void
put_loop_range (const struct nest_loop *n, const struct nest *nest)
{
  struct loop *loop = n->loop;
  bool has_bound = loop->relation == TOKEN_LESS_EQUAL || loop->relation == TOKEN_GREATER_EQUAL;

  putf ("const __upc_range __upc_range%d_%d = __upc_range_of_loop (", nest->number, n->number);
  put_range (n->first, nest, n->around);
  put (", ");
  if (has_bound)
    put (loop->is_down ? "__upc_range_minus (" : "__upc_range_plus (");
  put_range (loop->bound, nest, n->around);
  if (has_bound)
    put (", __upc_range_at (1))");
  putf (", %ld); ", (long) change_of_induction (loop));
}

static void
put_array (const struct nest_array *a, const struct nest *nest)
{
  bool is_by_name = type_is_shared (a->root->type);
  struct size count = ultimate_count (a->root->type);

  putf ("__upc_nest_array_at (&__upc_nest%d[%d], ", nest->number, a->number);
  if (is_by_name)
    {
      put ("__upc_object (");
      put_object (a->root);
      put (")");
    }
  else
    put (c_name (a->root->decl));
  putf (", %d, ", a->is_written);
  if (is_by_name)
    putf ("%luul%s", (unsigned long) count.value,
          count.times_threads ? " * (unsigned long) __upc_threads" : "");
  else
    put ("0");
  put_layout (a->l->type);
  put ("; ");
}

/* How often what is in N is done, at most; so often is what is in no loop of the nest. */
static const char *
times_of (const struct nest_loop *n, const struct nest *nest)
{
  return n ? arena_format ("__upc_times%d_%d", nest->number, n->number) : "1.0";
}

/* That of N, in the loop around it. */
static void
put_times (const struct nest_loop *n, const struct nest *nest)
{
  putf ("const double %s __attribute__ ((__unused__)) = %s * ", times_of (n, nest),
        times_of (n->around, nest));
  if (n->most)
    putf ("%lu.0", (unsigned long) n->most);
  else
    putf ("__upc_range_count (__upc_range%d_%d, %ld)", nest->number, n->number,
          (long) n->loop->step_value);
  if (!n->around && is_forall (n->loop))
    put (" / __upc_threads");
  put ("; ");
}

static void
put_access (const struct nest_access *access, const struct nest *nest)
{
  putf ("__upc_nest_access (&__upc_nest%d[%d], ", nest->number, access->array->number);
  put_range_of_element (access->l, nest, access->around);
  putf (", %s); ", times_of (access->around, nest));
}

static int
count_arrays (const struct nest *nest)
{
  int count = 0;

  for (const struct nest_array *a = nest->arrays; a; a = a->next)
    count++;
  return count;
}

/* The values that the induction variables have. */
static void
put_loop_ranges (const struct nest *nest)
{
  for (const struct nest_loop *n = nest->loops; n; n = n->next)
    {
      put_loop_range (n, nest);
      put_times (n, nest);
    }
}

static void
put_arrays (const struct nest *nest)
{
  for (const struct nest_array *a = nest->arrays; a; a = a->next)
    put_array (a, nest);
  for (const struct nest_access *access = nest->accesses; access; access = access->next)
    put_access (access, nest);
}

static int
count_accesses_in (const struct nest_loop *n, const struct nest *nest)
{
  int count = 0;

  for (const struct nest_access *access = nest->accesses; access; access = access->next)
    count += access->around == n;
  return count;
}

/* How many accesses there are, at most. */
static void
put_all_times (const struct nest *nest)
{
  put ("0.0");
  for (const struct nest_loop *n = nest->loops; n; n = n->next)
    if (count_accesses_in (n, nest) > 0)
      putf (" + %d.0 * %s", count_accesses_in (n, nest), times_of (n, nest));
}

/* What the nest goes through, and whether it is in copies. What is known to be short is looked at no further. */
static void
put_nest (const struct nest *nest)
{
  int number = nest->number, count = count_arrays (nest);

  putf ("__upc_nest_array __upc_nest%d[%d]; int __upc_is_nest%d = 0; ", number, count, number);
  put_loop_ranges (nest);
  put ("if (__upc_nest_is_long (");
  put_all_times (nest);
  put (nest->is_outlined ? ", __UPC_LEAST_CHECKED_NEST)) { " : ", __UPC_LEAST_NEST)) { ");
  put_arrays (nest);
  if (nest->may_copy)
    putf ("__upc_is_nest%d = __upc_nest_is_copied (__upc_nest%d, %d, %d); ", number, number, count,
          nest->is_in_place);
  if (nest->is_outlined)
    putf ("if (!__upc_is_nest%d && __upc_nest_is_right (__upc_nest%d, %d)) __upc_is_nest%d = 2; ",
          number, number, count, number);
  put ("} ");
}

void
put_nest_question (const struct nest *nest)
{
  int number = nest->number, count = count_arrays (nest);

  putf ("int __upc_is_apart%d; { __upc_nest_array __upc_nest%d[%d]; ", number, number, count);
  put_loop_ranges (nest);
  put_arrays (nest);
  putf ("__upc_is_apart%d = __upc_nest_is_apart (__upc_nest%d, %d); } ", number, number, count);
}

void
open_asked (const struct loop *loop, const char *operator)
{
  if (loop->asked)
    putf ("%s(!__upc_is_apart%d && (0", operator, loop->asked->number);
}

void
close_asked (const struct loop *loop)
{
  if (loop->asked)
    put ("))");
}

static void
put_copy_names (const struct nest *nest)
{
  for (const struct nest_array *a = nest->arrays; a; a = a->next)
    putf ("const __upc_pts %s = __upc_nest%d[%d].__copy; "
          "char *const %s_at __attribute__ ((__unused__)) = (char *) __upc_address (%s); ",
          c_name (a->copy), nest->number, a->number, c_name (a->copy), c_name (a->copy));
}

/* STATE, which has no checks (plan/plan.c). */
static void
gen_unchecked (struct nest *nest, struct nest_state *state, struct stmt *s,
               void (*gen_form) (struct stmt *s))
{
  bool check = switches.check;
  bool was_quiet = nest->is_outlined ? open_nest_function (nest) : false;

  if (state == nest->in_copies)
    put_copy_names (nest);
  switches.check = false;
  exchange_state (state);
  gen_form (s);
  exchange_state (state);
  switches.check = check;
  if (nest->is_outlined)
    close_nest_function (nest, was_quiet);
}

void
gen_nest (struct nest *nest, struct stmt *s, void (*gen_form) (struct stmt *s))
{
  int n = nest->number;

  put ("{ ");
  put_nest (nest);
  if (nest->may_copy)
    {
      putf ("if (__upc_is_nest%d == 1) { ", n);
      gen_unchecked (nest, nest->in_copies, s, gen_form);
      putf (" __upc_nest_end (__upc_nest%d, %d); } else ", n, count_arrays (nest));
    }
  if (nest->is_outlined)
    {
      putf ("if (__upc_is_nest%d == 2) { ", n);
      gen_unchecked (nest, nest->unchecked, s, gen_form);
      put (" } else ");
    }
  put ("{ ");
  gen_form (s);
  put (" } }");
}
