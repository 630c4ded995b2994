/* Calls of library functions, with the events of tables 2, 6, 8 and 10 of GASP 1.4 around
   them, of pupc (5.2, 5.3), and of what leaves functions behind:

       __extension__ ({ static const struct upct_site __upc_site1 = { "a.upc", 7, 3 };
         unsigned long __upc_a1_0 = n;
         if (__upc_watching ()) upct_gasp_event (&__upc_site1, 2, 0, __upc_a1_0);
         void *__upc_r1 = malloc (__upc_a1_0);
         if (__upc_watching ()) upct_gasp_event (&__upc_site1, 2, 1, __upc_a1_0, __upc_r1);
         __upc_r1; })

   Calls through pointers are as they were. */

#include "tools/upc2c/instrument/internal.h"

#include <gasp_upc.h>

#include <string.h>

/* The types of the arguments of events, as runtime/gasp/events.def says. */
static const char *const event_types[] = {
#define EVENT(name, number, table, raised, arguments, ...) [number] = arguments,
#include "runtime/gasp/events.def"
};

/* Argument N of the call. */
static const char *
value_name (int number, uint32_t n)
{
  return arena_format ("__upc_a%d_%u", number, n);
}

/* The arguments' values, as the function takes them. */
static void
put_values (struct expr *e, const struct type *function, int number)
{
  struct decl *param = function->function.has_prototype ? function->function.params : NULL;

  for (uint32_t i = 0; i < e->list->count; i++)
    {
      const char *name = value_name (number, i);

      put (param ? declare_value (param->type, name) : declare_value_of (e->list->item[i], name));
      put (" = ");
      gen_argument (e->list->item[i]);
      put ("; ");
      param = param ? param->next : NULL;
    }
}

/* Private pointers for events are copies that the compiler knows nothing of: it would
   warn of one that is used after free. */
static void
put_hidden_pointers (const struct known_call *known, int number)
{
  const char *types = event_types[known->event];

  for (size_t i = 0; types[i]; i++)
    if (types[i] == 'v' && known->values[i] >= '0' && known->values[i] <= '9')
      putf ("void *__upc_v%d_%c = __upc_unseen ((void *) %s); ", number, known->values[i],
            value_name (number, known->values[i] - '0'));
}

/* VARIABLE as an argument of TYPE. */
static const char *
typed_argument (char type, const char *variable)
{
  switch (type)
    {
    case 'z':
      return arena_format ("(unsigned long) %s", variable);
    case 'i':
      return arena_format ("(int) %s", variable);
    case 'p':
      return arena_format ("(void *) &%s", variable);
    default:
      return arena_format ("(void *) %s", variable);
    }
}

/* What character VALUE of events.def stands for, as an argument of TYPE. */
static const char *
event_argument (const struct call *c, char type, char value, int number)
{
  switch (value)
    {
    case 'm':
      return arena_format ("(unsigned long) %s * %s", value_name (number, 0),
                           value_name (number, 1));
    case 'd':
      return arena_format ("__upc_domain_type (%s)", value_name (number, 0));
    case 't':
      return arena_format ("%d", c->type);
    case 'x':
      return type == 'z' ? "1ul" : "1";
    case 'y':
      return "0";
    case 'n':
      return "(void *) 0";
    case 'r':
      return typed_argument (type, arena_format ("__upc_r%d", number));
    default:
      return type == 'v' ? arena_format ("__upc_v%d_%c", number, value)
                         : typed_argument (type, value_name (number, value - '0'));
    }
}

/* Those of the start; for the end, all; then what is behind the plus. */
static const char *
event_arguments (const struct call *c, int number, bool is_end)
{
  const char *values = c->known.values, *types = event_types[c->known.event], *list = "";
  size_t i;

  for (i = 0; values[i] && values[i] != '+' && (is_end || values[i] != ':'); i++)
    if (values[i] != ':')
      list = arena_format ("%s, %s", list, event_argument (c, types[i], values[i], number));
  values = strchr (values, '+');
  for (i = 1; values && values[i]; i++)
    list = arena_format ("%s, %s", list, event_argument (c, 'z', values[i], number));
  return list;
}

