/* Static shared objects, and initial values that C cannot give.

   A shared object is a C object in section upc_shared, as large as one thread's
   share: its address there is its offset in each partition. Initial values of shared
   objects, and those of private pointers-to-shared, are stored by a function whose
   address stands in section upc_init_array: every thread calls it before main.
   Private objects it sets in each thread; shared ones are set by thread 0. */

#include "tools/upc2c/visit.h"
#include "tools/upc2c/gen.h"

struct initialised
{
  struct decl *decl;
  const char *label; /* of a static in a function: its name for the assembler */
  struct initialised *next;
};

static struct initialised *first_initialised, **last_initialised = &first_initialised;
static unsigned labels;

static bool
is_null_constant (const struct expr *e)
{
  while (e->kind == EXPR_PAREN)
    e = e->a;
  return e->kind == EXPR_CONVERT && type_is_pts (e->type) && !type_is_pts (e->a->type);
}

bool
has_run_time_value (struct decl *d)
{
  if (d->kind != DECL_VARIABLE || !d->init || !d->has_static_duration || type_is_shared (d->type)
      || !type_holds_pts (d->type))
    return false;
  for (struct init_leaf *leaf = d->init->leaves; leaf; leaf = leaf->next)
    if (type_is_pts (leaf->type) && !is_null_constant (leaf->expr))
      return true;
  return false;
}

void
initialise_later (struct decl *d)
{
  struct initialised *i = NEW (struct initialised);

  i->decl = d;
  if (d->scope_depth > 0 && !is_far (d))
    {
      i->label = arena_format ("%s.upc%u", d->name->text, ++labels);
      putf (" __asm__ (\"%s\") __attribute__ ((__used__))", i->label);
    }
  *last_initialised = i;
  last_initialised = &i->next;
}

void
gen_shared_object (struct decl *d)
{
  const struct type *type = d->type;
  struct size element = type_size (ultimate_type (type));
  bool is_definition = d->storage != STORAGE_EXTERN || d->init;
  const char *name = c_name (d);

  if (type->kind == TYPE_ARRAY && type->length_kind == LENGTH_UNKNOWN)
    name = arena_format ("%s[]", name);
  else if (type->kind == TYPE_ARRAY)
    {
      if (!element.is_known || element.value == 0)
        error_at (d->name_token, "the size of the elements of '%s' is not known", name);
      else
        name = arena_format ("%s[%lu]", name,
                             (unsigned long) (type_local_size (type) / element.value));
    }
  type = without_shared (ultimate_type (type));
  put (declare (with_quals ((struct type *) type, 0, 0), name));
  if (is_far (d) && d->scope_depth > 0)
    putf (" __asm__ (\"%s\")", far_label (d));
  if (d->init)
    initialise_later (d);
  if (is_definition && is_far (d))
    define_far_object (d);
  else if (is_definition)
    put (" __attribute__ ((__section__ (\"upc_shared\")))");
  if (is_definition && (d->align || ultimate_type (d->type)->align))
    putf (" __attribute__ ((__aligned__ (%u)))",
          d->align > type_align (d->type) ? d->align : type_align (d->type));
}

static bool
is_local_name (struct expr *e, void *where)
{
  (void) where;
  if (e->kind != EXPR_NAME || !e->decl || e->is_constant || e->decl->scope_depth == 0)
    return false;
  error_at (e->token, "'%s' in the initial value of a static object is declared in a function:"
                      " this is not supported", e->decl->name->text);
  return true;
}

static void
put_value (struct init_leaf *leaf)
{
  if (leaf->expr->is_constant && type_is_integer (leaf->expr->type))
    putf ("%ld", (long) leaf->expr->value);
  else
    put (gen_captured (leaf->expr));
}

/* The address of ultimate element ELEMENT of the object. */
static void
put_element (struct initialised *i, const char *element)
{
  struct decl *d = i->decl;
  bool is_array = d->type->kind == TYPE_ARRAY;
  const char *object = is_far (d)  ? far_object (d)
                       : i->label  ? arena_format ("__upc_object%u", d->name_token)
                       : is_array ? c_name (d)
                                  : arena_format ("&%s", c_name (d));

  if (!type_is_shared (d->type))
    {
      putf ("((char *) %s + %s * %lu)", object, element,
            (unsigned long) type_size (ultimate_type (d->type)).value);
      return;
    }
  if (!is_array)
    putf ("(char *) __upc_object_address (%s)", object);
  else
    {
      putf ("(char *) __upc_element_address (%s, %s", object, element);
      put_layout (d->type);
    }
}

