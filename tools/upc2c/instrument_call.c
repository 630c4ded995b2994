/* Calls of library functions, with the events of tables 2, 6, 8 and 10 of GASP 1.4 around
   them, of pupc (5.2, 5.3), and of what leaves functions behind:

       __extension__ ({ static const struct upct_site __upc_site1 = { "a.upc", 7, 3 };
         unsigned long __upc_a1_0 = n;
         if (__upc_watching ()) upct_gasp_event (&__upc_site1, 2, 0, __upc_a1_0);
         void *__upc_r1 = malloc (__upc_a1_0);
         if (__upc_watching ()) upct_gasp_event (&__upc_site1, 2, 1, __upc_a1_0, __upc_r1);
         __upc_r1; })

   Calls through pointers are as they were. */

#include "tools/upc2c/instrument.h"

#include <gasp_upc.h>

#include <string.h>

/* Arguments of events, each a letter, most with the number of the call's argument:
     zN  a size_t        iN  an int          vN  a private pointer
     pN  the address of a pointer-to-shared or lock
     m   the product of the first two        d   the type of the atomic domain, the first
     x   1: relaxed      y   0: strict       n   the trivial handle
   and of the result:
     P   its address, a pointer-to-shared    V   a private pointer   I   an int */
static const struct known_call
{
  const char *name;
  unsigned event;
  const char *arguments; /* of the start and the end */
  const char *result;    /* what the end has behind them */
} known_calls[] = {
  { "malloc", GASP_C_MALLOC, "z0", "V" },
  { "calloc", GASP_C_MALLOC, "m", "V" },
  { "realloc", GASP_C_REALLOC, "v0z1", "V" },
  { "free", GASP_C_FREE, "v0", "" },

  { "upc_global_alloc", GASP_UPC_GLOBAL_ALLOC, "z0z1", "P" },
  { "upc_all_alloc", GASP_UPC_ALL_ALLOC, "z0z1", "P" },
  { "upc_alloc", GASP_UPC_ALLOC, "z0", "P" },
  { "upc_local_alloc", GASP_UPC_ALLOC, "m", "P" },
  { "upc_free", GASP_UPC_FREE, "p0", "" },
  { "upc_all_free", GASP_UPC_FREE, "p0", "" },
  { "upc_global_lock_alloc", GASP_UPC_GLOBAL_LOCK_ALLOC, "", "P" },
  { "upc_all_lock_alloc", GASP_UPC_ALL_LOCK_ALLOC, "", "P" },
  { "upc_lock_free", GASP_UPC_LOCK_FREE, "p0", "" },
  { "upc_all_lock_free", GASP_UPC_LOCK_FREE, "p0", "" },
  { "upc_lock", GASP_UPC_LOCK, "p0", "" },
  { "upc_lock_attempt", GASP_UPC_LOCK_ATTEMPT, "p0", "I" },
  { "upc_unlock", GASP_UPC_UNLOCK, "p0", "" },
  { "upc_memcpy", GASP_UPC_MEMCPY, "p0p1z2", "" },
  { "upc_memget", GASP_UPC_MEMGET, "v0p1z2", "" },
  { "upc_memput", GASP_UPC_MEMPUT, "p0v1z2", "" },
  { "upc_memset", GASP_UPC_MEMSET, "p0i1z2", "" },

  { "upc_memget_nb", GASP_UPC_NB_GET_INIT, "xv0p1z2", "V" },
  { "upc_memget_nbi", GASP_UPC_NB_GET_INIT, "xv0p1z2", "n" },
  { "upc_memput_nb", GASP_UPC_NB_PUT_INIT, "xp0v1z2", "V" },
  { "upc_memput_nbi", GASP_UPC_NB_PUT_INIT, "xp0v1z2", "n" },
  { "upc_memcpy_nb", GASP_UPCT_NB_MEMCPY_INIT, "p0p1z2", "V" },
  { "upc_memcpy_nbi", GASP_UPCT_NB_MEMCPY_INIT, "p0p1z2", "n" },
  { "upc_memset_nb", GASP_UPCT_NB_MEMSET_INIT, "p0i1z2", "V" },
  { "upc_memset_nbi", GASP_UPCT_NB_MEMSET_INIT, "p0i1z2", "n" },
  { "upc_sync", GASP_UPC_NB_SYNC, "v0", "" },
  { "upc_sync_attempt", GASP_UPC_NB_SYNC, "v0", "" },
  { "upc_synci", GASP_UPC_NB_SYNC, "n", "" },
  { "upc_synci_attempt", GASP_UPC_NB_SYNC, "n", "" },

  { "upc_all_broadcast", GASP_UPC_ALL_BROADCAST, "p0p1z2i3", "" },
  { "upc_all_scatter", GASP_UPC_ALL_SCATTER, "p0p1z2i3", "" },
  { "upc_all_gather", GASP_UPC_ALL_GATHER, "p0p1z2i3", "" },
  { "upc_all_gather_all", GASP_UPC_ALL_GATHER_ALL, "p0p1z2i3", "" },
  { "upc_all_exchange", GASP_UPC_ALL_EXCHANGE, "p0p1z2i3", "" },
  { "upc_all_permute", GASP_UPC_ALL_PERMUTE, "p0p1p2z3i4", "" },
  { "upc_all_sort", GASP_UPCT_ALL_SORT, "p0z1z2z3v4i5", "" },
  { "upc_atomic_relaxed", GASP_UPCT_ATOMIC, "xv1p3i2d", "" },
  { "upc_atomic_strict", GASP_UPCT_ATOMIC, "yv1p3i2d", "" },
};

