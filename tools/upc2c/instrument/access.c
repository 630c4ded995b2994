/* Accesses to shared data, with GASP_UPC_GET and GASP_UPC_PUT (GASP 1.4, 5.4.5). The
   pointer-to-shared for the tool is made only where there is one. `x = a[i];` is

       x = __extension__ ({ static const struct upct_site __upc_site1 = { "a.upc", 7, 7 };
         const long __upc_i1 = i;
         int *const __upc_e1 = __upc_element_address (a, __upc_i1, 4, 4);
         int __upc_x1;
         if (__upc_watching_access ())
           { __upc_pts __upc_s1 = __upc_element (a, __upc_i1, 4, 4); int __upc_t1;
             start; __upc_t1 = *__upc_e1; end; __upc_x1 = __upc_t1; }
         else { __upc_x1 = *__upc_e1; }
         __upc_x1; })

   The variable of the plain way never has its address taken, so that it stays in a
   register. */

#include "tools/upc2c/instrument/internal.h"

#include <gasp_upc.h>

static bool
is_atomic (const struct expr *l)
{
  return quals_of (l->type) & QUAL_ATOMIC;
}

/* Declares variable WHAT of the value's type. */
static void
put_variable (const struct access *a, const char *what)
{
  putf ("%s; ", declare_value (a->l->type, name_of (a, what)));
}

static void
put_fence (const struct access *a)
{
  if (a->l->is_strict)
    put ("__upc_strict_fence (); ");
}

/* Members of records may be const, which C would not assign. */
static bool
is_copied (const struct access *a)
{
  return type_is_record (a->l->type) && !is_atomic (a->l);
}

static void
put_load (const struct access *a, const char *to)
{
  if (is_network_access (a->l))
    {
      put_network_load (a->l, a->address, to);
      return;
    }
  put_fence (a);
  if (a->l->is_strict && is_word_access (a->l))
    {
      putf ("__atomic_load ((%s) %s, &%s, __upc_strict); __upc_saw (&%s, sizeof %s); ",
            declare_address (a->l->type, ""), a->address, to, to, to);
      return;
    }
  if (is_copied (a))
    putf ("__builtin_memcpy (&%s, (const void *) %s, sizeof %s); ", to, a->address, to);
  else
    putf ("%s = %s; ", to, a->lvalue);
  put_fence (a);
}

static void
put_store (const struct access *a, const char *from)
{
  if (is_network_access (a->l))
    {
      put_network_store (a->l, a->address, from);
      return;
    }
  if (a->l->is_strict && is_word_access (a->l))
    {
      putf ("__atomic_store ((%s) %s, &%s, __upc_strict); ", declare_address (a->l->type, ""),
            a->address, from);
      return;
    }
  put_fence (a);
  /* The value of an assignment to a bit-field is what fits in. The mask tells the
     compiler that the program means it. */
  if (a->l->is_bit_field && type_is_unsigned (a->l->type) && a->l->type->kind != TYPE_BOOL)
    putf ("%s = (%s = %s & (~0ull >> %u)); ", from, a->lvalue, from, 64 - a->l->member->bit_width);
  else if (a->l->is_bit_field)
    putf ("%s = (%s = %s); ", from, a->lvalue, from);
  else
    putf ("%s = %s; ", a->lvalue, from);
  put_fence (a);
}

/* The event of an access: the private side is variable t. */
static void
put_access_event (const struct access *a, bool is_get, int type)
{
  const char *shared = arena_format ("(void *) &__upc_s%d", a->number);
  const char *private = arena_format ("(void *) &__upc_t%d", a->number);
  const char *size = a->l->is_bit_field
                         ? arena_format ("%luul", (unsigned long) type_size (a->l->type).value)
                         : arena_format ("sizeof *%s", a->address);

  putf ("%s; ",
        event_call (a->number, is_get ? GASP_UPC_GET : GASP_UPC_PUT, type,
                    arena_format (", %d, %s, %s, %s", !a->l->is_strict, is_get ? private : shared,
                                  is_get ? shared : private, size)));
}

/* `if (watching) { s, t; ` */
static void
open_watched (const struct access *a, const char *watching)
{
  putf ("if (%s) { __upc_pts __upc_s%d = %s; ", watching, a->number, a->pointer);
  put_variable (a, "t");
}

/* Reads into variable TO. */
static void
put_get (const struct access *a, const char *to)
{
  if (a->gets)
    {
      open_watched (a, watching_access_at (a->address));
      put_access_event (a, true, GASP_START);
      put_load (a, name_of (a, "t"));
      put_access_event (a, true, GASP_END);
      if (is_copied (a))
        putf ("__builtin_memcpy (&%s, &%s, sizeof %s); } else ", to, name_of (a, "t"), to);
      else
        putf ("%s = %s; } else ", to, name_of (a, "t"));
    }
  put ("{ ");
  put_load (a, to);
  put ("} ");
}

/* Writes variable FROM. */
static void
put_put (const struct access *a, const char *from)
{
  if (a->puts)
    {
      open_watched (a, watching_access_at (a->address));
      putf ("%s = %s; ", name_of (a, "t"), from);
      put_access_event (a, false, GASP_START);
      put_store (a, name_of (a, "t"));
      put_access_event (a, false, GASP_END);
      if (a->l->is_bit_field)
        putf ("%s = %s; ", from, name_of (a, "t"));
      put ("} else ");
    }
  put ("{ ");
  put_store (a, from);
  put ("} ");
}