/* A string literal: one store for each character, as they may lie apart. */
static void
put_string (struct initialised *i, struct init_leaf *leaf)
{
  struct type *character = ultimate_type (leaf->type);
  const char *type = plain_type (character), *text = gen_captured (leaf->expr);
  unsigned long count = leaf->type->count;
  struct size total = ultimate_count (i->decl->type);
  bool apart = leaf->offset == 0
               && type_size (ultimate_type (i->decl->type)).value == type_size (character).value;

  putf ("{ static const %s __upc_text[%lu] = %s; "
        "for (unsigned long __upc_i = 0; __upc_i < sizeof __upc_text / sizeof *__upc_text",
        type, count, text);
  if (total.times_threads)
    putf (" && %luul%s < %luul * __upc_threads", (unsigned long) leaf->element,
          apart ? " + __upc_i" : "", (unsigned long) total.value);
  putf ("; __upc_i++) *((%s *) ", type);
  put ("(");
  put_element (i, apart ? arena_format ("%lu + __upc_i", (unsigned long) leaf->element)
                        : arena_format ("%lu", (unsigned long) leaf->element));
  putf (" + %lu)", (unsigned long) leaf->offset);
  put (apart ? ")" : " + __upc_i)");
  put (" = __upc_text[__upc_i]; }");
}

static void
put_leaf (struct initialised *i, struct init_leaf *leaf)
{
  struct size total = ultimate_count (i->decl->type);
  bool is_range = leaf->count > 1;
  const char *element = arena_format ("%luul", (unsigned long) leaf->element);
  const char *offset = arena_format ("%lu", (unsigned long) leaf->offset);

  if (leaf->type->kind == TYPE_ARRAY)
    {
      put_string (i, leaf);
      return;
    }
  if (is_range)
    {
      putf ("for (unsigned long __upc_i = 0; __upc_i < %lu; __upc_i++) ",
            (unsigned long) leaf->count);
      if (leaf->stride_is_elements)
        element = arena_format ("(%s + __upc_i * %lu)", element, (unsigned long) leaf->stride);
      else
        offset = arena_format ("%s + __upc_i * %lu", offset, (unsigned long) leaf->stride);
    }
  if (total.times_threads && (is_range || leaf->element >= total.value))
    putf ("if (%s < %luul * __upc_threads) ", element, (unsigned long) total.value);
  if (leaf->member)
    {
      putf ("((%s *) (", record_name (leaf->member->parent));
      put_element (i, element);
      putf (" + %s - %lu))->%s = ", offset, (unsigned long) leaf->member->offset,
            leaf->member->name->text);
    }
  else
    {
      putf ("*(%s *) (", plain_type (leaf->type));
      put_element (i, element);
      putf (" + %s) = ", offset);
    }
  put_value (leaf);
  put (";");
}

static bool
is_wanted (struct initialised *i, struct init_leaf *leaf)
{
  return type_is_shared (i->decl->type)
         || (type_is_pts (leaf->type) && !is_null_constant (leaf->expr));
}

static void
put_stores (bool shared)
{
  for (struct initialised *i = first_initialised; i; i = i->next)
    if (type_is_shared (i->decl->type) == shared)
      for (struct init_leaf *leaf = i->decl->init->leaves; leaf; leaf = leaf->next)
        if (is_wanted (i, leaf))
          {
            if (i->label)
              any_in_expr (leaf->expr, is_local_name, NULL);
            put_line ("%s", shared ? "    " : "  ");
            put_leaf (i, leaf);
          }
}

static bool
any_shared (void)
{
  for (struct initialised *i = first_initialised; i; i = i->next)
    if (type_is_shared (i->decl->type))
      return true;
  return false;
}

void
gen_initialising_function (void)
{
  if (!first_initialised)
    return;
  put_line ("static void");
  put_line ("__upc_initialise (void)");
  put_line ("{");
  for (struct initialised *i = first_initialised; i; i = i->next)
    if (i->label)
      put_line ("  extern char __upc_object%u[] __asm__ (\"%s\");", i->decl->name_token, i->label);
  put_stores (false);
  if (any_shared ())
    {
      put_line ("  if (__upc_mythread == 0)");
      put_line ("    {");
      put_stores (true);
      put_line ("    }");
    }
  put_line ("}");
  put_line ("static void (*__upc_initialise_entry) (void)");
  put_line ("  __attribute__ ((__section__ (\"upc_init_array\"), __used__)) = __upc_initialise;");
}
