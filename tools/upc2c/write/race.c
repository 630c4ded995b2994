/* Reports to the race detector (-fupc-check=race, include/upct/race.h). The address of a relaxed
   access passes through a function:

       a[i] = 1;       (*(int *) __upc_race_write (&…, 4, "f.upc:7\000a[i]")) = 1; */

#include "tools/upc2c/write/internal.h"

/* Where L stands, and what it is in the source: two strings in one, which names the access. */
void
put_raced_site (const struct expr *l)
{
  putf (", \"%s:%u\\000%s\")", quoted_file (token_at (l->first)),
        (unsigned) token_at (l->first)->line, quoted (source_text (l)));
}

static bool
is_told (const struct expr *l)
{
  return is_raced_code (l) && !l->is_raced;
}

static void
open_race (bool is_write)
{
  putf ("__upc_race_%s (", is_write ? "write" : "read");
}

static void
close_race (const struct expr *l)
{
  putf (", %luul", (unsigned long) type_size (l->type).value);
  put_raced_site (l);
}

void
gen_raced_lvalue (struct expr *lvalue, bool is_write)
{
  struct expr *l = strip_parens (lvalue);

  /* The address of a packed member has a type that asks for more alignment than it has. */
  if (!is_told (l) || is_packed (l))
    {
      gen_lvalue (lvalue);
      return;
    }
  putf ("(*(%s) ", pointer_type (l->type));
  open_race (is_write);
  put ("&");
  gen_lvalue (lvalue);
  close_race (l);
  put (")");
}

void
put_raced_address (struct expr *lvalue, const char *pointer, bool is_write)
{
  struct expr *l = strip_parens (lvalue);

  if (!is_told (l))
    {
      put_typed_address (lvalue, pointer);
      return;
    }
  putf ("(%s) ", pointer);
  open_race (is_write);
  put_typed_address (lvalue, pointer);
  close_race (l);
}

bool
is_in_steps (struct expr *e)
{
  return e->kind != EXPR_STEP && type_is_shared (e->a->type) && is_raced_code (strip_parens (e->a))
         && may_order (e->b);
}

void
put_strip_raced (struct loop *loop)
{
  if (loop->raced)
    putf ("__upc_n%d = 0; ", loop->number);
  for (struct raced *told = loop->raced; told; told = told->next)
    {
      struct reference *r = told->reference;

      putf ("__upc_race_strip_told (%s, %ld, __upc_left%d, %luul, %d", address_of (loop, r),
            (long) r->stride * (long) element_bytes (r), loop->number,
            (unsigned long) type_size (told->l->type).value, told->is_write);
      put_raced_site (told->l);
      put ("; ");
    }
}
