/* Constructs that are open until their end, whichever way control leaves them: functions
   (GASP 1.4, table 1) and upc_forall (table 5). A variable whose cleanup says the end
   stands first in the body, or in a block around the loop:

       static const struct upct_site __upc_site1 = { "a.upc", 7, 5 };
       struct upct_gasp_frame __upc_frame1 __attribute__ ((__cleanup__ (__upc_leave), __unused__))
         = { __upc_enter (&__upc_frame1, &__upc_site1, "int f(void)") };

   It is a declaration, as all C that may stand there is. And statements of
   synchronization (table 4). */

#include "tools/upc2c/instrument/internal.h"

#include <gasp_upc.h>

static int frame_number;

#define CLEANUP "__cleanup__ (__upc_leave), "

/* The declaration of frame NUMBER, which ENTER opens. */
static const char *
frame_variable (int number, const char *cleanup, const char *enter, const char *more)
{
  return arena_format ("struct upct_gasp_frame __upc_frame%d __attribute__ ((%s__unused__))"
                       " = { %s (&__upc_frame%d, &__upc_site%d%s) };",
                       number, cleanup, enter, number, number, more);
}

const char *
function_frame (const struct decl *function)
{
  struct buffering *c;

  if (!is_watched_function (function))
    return NULL;
  c = begin_buffering ();
  frame_number = new_number ();
  put_site (frame_number, function->name_token);
  put (frame_variable (frame_number, CLEANUP, "__upc_enter",
                       arena_format (", \"%s\"", signature_text (function))));
  return end_buffering (c);
}

int
set_function_frame (int number)
{
  int was = frame_number;

  frame_number = number;
  return was;
}

int
function_frame_number (void)
{
  return frame_number;
}

static bool
is_computed_goto (struct stmt *s, void *nothing)
{
  (void) nothing;
  return s->kind == STMT_GOTO_COMPUTED;
}

/* Clang has no cleanup in a block that a computed goto might leave. There the end is said
   behind the loop; what leaves it otherwise ends with the function. */
const char *
open_watched_forall (struct stmt *s)
{
  const struct decl *f = function_being_written;
  bool is_plain = f && any_stmt (f->body, is_computed_goto, NULL);
  int number;

  if (!is_watched (GASP_UPC_FORALL, s->first))
    return NULL;
  number = new_number ();
  put ("{ ");
  put_site (number, s->first);
  put (frame_variable (number, is_plain ? "" : CLEANUP, "__upc_enter_forall", ""));
  put (" ");
  return is_plain ? arena_format (" __upc_leave (&__upc_frame%d); }", number) : " }";
}

static unsigned
barrier_event (int op)
{
  switch (op)
    {
    case KEY_UPC_NOTIFY:
      return GASP_UPC_NOTIFY;
    case KEY_UPC_WAIT:
      return GASP_UPC_WAIT;
    case KEY_UPC_BARRIER:
      return GASP_UPC_BARRIER;
    default:
      return GASP_UPC_FENCE;
    }
}

bool
gen_watched_barrier (struct stmt *s, const char *name)
{
  unsigned event = barrier_event (s->op);
  const char *arguments = s->op == KEY_UPC_FENCE ? "" : ", 0, 0";
  int number;

  if (!is_watched (event, s->first))
    return false;
  number = new_number ();
  put ("{ ");
  put_site (number, s->first);
  if (s->expr)
    {
      putf ("int __upc_x%d = ", number);
      gen_argument (s->expr);
      put ("; ");
      arguments = arena_format (", 1, __upc_x%d", number);
    }
  put_event (number, event, GASP_START, arguments);
  if (s->expr)
    putf ("%s (__upc_x%d); ", name, number);
  else
    putf ("%s (%s); ", name, s->op == KEY_UPC_FENCE ? "" : "__upc_no_id");
  put_event (number, event, GASP_END, arguments);
  put ("}");
  return true;
}