bool
gen_watched_load (struct expr *lvalue)
{
  struct access a;

  if (!begin_access (&a, lvalue, true, false))
    return false;
  put ("__extension__ ({ ");
  put_address (&a);
  put_variable (&a, "x");
  put_get (&a, name_of (&a, "x"));
  putf ("%s; })", name_of (&a, "x"));
  close_at (lvalue->last);
  return true;
}

/* The value of E and the end; compilers warn of one that nobody wants. */
static void
put_result (const struct access *a, struct expr *e)
{
  if (!e->is_discarded)
    putf ("%s; ", name_of (a, "x"));
  put ("})");
}

bool
gen_watched_assign (struct expr *e)
{
  struct access a;

  if (!begin_access (&a, e->a, false, true))
    return false;
  put ("__extension__ ({ ");
  put_address (&a);
  putf ("%s = ", declare_value (a.l->type, name_of (&a, "x")));
  gen_argument (e->b);
  put ("; ");
  put_put (&a, name_of (&a, "x"));
  put_result (&a, e);
  return true;
}

/* The right side of a compound assignment, which comes before the load: the update is one
   evaluation to calls in it (C11, 6.5.16.2). */
static const char *
put_right_side (const struct access *a, struct expr *e)
{
  if (e->kind == EXPR_STEP)
    return NULL;
  if (e->b->is_constant)
    return gen_buffered (e->b);
  putf ("%s = ", declare_value_of (e->b, name_of (a, "y")));
  gen_argument (e->b);
  put ("; ");
  return name_of (a, "y");
}

/* The change of private LVALUE that E is. */
static const char *
change_of (struct expr *e, const char *lvalue, const char *right)
{
  struct buffering *c = begin_buffering ();

  if (type_is_pts (e->a->type))
    put_pointer_update (e, arena_format ("&%s", lvalue), right);
  else if (e->kind == EXPR_STEP)
    putf (e->is_prefix ? "%2$s%1$s" : "%1$s%2$s", lvalue, e->op == TOKEN_INCREMENT ? "++" : "--");
  else
    {
      put (lvalue);
      put_operator (e->op);
      putf ("(%s)", right);
    }
  return end_buffering (c);
}

/* An update of an _Atomic object is one, as C11 has it (6.5.16.2): x is what it leaves,
   w what was there. */
static void
put_exchange (const struct access *a, struct expr *e, const char *right)
{
  const char *address = arena_format ("(%s) %s", declare_address (a->l->type, ""), a->address);
  const char *before = name_of (a, "w"), *after = name_of (a, "x");

  if (is_network_access (a->l))
    {
      put_network_exchange (a->l, a->address, before, after, change_of (e, after, right));
      return;
    }
  putf ("__atomic_load (%s, &%s, __upc_strict); do { %s = %s; %s; } "
        "while (!__atomic_compare_exchange (%s, &%s, &%s, 0, __upc_strict, __upc_strict)); ",
        address, before, after, before, change_of (e, after, right), address, before, after);
}

/* Its data moves at the PUT. */
static void
put_atomic_update (const struct access *a, struct expr *e, const char *right)
{
  put_variable (a, "w");
  open_watched (a, watching_at (a->address));
  if (a->gets)
    {
      put_access_event (a, true, GASP_START);
      put_load (a, name_of (a, "t"));
      put_access_event (a, true, GASP_END);
    }
  if (a->puts)
    put_access_event (a, false, GASP_START);
  put_exchange (a, e, right);
  putf ("%s = %s; ", name_of (a, "t"), name_of (a, "x"));
  if (a->puts)
    put_access_event (a, false, GASP_END);
  put ("} else { ");
  put_exchange (a, e, right);
  put ("} ");
  if (e->kind == EXPR_STEP && !e->is_prefix)
    putf ("%s = %s; ", name_of (a, "x"), name_of (a, "w"));
}

/* Load, change, store; the variable z is the result. */
static void
put_update (const struct access *a, struct expr *e, const char *right)
{
  bool is_old = e->kind == EXPR_STEP && !e->is_prefix;

  put_get (a, name_of (a, "x"));
  if (is_old)
    putf ("%s = %s; ", declare_value (a->l->type, name_of (a, "z")), name_of (a, "x"));
  putf ("%s; ", change_of (e, name_of (a, "x"), right));
  put_put (a, name_of (a, "x"));
  if (is_old)
    putf ("%s = %s; ", name_of (a, "x"), name_of (a, "z"));
}

bool
gen_watched_update (struct expr *e)
{
  bool is_shared = type_is_shared (e->a->type) || is_shared_vector_element (e->a);
  struct access a;
  const char *right;

  if (!is_shared || !begin_access (&a, e->a, true, true))
    return false;
  put ("__extension__ ({ ");
  put_address (&a);
  right = put_right_side (&a, e);
  put_variable (&a, "x");
  if (is_atomic (a.l) && !type_is_pts (e->a->type) && !a.l->is_bit_field)
    put_atomic_update (&a, e, right);
  else
    put_update (&a, e, right);
  put_result (&a, e);
  return true;
}

bool
gen_vector_store (struct expr *e)
{
  bool done;

  if (!is_shared_vector_element (e->a) || !is_watching_accesses ())
    return false;
  done = e->kind == EXPR_ASSIGN ? gen_watched_assign (e) : gen_watched_update (e);
  if (!done)
    {
      /* The vector must stay an lvalue. */
      watch_accesses (false);
      gen_expr (e);
      watch_accesses (true);
    }
  return true;
}
