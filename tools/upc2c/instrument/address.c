/* The address of an instrumented access. Its parts are evaluated once, so that the
   pointer-to-shared for the tool can be computed from them, too. C locates a member of a
   structure from the element that contains it. */

#include "tools/upc2c/instrument/internal.h"

#include <gasp_upc.h>

/* Accesses whose lvalue is being written. */
static struct access *writing;
static bool is_off;

void
watch_accesses (bool on)
{
  is_off = !on;
}

bool
is_watching_accesses (void)
{
  return !is_off;
}

bool
put_known_lvalue (struct expr *l)
{
  for (struct access *a = writing; a; a = a->outer)
    if (a->element == l)
      {
        putf ("(*__upc_e%d)", a->number);
        return true;
      }
  return false;
}

const char *
name_of (const struct access *a, const char *what)
{
  return arena_format ("__upc_%s%d", what, a->number);
}

static bool
is_vector_element (struct expr *l)
{
  return l->kind == EXPR_INDEX && pointer_of (l)->type->kind == TYPE_VECTOR;
}

/* The array or vector that INDEX is of. To the front end a vector is read, though one
   element may be stored. */
static struct expr *
whole_of (struct expr *index)
{
  struct expr *p = pointer_of (index);

  return strip_parens (p->kind == EXPR_DECAY || p->kind == EXPR_LOAD ? p->a : p);
}

bool
is_shared_vector_element (struct expr *e)
{
  return is_vector_element (strip_parens (e)) && pointer_of (strip_parens (e))->kind == EXPR_LOAD;
}

/* The whole element that L lies in. A member that is reached by a pointer stands for
   what that points to. */
static struct expr *
whole_element_of (struct expr *l)
{
  while (is_inside (l) && l->kind != EXPR_ARROW)
    l = l->kind == EXPR_INDEX ? whole_of (l) : strip_parens (l->a);
  return l;
}

static struct element
root_of_element (struct expr *l)
{
  return l->kind == EXPR_ARROW ? (struct element){ NULL, l->a } : root_of (l);
}

bool
begin_access (struct access *a, struct expr *lvalue, bool gets, bool puts)
{
  struct expr *l = strip_parens (lvalue);
  struct element root;

  if (is_off || !is_instrumenting ())
    return false;
  *a = (struct access){ .l = l, .element = whole_element_of (l) };
  a->gets = gets && is_watched (GASP_UPC_GET, l->first);
  a->puts = puts && is_watched (GASP_UPC_PUT, l->first);
  root = root_of_element (a->element);
  if ((!a->gets && !a->puts) || (!root.object && !root.pointer))
    return false;
  a->number = new_number ();
  return true;
}

/* `*p++` in a loop that knows where P leads. */
static void
put_walking_pointer (struct access *a, struct expr *step)
{
  if (step->is_prefix)
    {
      put_walk (step);
      put ("; ");
    }
  putf ("const __upc_pts __upc_p%d = %s; ", a->number, c_name (strip_parens (step->a)->decl));
  if (!step->is_prefix)
    {
      put_walk (step);
      put ("; ");
    }
}

/* Declares the pointer that the element is reached by, or finds the object; and the
   distance from there. Returns the arguments that functions of them begin with. */
static const char *
put_root (struct access *a, struct element root)
{
  struct buffering *c;

  if (!root.object && is_planned_walk (strip_parens (root.pointer)))
    {
      put_walking_pointer (a, strip_parens (root.pointer));
      return name_of (a, "p");
    }
  if (!root.object)
    {
      putf ("const __upc_pts __upc_p%d = ", a->number);
      gen_argument (root.pointer);
      put ("; ");
      return name_of (a, "p");
    }
  c = begin_buffering ();
  put_object (root.object);
  return end_buffering (c);
}

static const char *
layout_text (const struct type *type)
{
  struct buffering *c = begin_buffering ();

  put_layout (type);
  return end_buffering (c);
}

/* The address of L, whose index is NUMBER, as a loop around has it; NULL where none does. */
static const char *
planned_address (struct expr *l, const char *number)
{
  struct expr *planned = l->kind == EXPR_INDEX ? l : strip_parens (l->a);
  struct buffering *c;
  const char *text;
  bool is_known;

  if (planned->kind == EXPR_STEP && is_planned_walk (planned))
    planned = strip_parens (planned->a);
  if (planned->kind != EXPR_INDEX && planned->kind != EXPR_NAME)
    return NULL;
  c = begin_buffering ();
  is_known = put_planned_address (planned, number);
  text = end_buffering (c);
  return is_known ? text : NULL;
}