static const struct
{
  const char *name;
  int type;
} user_events[] = {
  { "pupc_event_start", GASP_START },
  { "pupc_event_end", GASP_END },
  { "pupc_event_atomic", GASP_ATOMIC },
};

/* The letters of upc_all_reduceC and its kin. */
static const struct
{
  const char *suffix;
  gasp_upc_reduction_t type;
} reductions[] = {
  { "C", GASP_UPC_REDUCTION_C }, { "UC", GASP_UPC_REDUCTION_UC }, { "S", GASP_UPC_REDUCTION_S },
  { "US", GASP_UPC_REDUCTION_US }, { "I", GASP_UPC_REDUCTION_I }, { "UI", GASP_UPC_REDUCTION_UI },
  { "L", GASP_UPC_REDUCTION_L }, { "UL", GASP_UPC_REDUCTION_UL }, { "F", GASP_UPC_REDUCTION_F },
  { "D", GASP_UPC_REDUCTION_D }, { "LD", GASP_UPC_REDUCTION_LD },
};

/* What is known of the function that a call names. */
enum call_kind
{
  CALL_UNKNOWN,
  CALL_LIBRARY,
  CALL_REDUCTION,
  CALL_USER_EVENT,
  CALL_CONTROL,
  CALL_EXIT,
  CALL_SETJMP
};

struct call
{
  enum call_kind kind;
  struct known_call row; /* CALL_LIBRARY, CALL_REDUCTION; the event of CALL_EXIT */
  int type;              /* CALL_USER_EVENT; CALL_REDUCTION: which one */
  struct decl *function;
  token_index where;
};

/* The function of the library that E calls by its name, or NULL. */
static struct expr *
library_function (struct expr *e)
{
  struct expr *callee = strip_parens (e->a);
  struct decl *d = callee->kind == EXPR_NAME ? callee->decl : NULL;

  if (!d || d->kind != DECL_FUNCTION || !d->is_global || d->storage == STORAGE_STATIC || d->body)
    return NULL;
  return callee;
}

static void
find_library_call (struct call *c, const char *name)
{
  /* The access code of upc_nb.h has names of its own. */
  if (strncmp (name, "__upc_", strlen ("__upc_")) == 0)
    name += 2;
  for (size_t i = 0; i < sizeof known_calls / sizeof *known_calls; i++)
    if (strcmp (name, known_calls[i].name) == 0)
      {
        c->kind = CALL_LIBRARY;
        c->row = known_calls[i];
      }
}

static void
find_reduction (struct call *c, const char *name)
{
  static const char reduce[] = "upc_all_reduce", prefix[] = "upc_all_prefix_reduce";
  bool is_reduce = strncmp (name, reduce, strlen (reduce)) == 0;

  if (!is_reduce && strncmp (name, prefix, strlen (prefix)) != 0)
    return;
  name += is_reduce ? strlen (reduce) : strlen (prefix);
  for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
    if (strcmp (name, reductions[i].suffix) == 0)
      {
        c->kind = CALL_REDUCTION;
        c->row = (struct known_call){ name, is_reduce ? GASP_UPC_ALL_REDUCE : GASP_UPC_ALL_PREFIX_REDUCE,
                                      "p0p1i2z3z4v5i6", "" };
        c->type = reductions[i].type;
      }
}

static void
find_user_event (struct call *c, const char *name)
{
  if (strcmp (name, "pupc_control") == 0)
    c->kind = CALL_CONTROL;
  for (size_t i = 0; i < sizeof user_events / sizeof *user_events; i++)
    if (strcmp (name, user_events[i].name) == 0)
      {
        c->kind = CALL_USER_EVENT;
        c->type = user_events[i].type;
      }
}

static void
find_way_out (struct call *c, const char *name)
{
  bool is_exit = strcmp (name, "exit") == 0;

  if (is_exit || strcmp (name, "upc_global_exit") == 0)
    {
      c->kind = CALL_EXIT;
      c->row.event = is_exit ? GASP_UPC_COLLECTIVE_EXIT : GASP_UPC_NONCOLLECTIVE_EXIT;
    }
  else if (strcmp (name, "_setjmp") == 0 || strcmp (name, "setjmp") == 0
           || strcmp (name, "__sigsetjmp") == 0)
    c->kind = CALL_SETJMP;
}

/* The arguments that row->arguments needs are there. */
static bool
has_arguments (const struct expr *e, const char *arguments)
{
  for (; *arguments; arguments++)
    if (*arguments >= '0' && *arguments <= '9' && (uint32_t) (*arguments - '0') >= e->list->count)
      return false;
    else if (*arguments == 'm' && e->list->count != 2)
      return false;
  return true;
}

