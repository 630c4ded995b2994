/* Accesses in programs of several processes (-fupc-network, include/upct/network.h). Functions that test
   whether the address is near load a value into a variable, or store it from one:

       x = a[i];        x = __extension__ ({ int __upc_x1; __upc_load (&__upc_x1, &…, sizeof __upc_x1); __upc_x1; });
       a[i] += y;       __extension__ ({ void *__upc_a1 = …; int __upc_x1; __upc_load (&__upc_x1, __upc_a1, …);
                          __upc_x1 += y; __upc_store (__upc_a1, &__upc_x1, …); });

   In a strip that is near as a whole, accesses are plain ones (near.c).

   A bit-field is changed in a copy of its structure; a second copy says which bits are stored. The address
   is computed as in other programs, plans included: only these functions use it. */

#include "tools/upc2c/write/internal.h"

/* Each statement expression has names of its own. */
static int number;

static const char *
name_of (const char *what, int n)
{
  return arena_format ("__upc_%s%d", what, n);
}

bool
is_network_access (struct expr *l)
{
  if (!switches.network || !type_is_shared (l->type))
    return false;
  if (quals_of (l->type) & QUAL_ATOMIC)
    error_at (l->token, "shared '_Atomic' objects are not possible with -fupc-network");
  return !is_known_near (l);
}

static const struct type *
record_of (const struct expr *bit_field)
{
  return bit_field->kind == EXPR_ARROW ? bit_field->a->type->base : bit_field->a->type;
}

/* What is moved: the object, or the record of a bit-field. */
static const struct type *
moved_type (const struct expr *l)
{
  return l->is_bit_field ? record_of (l) : l->type;
}

static void
put_moved_address (struct expr *l)
{
  put ("(void *) ");
  if (l->is_bit_field)
    put_record_address (l);
  else
    {
      put ("&");
      gen_lvalue (l);
    }
}

/* `__upc_load`, or its strict form. */
static const char *
function_for (const struct expr *l, const char *name)
{
  return arena_format ("__upc_%s%s", name, l->is_strict || l->is_awaited ? "_strictly" : "");
}

/* L in variable NAME, which has what is moved. */
static const char *
value_in (const struct expr *l, const char *name)
{
  return l->is_bit_field ? arena_format ("%s.%s", name, l->member->name->text) : name;
}

bool
gen_network_load (struct expr *lvalue)
{
  struct expr *l = strip_parens (lvalue);
  const char *x;

  if (!is_network_access (l))
    return false;
  if (gen_batched_load (l))
    return true;
  x = name_of ("x", ++number);
  putf ("__extension__ ({ %s; %s ((void *) &%s, ", declare_value (moved_type (l), x),
        function_for (l, "load"), x);
  put_moved_address (l);
  putf (", sizeof %s); %s; })", x, value_in (l, x));
  close_at (lvalue->last);
  return true;
}

/* Declares A, the address, and X, the variable. Returns their number. */
static int
open_access (struct expr *l, const char **a, const char **x)
{
  int n = ++number;

  *a = name_of ("a", n);
  *x = name_of ("x", n);
  putf ("__extension__ ({ void *%s = ", *a);
  put_moved_address (l);
  putf ("; %s; ", declare_value (moved_type (l), *x));
  return n;
}

/* Loads to X, or stores it: a variable of moved_type. A is the address in C. */
static void
put_load (const struct expr *l, const char *a, const char *x)
{
  putf ("%s ((void *) &%s, (void *) %s, sizeof %s); ", function_for (l, "load"), x, a, x);
}

static void
put_store (const struct expr *l, const char *a, const char *x, int n)
{
  const char *m = name_of ("nm", n);

  if (!l->is_bit_field)
    {
      putf ("%s ((void *) %s, &%s, sizeof %s); ", function_for (l, "store"), a, x, x);
      return;
    }
  putf ("%s; __builtin_memset (&%s, 0, sizeof %s); %s = (__typeof__ (+%s)) -1; ",
        declare_value (record_of (l), m), m, m, value_in (l, m), value_in (l, m));
  if (l->is_strict)
    put ("__upc_flush (); ");
  putf ("__upc_store_bits ((void *) %s, &%s, &%s, sizeof %s); ", a, x, m, x);
  if (l->is_strict)
    put ("__upc_flush (); ");
}

void
put_network_load (struct expr *l, const char *address, const char *to)
{
  const char *x = l->is_bit_field ? name_of ("nx", ++number) : to;

  if (l->is_bit_field)
    putf ("%s; ", declare_value (record_of (l), x));
  put_load (l, address, x);
  if (l->is_bit_field)
    putf ("%s = %s; ", to, value_in (l, x));
}

void
put_network_store (struct expr *l, const char *address, const char *from)
{
  const char *x = l->is_bit_field ? name_of ("nx", ++number) : from;

  if (l->is_bit_field)
    putf ("%s; __builtin_memset (&%s, 0, sizeof %s); %s = (%s = %s); ",
          declare_value (record_of (l), x), x, x, from, value_in (l, x), from);
  put_store (l, address, x, number);
}

static void
put_result (const struct expr *e, const char *value)
{
  if (!e->is_discarded)
    putf ("%s; ", value);
  put ("})");
}

bool
gen_network_assign (struct expr *e)
{
  struct expr *l = strip_parens (e->a);
  const char *a, *x;
  int n;

  if (!is_network_access (l))
    return false;
  n = open_access (l, &a, &x);
  if (l->is_bit_field)
    putf ("__builtin_memset (&%s, 0, sizeof %s); ", x, x);
  putf ("%s = ", value_in (l, x));
  gen_argument (e->b);
  put ("; ");
  put_store (l, a, x, n);
  put_result (e, value_in (l, x));
  return true;
}

/* The change of the variable that E is. */
static void
put_change (struct expr *e, const char *value)
{
  if (type_is_pts (e->a->type))
    put_pointer_update (e, arena_format ("&%s", value), NULL);
  else if (e->kind == EXPR_STEP)
    putf ("%s%s", value, e->op == TOKEN_INCREMENT ? "++" : "--");
  else
    {
      put (value);
      put_operator (e->op);
      gen_argument (e->b);
    }
  put ("; ");
}

bool
gen_network_update (struct expr *e)
{
  struct expr *l = strip_parens (e->a);
  bool is_old = e->kind == EXPR_STEP && !e->is_prefix && !e->is_discarded;
  const char *a, *x, *old;
  int n;

  if (!is_network_access (l))
    return false;
  n = open_access (l, &a, &x);
  old = name_of ("o", n);
  put_load (l, a, x);
  if (is_old)
    putf ("%s = %s; ", declare_value (l->type, old), value_in (l, x));
  put_change (e, value_in (l, x));
  put_store (l, a, x, n);
  put_result (e, is_old ? old : value_in (l, x));
  return true;
}

/* An element of a shared vector is changed in place, and operands of asm are memory. */
void
refuse_on_network (const struct expr *e, const char *what)
{
  if (switches.network)
    error_at (e->token, "%s not possible with -fupc-network", what);
}