/* Whether the result goes into a variable. */
static bool
keeps_result (const struct expr *e, const struct call *c)
{
  return e->type->kind != TYPE_VOID
         && (!e->is_discarded || (c->known.values && strchr (c->known.values, 'r')));
}

static void
put_plain_call (struct expr *e, const struct call *c, int number)
{
  if (keeps_result (e, c))
    putf ("%s = ", declare_value (e->type, arena_format ("__upc_r%d", number)));
  putf ("%s (", c_name (c->function));
  for (uint32_t i = 0; i < e->list->count; i++)
    putf ("%s%s", i ? ", " : "", value_name (number, i));
  put ("); ");
}

static void
put_library_call (struct expr *e, const struct call *c)
{
  int number = new_number ();

  put ("__extension__ ({ ");
  put_site (number, c->where);
  put_values (e, c->function->type, number);
  put_hidden_pointers (&c->known, number);
  put_event (number, c->known.event, GASP_START, event_arguments (c, number, false));
  put_plain_call (e, c, number);
  put_event (number, c->known.event, GASP_END, event_arguments (c, number, true));
  if (e->type->kind != TYPE_VOID && !e->is_discarded)
    putf ("__upc_r%d; ", number);
  put ("})");
}

/* The number of the event comes first, then what it brings. The call is there without a tool,
   too: the program's arguments are evaluated either way. */
static void
put_user_event (struct expr *e, const struct call *c)
{
  int number = new_number ();

  put ("__extension__ ({ ");
  put_site (number, c->where);
  putf ("upct_gasp_event (&__upc_site%d, ", number);
  gen_argument (e->list->item[0]);
  putf (", %d", c->type);
  for (uint32_t i = 1; i < e->list->count; i++)
    {
      put (", ");
      gen_argument (e->list->item[i]);
    }
  put ("); })");
}

static void
put_exit (struct expr *e, const struct call *c)
{
  int number = new_number ();

  put ("__extension__ ({ ");
  put_site (number, c->where);
  put_values (e, c->function->type, number);
  putf ("if (%s) upct_gasp_at (&__upc_site%d); ", watching (), number);
  put_plain_call (e, c, number);
  put ("})");
}

/* What was open in functions that a longjmp has left is so no more. */
static void
put_setjmp (struct expr *e, void (*copy_call) (struct expr *))
{
  int number = new_number ();

  putf ("__extension__ ({ int __upc_r%d = ", number);
  copy_call (e);
  putf ("; if (__upc_r%d && %s) upct_gasp_unwind (&__upc_frame%d); __upc_r%d; })", number,
        watching (), function_frame_number (), number);
}

/* Without instrumentation the event is compiled away (GASP 1.4, 3.1.3); its arguments are
   evaluated as those of any call. */
static void
put_arguments_alone (struct expr *e)
{
  put ("(");
  for (uint32_t i = 0; i < e->list->count; i++)
    {
      put (i ? ", (void) (" : "(void) (");
      gen_argument (e->list->item[i]);
      put (")");
    }
  put (")");
}

static bool
write_call (struct expr *e, const struct call *c, void (*copy_call) (struct expr *))
{
  switch (c->kind)
    {
    case CALL_LIBRARY:
      if (!is_watched (c->known.event, c->where))
        return false;
      put_library_call (e, c);
      return true;
    case CALL_USER_EVENT:
      if (is_instrumenting ())
        put_user_event (e, c);
      else
        put_arguments_alone (e);
      return true;
    case CALL_EXIT:
      if (!is_watched (c->known.event, c->where))
        return false;
      put_exit (e, c);
      return true;
    case CALL_SETJMP:
      if (function_frame_number () == 0)
        return false;
      put_setjmp (e, copy_call);
      return true;
    default:
      return false;
    }
}

bool
gen_watched_call (struct expr *e, void (*copy_call) (struct expr *))
{
  struct call c = find_call (e);

  if (c.kind == CALL_UNKNOWN)
    return false;
  open_at (e->first);
  if (!write_call (e, &c, copy_call))
    return false;
  close_at (e->last);
  return true;
}
