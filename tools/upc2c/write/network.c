/* Accesses in programs of several processes (-fupc-network, include/upct/network.h). Functions that test
   whether the address is near load a value into a variable, or store it from one:

       x = a[i];        x = __extension__ ({ int __upc_x1; __upc_load (&__upc_x1, &…, sizeof __upc_x1); __upc_x1; });
       a[i] += y;       __extension__ ({ void *__upc_a1 = …; int __upc_x1; __upc_load (&__upc_x1, __upc_a1, …);
                          __upc_x1 += y; __upc_store (__upc_a1, &__upc_x1, …); });

   In a strip that is near as a whole, accesses are plain ones (near.c).

   A bit-field is changed in a copy of its structure; a second copy says which bits are stored. The address
   is computed as in other programs, plans included: only these functions use it. */

#include "tools/upc2c/write/internal.h"

enum
{
  MOST_ATOMIC_BYTES = 4096 /* include/upct/atomic_object.h has it, too */
};

/* Each statement expression has names of its own. */
static int number;

static const char *
name_of (const char *what, int n)
{
  return arena_format ("__upc_%s%d", what, n);
}

static bool
is_atomic (const struct expr *l)
{
  return quals_of (l->type) & QUAL_ATOMIC;
}

bool
is_network_access (struct expr *l)
{
  if (!switches.network || !type_is_shared (l->type))
    return false;
  return is_atomic (l) || !is_known_near (l);
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

/* `__upc_atomic_object (…);`, an access to an _Atomic object at address A. OPERANDS are OLD and what follows, and X has the
   size. */
static void
put_atomic (const struct expr *l, const char *operation, const char *a, const char *x,
            const char *operands)
{
  if (type_size (l->type).value > MOST_ATOMIC_BYTES)
    error_at (l->token,
              "shared '_Atomic' objects of more than %d bytes are not possible with -fupc-network",
              MOST_ATOMIC_BYTES);
  putf ("__upc_atomic_object (__UPC_OBJECT_%s, (void *) %s, sizeof %s, %s); ", operation, a, x,
        operands);
}

/* L in variable NAME, which has what is moved. */
static const char *
value_in (const struct expr *l, const char *name)
{
  return l->is_bit_field ? arena_format ("%s.%s", name, l->member->name->text) : name;
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
  if (is_atomic (l))
    put_atomic (l, "load", a, x, arena_format ("(void *) &%s, 0, 0", x));
  else
    putf ("%s ((void *) &%s, (void *) %s, sizeof %s); ", function_for (l, "load"), x, a, x);
}

static void
put_store (const struct expr *l, const char *a, const char *x, int n)
{
  const char *m = name_of ("nm", n);

  if (is_atomic (l))
    {
      put_atomic (l, "store", a, x, arena_format ("0, &%s, 0", x));
      return;
    }
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

bool
gen_network_load (struct expr *lvalue)
{
  struct expr *l = strip_parens (lvalue);
  const char *a, *x;

  if (!is_network_access (l))
    return false;
  if (gen_batched_load (l))
    return true;
  if (is_atomic (l))
    {
      open_access (l, &a, &x);
      put_load (l, a, x);
      putf ("%s; })", x);
      close_at (lvalue->last);
      return true;
    }
  x = name_of ("x", ++number);
  putf ("__extension__ ({ %s; %s ((void *) &%s, ", declare_value (moved_type (l), x),
        function_for (l, "load"), x);
  put_moved_address (l);
  putf (", sizeof %s); %s; })", x, value_in (l, x));
  close_at (lvalue->last);
  return true;
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

/* The change of the variable that E is, by RIGHT, or by E's right side if that is NULL. */
static void
put_change (struct expr *e, const char *value, const char *right)
{
  if (type_is_pts (e->a->type))
    put_pointer_update (e, arena_format ("&%s", value), right);
  else if (e->kind == EXPR_STEP)
    putf ("%s%s", value, e->op == TOKEN_INCREMENT ? "++" : "--");
  else
    {
      put (value);
      put_operator (e->op);
      if (right)
        put (right);
      else
        gen_argument (e->b);
    }
  put ("; ");
}

void
put_network_exchange (const struct expr *l, const char *a, const char *before, const char *after,
                      const char *change)
{
  const char *there = name_of ("t", ++number);

  putf ("%s; ", declare_value (l->type, there));
  put_load (l, a, before);
  putf ("do { __builtin_memcpy ((void *) &%s, &%s, sizeof %s); %s; } "
        "while (!__upc_object_swaps ((void *) %s, (void *) &%s, &%s, (void *) &%s, sizeof %s)); ",
        after, before, after, change, a, there, after, before, after);
}

/* The operation on integers that E is, whatever their size: it wraps around as C's conversion of the result does, where
   the other side is an integer too. NULL: it is none of them. */
static const char *
sum_of (const struct expr *e)
{
  const struct type *type = e->a->type;

  if (!type_is_integer (type) || type->kind == TYPE_BOOL || is_packed (strip_parens (e->a))
      || type_size (type).value > sizeof (uint64_t)
      || (e->kind == EXPR_COMPOUND && !type_is_integer (e->b->type)))
    return NULL;
  switch (e->op)
    {
    case '+':
    case TOKEN_INCREMENT:
      return "add";
    case '-':
    case TOKEN_DECREMENT:
      return "sub";
    case '&':
      return "and";
    case '|':
      return "or";
    case '^':
      return "xor";
    default:
      return NULL;
    }
}

/* An update of an _Atomic object is one, as C has it (C11, 6.5.16.2): X is what it leaves, OLD what was there. The right
   side comes before it. */
static void
put_atomic_update (struct expr *e, const char *a, const char *x, const char *old, int n)
{
  struct expr *l = strip_parens (e->a);
  const char *sum = sum_of (e), *y = e->kind == EXPR_STEP && !sum ? NULL : name_of ("y", n);
  struct buffering *change;

  putf ("%s; ", declare_value (l->type, old));
  if (y)
    {
      putf ("%s = ", declare_value (sum ? l->type : e->b->type, y));
      if (e->kind == EXPR_STEP)
        put ("1");
      else
        {
          if (sum)
            putf ("(%s) ", declare_value (l->type, ""));
          gen_operand (e->b);
        }
      put ("; ");
    }
  change = begin_buffering ();
  put_change (e, x, y);
  if (sum)
    {
      const char *text = end_buffering (change);

      put_atomic (l, sum, a, x, arena_format ("&%s, &%s, 0", old, y));
      putf ("%s = %s; %s", x, old, text);
    }
  else
    put_network_exchange (l, a, old, x, end_buffering (change));
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
  if (is_atomic (l))
    put_atomic_update (e, a, x, old, n);
  else
    {
      put_load (l, a, x);
      if (is_old)
        putf ("%s = %s; ", declare_value (l->type, old), value_in (l, x));
      put_change (e, value_in (l, x), NULL);
      put_store (l, a, x, n);
    }
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
