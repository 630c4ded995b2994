/* upc_forall (UPC 1.3, 6.6.2).

   In general every thread goes through all iterations and checks for each whether it owns
   it:

       { int __upc_outer1 = __upc_depth++;
         for (i = 0; i < n; i++)
           { if (__upc_is_mine (…) || __upc_outer1) { … } }
         __upc_depth = __upc_outer1; }

   The depth tells a loop in a function that is called from the body that another
   loop controls already. Where the affinity is affine, owned_loop.c does
   better. */

#include "tools/upc2c/write/internal.h"

void
gen_for_rest (struct stmt *s)
{
  put (" ");
  if (s->expr)
    gen_expr (s->expr);
  put ("; ");
  if (s->step)
    gen_expr (s->step);
  put (") ");
}

static void
gen_for_header (struct stmt *s)
{
  putf ("for (");
  if (s->declaration)
    gen_declaration (s->declaration);
  else
    {
      if (s->init_expr)
        gen_expr (s->init_expr);
      put (";");
    }
  gen_for_rest (s);
}

void
put_initialisation (struct stmt *loop)
{
  if (loop->declaration)
    gen_declaration (loop->declaration);
  else if (loop->init_expr)
    {
      gen_expr (loop->init_expr);
      put (";");
    }
}

static void
gen_affinity (struct stmt *s)
{
  if (s->affinity_kind == AFFINITY_POINTER)
    {
      put ("__upc_is_mine (");
      gen_argument (s->affinity);
      put (")");
    }
  else if (type_is_unsigned (s->affinity->type) && type_size (s->affinity->type).value == 8)
    {
      put ("__upc_is_my_iteration ((long) (");
      gen_operand (s->affinity);
      put (" % (unsigned long) __upc_threads))");
    }
  else
    {
      put ("__upc_is_my_iteration (");
      gen_argument (s->affinity);
      put (")");
    }
}

static void
gen_checked (struct stmt *s)
{
  int loop = s->plan->number;

  putf ("{ int __upc_outer%d = __upc_depth++; ", loop);
  gen_for_header (s);
  put ("{ if (");
  gen_affinity (s);
  putf (" || __upc_outer%d) { ", loop);
  gen_stmt (s->then);
  putf (" } } __upc_depth = __upc_outer%d; }", loop);
}

void
gen_forall (struct stmt *s)
{
  const char *end;

  open_at (s->first);
  end = event_hooks->open_forall (s);
  switch (s->plan->form)
    {
    case LOOP_OWNED:
      gen_owned_loop (s->plan);
      break;
    case LOOP_OWNED_POINTERS:
      gen_pointer_forall (s->plan);
      break;
    case LOOP_CHECKED:
      gen_checked (s);
      break;
    default:
      gen_for_header (s);
      gen_stmt (s->then);
    }
  if (end)
    put (end);
  close_at (s->last);
}