/* Declares the address of the element, and finds how to make a pointer-to-shared of the
   same parts. */
static void
put_element (struct access *a)
{
  struct expr *l = a->element;
  struct element root = root_of_element (l);
  const struct type *type = l->kind == EXPR_ARROW ? l->a->type->base : ultimate_type (l->type);
  const char *from = put_root (a, root), *address, *planned;

  type = add_quals (pointer_to (without_shared ((struct type *) type)), QUAL_CONST);
  if (l->kind == EXPR_INDEX)
    {
      const char *layout = layout_text (l->type), *number = name_of (a, "i");

      putf ("const long %s = (long) (", number);
      put_distance (l, INDEX_OF_ACCESS);
      put ("); ");
      address = arena_format (root.object ? "__upc_element_address (%s, %s%s"
                                          : "__upc_index_address (%s, %s%s",
                              from, number, layout);
      a->pointer = arena_format ("%s (%s, %s%s", root.object ? "__upc_element" : "__upc_add", from,
                                 number, layout);
    }
  else
    {
      address = arena_format ("%s (%s)", root.object ? "__upc_object_address" : "__upc_address",
                              from);
      a->pointer = arena_format ("%s (%s)", root.object ? "__upc_object" : "", from);
    }
  planned = root.object && l->kind != EXPR_INDEX ? NULL : planned_address (l, name_of (a, "i"));
  putf ("%s = (%s) ", declare (type, name_of (a, "e")),
        declare (unqualified ((struct type *) type), ""));
  open_check_of (a->l, l, root);
  put (planned ? planned : address);
  close_check_of (a->l, l, root);
  put ("; ");
}

/* May what lies in a record, L, have less alignment than its type asks for: as a record
   that it is in is packed? */
static bool
may_be_misaligned (const struct access *a, struct expr *l)
{
  uint32_t align = type_align (l->type);

  for (struct expr *e = l; is_inside (e);
       e = e->kind == EXPR_INDEX ? whole_of (e) : strip_parens (e->a))
    {
      const struct type *record = e->kind == EXPR_ARROW ? e->a->type->base
                                  : e->kind == EXPR_DOT ? e->a->type
                                                        : NULL;

      if (record && (type_align (record) < align || e->member_offset % type_align (e->type) != 0))
        return true;
      if (e == a->element || e->kind == EXPR_ARROW)
        return false;
    }
  return false;
}

/* The type that the address of L is a pointer to. A strict access of a word needs none of its
   own: the functions for it take the plain type. */
static const char *
put_pointee (const struct access *a, struct expr *l)
{
  struct type *type = without_shared (l->type);
  const char *name = name_of (a, "u");

  if ((l->is_strict && is_word_access (l)) || !may_be_misaligned (a, l))
    return NULL;
  putf ("typedef %s __attribute__ ((__aligned__ (1))); ", declare (type, name));
  return name;
}

/* The address of what lies in the element. */
static void
put_inner_address (struct access *a)
{
  struct expr *l = a->l;
  struct expr *record = l->is_bit_field && l->kind == EXPR_DOT ? strip_parens (l->a) : l;
  const struct type *type = add_quals (pointer_to (without_shared (record->type)), QUAL_CONST);
  const char *pointee = put_pointee (a, record);

  a->outer = writing;
  writing = a;
  if (pointee)
    putf ("%s *const %s = (%s *) &", pointee, name_of (a, "m"), pointee);
  else
    putf ("%s = (%s) &", declare (type, name_of (a, "m")),
          declare (unqualified ((struct type *) type), ""));
  if (is_vector_element (l))
    {
      gen_lvalue (whole_of (l));
      put (" + ");
      gen_operand (index_of (l));
    }
  else
    gen_lvalue (record);
  put ("; ");
  writing = a->outer;
}

void
put_address (struct access *a)
{
  struct expr *l = a->l;

  put_site (a->number, l->first);
  put_element (a);
  a->address = name_of (a, "e");
  if (l != a->element || (l->kind == EXPR_ARROW && !l->is_bit_field))
    {
      put_inner_address (a);
      a->address = name_of (a, "m");
    }
  if (is_inside (l))
    a->pointer = arena_format (
        "__upc_member (%s, (const volatile char *) %s - (const volatile char *) %s%s)", a->pointer,
        a->address, name_of (a, "e"),
        l->is_bit_field ? arena_format (" + %lu", (unsigned long) l->member_offset) : "");
  a->lvalue = l->is_bit_field ? arena_format ("%s->%s", a->address, l->member->name->text)
                              : arena_format ("*%s", a->address);
}
