/* Loops that are written twice in programs of several processes (plan/all_near.c):

       if (__upc_all_are_near ()) { the copy, as in a program of one process } else { the loop } */

#include "tools/upc2c/write/internal.h"

static bool is_far_form;

bool
is_known_far (void)
{
  return is_far_form;
}

void
gen_near_or_not (struct stmt *s, void (*gen) (struct stmt *s))
{
  open_at (s->first);
  put ("if (__upc_all_are_near ()) { ");
  switches.network = false;
  gen_stmt (s->all_near);
  switches.network = true;
  put ("} else { ");
  is_far_form = true;
  gen (s);
  is_far_form = false;
  put ("} ");
  close_at (s->last);
}
