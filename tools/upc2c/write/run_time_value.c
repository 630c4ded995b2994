/* Initial values that C cannot express. */

#include "tools/upc2c/write/internal.h"

struct initialised
{
  struct decl *decl;
  struct initialised *next;
};

static struct initialised *first_initialised, **last_initialised = &first_initialised;

/* An object of a function that the initialising function must know: by its name for
   the assembler. */
struct labelled
{
  struct decl *decl;
  struct labelled *next;
};

static struct labelled *first_labelled;
bool is_initialising;

void
forget_initialised (void)
{
  first_initialised = NULL;
  last_initialised = &first_initialised;
}

static bool
is_labelled (const struct decl *d)
{
  for (struct labelled *l = first_labelled; l; l = l->next)
    if (l->decl == d)
      return true;
  return false;
}

static void
add_label (struct decl *d)
{
  struct labelled *l;

  if (is_labelled (d))
    return;
  l = NEW (struct labelled);
  *l = (struct labelled){ d, first_labelled };
  first_labelled = l;
}

static const char *
label_of (const struct decl *d)
{
  if (is_far (d))
    return far_label (d);
  return d->storage == STORAGE_EXTERN ? d->name->text
                                      : arena_format ("%s.upc%u", d->name->text, d->name_token);
}

/* A compiler drops a static function that is never called, with its static objects, though their
   attribute says that they are used. */
static void
keep_function (struct decl *f)
{
  if (!f || f->is_kept)
    return;
  f->is_kept = true;
  request_rewrite ();
}

void
put_label (struct decl *d)
{
  if (!is_labelled (d) || d->storage == STORAGE_EXTERN || is_far (d))
    return;
  putf (" __asm__ (\"%s\") __attribute__ ((__used__))", label_of (d));
  keep_function (function_being_written);
}

const char *
labelled_object (struct decl *d)
{
  if (!is_initialising || d->scope_depth == 0 || is_far (d))
    return NULL;
  return arena_format ("__upc_object%u", d->name_token);
}

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
  if (d->scope_depth > 0)
    add_label (d);
  *last_initialised = i;
  last_initialised = &i->next;
}

/* Labels the shared objects of functions in a value. */
static bool
label_names (struct expr *e, void *nothing)
{
  (void) nothing;
  if (e->kind != EXPR_NAME || !e->decl || e->is_constant || e->decl->scope_depth == 0)
    return false;
  if (!type_is_shared (e->decl->type))
    error_at (e->token,
              "initializer with the address of '%s', a private object declared in "
              "a function, is not supported",
              e->decl->name->text);
  else if (!is_labelled (e->decl))
    {
      add_label (e->decl);
      request_rewrite ();
    }
  return false;
}

static void
put_value (struct init_leaf *leaf)
{
  if (leaf->expr->is_constant && type_is_integer (leaf->expr->type))
    putf ("%ld", (long) leaf->expr->value);
  else
    put (gen_buffered (leaf->expr));
}