static struct call
find_call (struct expr *e)
{
  struct expr *callee = library_function (e);
  struct call c = { .kind = CALL_UNKNOWN };

  if (!callee)
    return c;
  c.function = callee->decl;
  c.where = callee->token;
  find_user_event (&c, c.function->name->text);
  if (c.kind == CALL_USER_EVENT && e->list->count == 0)
    c.kind = CALL_UNKNOWN;
  if (c.kind != CALL_UNKNOWN || !is_instrumenting ())
    return c;
  find_library_call (&c, c.function->name->text);
  find_reduction (&c, c.function->name->text);
  find_way_out (&c, c.function->name->text);
  if ((c.kind == CALL_LIBRARY || c.kind == CALL_REDUCTION) && !has_arguments (e, c.row.arguments))
    c.kind = CALL_UNKNOWN;
  return c;
}

bool
is_watched_call (struct expr *e)
{
  return find_call (e).kind != CALL_UNKNOWN;
}

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
put_hidden_pointers (const char *arguments, int number)
{
  for (; *arguments; arguments++)
    if (*arguments == 'v')
      putf ("void *__upc_v%d_%c = __upc_unseen ((void *) %s); ", number, arguments[1],
            value_name (number, arguments[1] - '0'));
}

static const char *
event_argument (const char *letter, int number)
{
  const char *value = value_name (number, letter[1] - '0');

  switch (*letter)
    {
    case 'z':
      return arena_format ("(unsigned long) %s", value);
    case 'i':
      return arena_format ("(int) %s", value);
    case 'v':
      return arena_format ("__upc_v%d_%c", number, letter[1]);
    case 'p':
      return arena_format ("(void *) &%s", value);
    case 'm':
      return arena_format ("(unsigned long) %s * %s", value_name (number, 0), value_name (number, 1));
    case 'd':
      return arena_format ("__upc_domain_type (%s)", value_name (number, 0));
    case 'x':
      return "1";
    case 'y':
      return "0";
    case 'P':
      return arena_format ("(void *) &__upc_r%d", number);
    case 'V':
      return arena_format ("(void *) __upc_r%d", number);
    case 'I':
      return arena_format ("(int) __upc_r%d", number);
    default:
      return "(void *) 0";
    }
}

static const char *
event_arguments (const char *letters, int number)
{
  const char *list = "";

  for (; *letters; letters++)
    if (*letters < '0' || *letters > '9')
      list = arena_format ("%s, %s", list, event_argument (letters, number));
  return list;
}

/* Whether the result goes into a variable. */
static bool
keeps_result (const struct expr *e, const struct call *c)
{
  return e->type->kind != TYPE_VOID
         && (!e->is_discarded || (c->row.result && strpbrk (c->row.result, "PVI")));
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
  const char *more = c->kind == CALL_REDUCTION ? arena_format (", %d", c->type) : "";
  const char *start = arena_format ("%s%s", event_arguments (c->row.arguments, number), more);

  put ("__extension__ ({ ");
  put_site (number, c->where);
  put_values (e, c->function->type, number);
  put_hidden_pointers (c->row.arguments, number);
  put_event (number, c->row.event, GASP_START, start);
  put_plain_call (e, c, number);
  put_event (number, c->row.event, GASP_END,
             arena_format ("%s%s", start, event_arguments (c->row.result, number)));
  if (e->type->kind != TYPE_VOID && !e->is_discarded)
    putf ("__upc_r%d; ", number);
  put ("})");
}

/* The number of the event comes first, then what it brings. */
static void
put_user_event (struct expr *e, const struct call *c)
{
  int number = new_number ();

  put ("__extension__ ({ ");
  put_site (number, c->where);
  putf ("if (%s) upct_gasp_event (&__upc_site%d, ", watching (), number);
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
  putf ("; if (__upc_r%d && %s) upct_gasp_unwind (&__upc_frame%d); __upc_r%d; })", number, watching (),
        function_frame_number (), number);
}

/* Without instrumentation nothing is left of it (GASP 1.4, 3.1.3); the compiler sees what
   it is made of as used. */
static void
put_nothing (struct expr *e, const struct call *c, void (*copy_call) (struct expr *))
{
  bool has_value = c->kind == CALL_CONTROL && !e->is_discarded;

  put (has_value ? "(0 ? " : "(0 ? (void) ");
  copy_call (e);
  put (has_value ? " : 1)" : " : (void) 0)");
}

static bool
write_call (struct expr *e, const struct call *c, void (*copy_call) (struct expr *))
{
  switch (c->kind)
    {
    case CALL_LIBRARY:
    case CALL_REDUCTION:
      if (!is_watched (c->row.event, c->where))
        return false;
      put_library_call (e, c);
      return true;
    case CALL_USER_EVENT:
    case CALL_CONTROL:
      if (!is_instrumenting ())
        put_nothing (e, c, copy_call);
      else if (c->kind == CALL_USER_EVENT)
        put_user_event (e, c);
      else
        return false;
      return true;
    case CALL_EXIT:
      if (!is_watched (c->row.event, c->where))
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