/* The address of ultimate element ELEMENT of the object. */
static void
put_element (struct initialised *i, const char *element)
{
  struct decl *d = i->decl;
  bool is_array = d->type->kind == TYPE_ARRAY;
  const char *object = object_address (d);

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

/* In programs of several processes each stores what is its own. */
static void
put_if_own (struct initialised *i, const char *element)
{
  if (!switches.network || !type_is_shared (i->decl->type))
    return;
  put ("if (__upc_is_own (");
  put_element (i, element);
  put (")) ");
}

/* A string literal: one store for each character, as they may lie apart. */
static void
put_string (struct initialised *i, struct init_leaf *leaf)
{
  struct type *character = ultimate_type (leaf->type);
  const char *type = plain_type (character), *text = gen_buffered (leaf->expr);
  unsigned long count = leaf->type->count;
  struct size total = ultimate_count (i->decl->type);
  bool apart = leaf->offset == 0
               && type_size (ultimate_type (i->decl->type)).value == type_size (character).value;
  const char *element = arena_format (apart ? "%lu + __upc_i" : "%lu",
                                      (unsigned long) leaf->element);

  putf (
      "{ static const %s __upc_text[%lu] = %s; for (unsigned long __upc_i = 0; __upc_i < sizeof __upc_text / sizeof *__upc_text",
      type, count, text);
  if (total.times_threads)
    putf (" && %luul%s < %luul * __upc_threads", (unsigned long) leaf->element,
          apart ? " + __upc_i" : "", (unsigned long) total.value);
  put ("; __upc_i++) ");
  put_if_own (i, element);
  putf ("*((%s *) ", type);
  put ("(");
  put_element (i, element);
  putf (" + %lu)", (unsigned long) leaf->offset);
  put (apart ? ")" : " + __upc_i)");
  put (" = __upc_text[__upc_i]; }");
}

/* TYPE without tags, which may mean nothing at the end of the file. */
static const char *
leaf_type (const struct type *type)
{
  if (type->kind == TYPE_ENUM)
    return plain_type (type->enumeration->underlying);
  if (type->kind == TYPE_POINTER && !type_is_pts (type))
    return "void *";
  return plain_type (type);
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
  put_if_own (i, element);
  if (leaf->member)
    {
      put ("__upc_set_bits (");
      put_element (i, element);
      putf (" + %s, %u, %u, (%s) ", offset, leaf->member->bit_offset, leaf->member->bit_width,
            leaf_type (leaf->type));
    }
  else
    {
      putf ("*(%s *) (", leaf_type (leaf->type));
      put_element (i, element);
      putf (" + %s) = ", offset);
    }
  put_value (leaf);
  put (leaf->member ? ");" : ";");
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
            any_in_expr (leaf->expr, label_names, NULL);
            put_line_marker (leaf->expr->first);
            put (shared ? "    " : "  ");
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

static bool
any_bit_field (void)
{
  for (struct initialised *i = first_initialised; i; i = i->next)
    for (struct init_leaf *leaf = i->decl->init->leaves; leaf; leaf = leaf->next)
      if (leaf->member)
        return true;
  return false;
}

/* Stores WIDTH bits of a bit-field. Its record may have no name at the end of the file. */
static void
put_set_bits (void)
{
  put_line ("static void");
  put_line ("__upc_set_bits (char *unit, unsigned bit, unsigned width, unsigned long value)");
  put_line ("{");
  put_line ("  for (unsigned i = 0; i < width; i++, bit++)");
  put_line (
      "    unit[bit / 8] = (unit[bit / 8] & ~(1u << bit %% 8)) | (value >> i & 1) << bit %% 8;");
  put_line ("}");
}

void
gen_initialising_function (void)
{
  bool was_system;

  if (!first_initialised)
    return;
  is_initialising = true;
  was_system = set_system_code (true);
  if (any_bit_field ())
    put_set_bits ();
  put_line ("static void");
  put_line ("__upc_initialise (void)");
  put_line ("{");
  /* Hidden, or position-independent code would load an address from the GOT, where ARM's assembler
     has no local labels. */
  for (struct labelled *l = first_labelled; l; l = l->next)
    put_line ("  extern __attribute__ ((__visibility__ (\"hidden\"))) char __upc_object%u[] "
              "__asm__ (\"%s\");",
              l->decl->name_token, label_of (l->decl));
  put_stores (false);
  if (any_shared ())
    {
      put_line ("  if (%s)", switches.plugin    ? "__upc_is_first"
                             : switches.network ? "__upc_is_first_here ()"
                                                : "__upc_mythread == 0");
      put_line ("    {");
      put_stores (true);
      put_line ("    }");
    }
  put_line ("}");
  put_line ("static void (*__upc_initialise_entry) (void)");
  put_line ("  __attribute__ ((__section__ (\"upc_init_array\"), __used__)) = __upc_initialise;");
  is_initialising = false;
  set_system_code (was_system);
}
