/* The constraints of UPC on declarations. C's own constraints are left to the compiler. */

#include "tools/upc2c/sema/sema.h"

#define MOST_ARRAY_BYTES (UINT64_C (1) << 50)

static token_index
location_of (const struct decl *decl)
{
  return decl->name_token != NO_TOKEN ? decl->name_token : decl->first;
}

static const char *
name_of (const struct decl *decl)
{
  return decl->name ? decl->name->text : "<unnamed>";
}

static unsigned
count_threads (const struct type *type)
{
  unsigned count = 0;

  for (; type->kind == TYPE_ARRAY; type = type->base)
    count += type->length_kind == LENGTH_THREADS;
  return count;
}

/* Whether the length of an array of TYPE comes from elsewhere: from its initialiser,
   or from another declaration. */
static bool
has_unknown_length (const struct type *type)
{
  for (; type->kind == TYPE_ARRAY; type = type->base)
    if (type->length_kind == LENGTH_UNKNOWN || type->length_kind == LENGTH_VARIABLE)
      return true;
  return false;
}

void
check_array_types (struct type *type, token_index where, bool is_object)
{
  unsigned threads;

  if (type->kind != TYPE_ARRAY || !type_is_shared (type) || switches.threads
      || ultimate_type (type)->kind == TYPE_UNKNOWN)
    return;
  threads = count_threads (type);
  if (threads > 1)
    error_at (where, "'THREADS' in more than one dimension of shared array with dynamic THREADS "
                     "(UPC 1.3, 6.5.2.1)");
  else if (threads && block_of (type) == 0 && !(quals_of (type) & QUAL_STAR_LAYOUT))
    error_at (where, "'THREADS' in dimension of shared array of indefinite block size with "
                     "dynamic THREADS "
                     "(UPC 1.3, 6.5.2.1)");
  else if (!threads && is_object && !has_unknown_length (type)
           && (block_of (type) != 0 || quals_of (type) & QUAL_STAR_LAYOUT))
    error_at (where, "shared array of definite block size needs 'THREADS' in one dimension "
                     "with dynamic THREADS; -fupc-threads-N makes it a constant "
                     "(UPC 1.3, 6.5.2.1)");
}

void
check_function_type (struct type *type, token_index where)
{
  if (type_is_shared (type->base))
    error_at (where, "function returns shared type %s (UPC 1.3, 6.5.1.1)", type_text (type->base));
}

void
check_member (struct decl *member)
{
  if (type_is_shared (member->type))
    {
      error_at (location_of (member),
                "member '%s' has shared type; only the target of a "
                "pointer member may be shared "
                "(UPC 1.3, 6.5.1.1)",
                name_of (member));
      member->type = type_unknown; /* so that it is reported only once */
    }
}

/* Adjusts arrays and functions to pointers, then looks at the rest. */
void
check_parameter (struct decl *param)
{
  struct type *type = param->type;

  if (type->kind == TYPE_ARRAY)
    {
      struct type *base = type->base;

      if (quals_of (base) & QUAL_STAR_LAYOUT)
        {
          error_at (location_of (param),
                    "layout qualifier '[*]' in pointer target type (UPC 1.3, 6.5.1.1)");
          base = with_quals (base, quals_of (base) & ~QUAL_STAR_LAYOUT, 0);
        }
      check_array_types (type, location_of (param), false);
      param->type = pointer_to (base);
    }
  else if (type->kind == TYPE_FUNCTION)
    param->type = pointer_to (type);
  else if (type_is_shared (type))
    {
      error_at (location_of (param),
                "parameter '%s' has shared type but automatic storage "
                "duration "
                "(UPC 1.3, 6.5.2)",
                name_of (param));
      param->type = type_unknown; /* so that it is reported only once */
    }
}

/* ceil (elements / THREADS), which is a constant with THREADS in a dimension. */
static uint64_t
star_block (const struct type *type)
{
  struct size count = ultimate_count (type);

  if (count.times_threads || !switches.threads)
    return count.value;
  return (count.value + switches.threads - 1) / switches.threads;
}

/* Replaces [*] by its block size once the array is complete. */
void
settle_star_layout (struct decl *decl)
{
  unsigned quals = quals_of (decl->type);
  uint64_t block = 1;

  if (!(quals & QUAL_STAR_LAYOUT))
    return;
  if (decl->type->kind == TYPE_ARRAY && has_unknown_length (decl->type))
    error_at (location_of (decl),
              "layout qualifier '[*]' of '%s' needs the size of the array "
              "(UPC 1.3, 6.5.1.1)",
              name_of (decl));
  else if (decl->type->kind == TYPE_ARRAY)
    block = star_block (decl->type);
  if (block > max_block_size ())
    {
      error_at (location_of (decl),
                "block size %llu of '%s' exceeds UPC_MAX_BLOCK_SIZE, which is %llu%s "
                "(UPC 1.3, 6.3.3)",
                (unsigned long long) block, name_of (decl), (unsigned long long) max_block_size (),
                switches.struct_pts ? "" : "; -fupc-pts=struct allows up to 4294967295");
      block = 1;
    }
  if (block_of (decl->type) && block_of (decl->type) != block)
    error_at (location_of (decl),
              "more than one block size specified; that of '[*]' is %llu here (UPC 1.3, 6.5)",
              (unsigned long long) block);
  decl->type = with_quals (decl->type, quals & ~QUAL_STAR_LAYOUT, block);
}

static bool
is_incomplete_record (const struct type *type)
{
  return type_is_record (type) && !type->record->is_complete;
}

/* An object of shared type is of static storage duration. */
static void
check_storage (struct decl *decl)
{
  if (decl->storage == STORAGE_REGISTER || decl->storage == STORAGE_AUTO)
    error_at (location_of (decl),
              "'%s' has shared type but storage class '%s' "
              "(UPC 1.3, 6.5.2)",
              name_of (decl), decl->storage == STORAGE_REGISTER ? "register" : "auto");
  else if (!decl->has_static_duration && is_incomplete_record (decl->type))
    error_at (location_of (decl), "'%s' has incomplete type %s; declare a pointer to it",
              name_of (decl), type_text (decl->type));
  else if (!decl->has_static_duration)
    error_at (location_of (decl),
              "'%s' has shared type but automatic storage duration; "
              "declare it 'static shared' "
              "(UPC 1.3, 6.5.2)",
              name_of (decl));
  else if (decl->is_thread_local)
    error_at (location_of (decl), "'%s' has shared type but is thread-local", name_of (decl));
  else
    return;
  decl->type = type_unknown; /* so that it is reported only once */
}

/* A private object whose length the C compiler would have to know. */
static void
check_private_length (const struct decl *decl)
{
  if (decl->kind == DECL_VARIABLE && decl->has_static_duration && count_threads (decl->type) > 0)
    error_at (location_of (decl), "size of '%s' of type %s is not constant with dynamic THREADS",
              name_of (decl), type_text (decl->type));
}

/* More bytes for a thread than any machine has: sizes of the whole would overflow with many threads. */
static void
check_array_size (struct decl *decl)
{
  struct size element = type_size (ultimate_type (decl->type));
  uint64_t bytes = element.is_known ? element.value : 1;
  bool is_too_large = false;

  for (const struct type *type = decl->type; type->kind == TYPE_ARRAY; type = type->base)
    is_too_large = __builtin_mul_overflow (bytes, type->count, &bytes) || is_too_large;
  if (!is_too_large && bytes <= MOST_ARRAY_BYTES)
    return;
  error_at (location_of (decl), "size of shared array '%s' is too large", name_of (decl));
  decl->type = type_unknown; /* so that it is reported only once */
}

/* C's own constraint (C11, 6.7.6.2), which the compiler would report of what the array becomes in C. */
static void
check_elements (struct decl *decl)
{
  if (decl->type->kind != TYPE_ARRAY || type_is_complete (decl->type->base))
    return;
  error_at (location_of (decl), "array '%s' has incomplete element type %s", name_of (decl),
            type_text (decl->type->base));
  decl->type = type_unknown; /* so that it is reported only once */
}

void
check_object (struct decl *decl)
{
  if (!type_is_shared (decl->type))
    {
      check_private_length (decl);
      return;
    }
  check_elements (decl);
  if (decl->kind == DECL_TYPEDEF)
    {
      if (quals_of (decl->type) & QUAL_STAR_LAYOUT)
        {
          error_at (decl->specifiers->layout_first != NO_TOKEN ? decl->specifiers->layout_first
                                                               : location_of (decl),
                    "layout qualifier '[*]' in typedef (UPC 1.3, 6.5.1.1)");
          decl->type = with_quals (decl->type, quals_of (decl->type) & ~QUAL_STAR_LAYOUT, 1);
        }
      check_array_types (decl->type, location_of (decl), false);
      return;
    }
  check_storage (decl);
  check_array_types (decl->type, location_of (decl), true);
  check_array_size (decl);
  if (decl->type->kind == TYPE_VOID)
    error_at (location_of (decl), "variable '%s' declared with type %s", name_of (decl),
              type_text (decl->type));
}

static bool
may_be_declared_again (const struct decl *decl)
{
  return decl->kind == DECL_FUNCTION || decl->kind == DECL_TYPEDEF
         || (decl->kind == DECL_VARIABLE && decl->is_global);
}

/* A typedef's type is called by its name. */
static const char *
text_without_name (const struct decl *decl)
{
  return type_text (decl->kind == DECL_TYPEDEF ? decl->declared_type : decl->type);
}

/* The generated C hides what the types of UPC say, so the compiler cannot compare
   them. */
void
check_redeclaration (struct decl *decl)
{
  struct decl *before = decl->previous;

  if (!before || !may_be_declared_again (decl) || !may_be_declared_again (before))
    return;
  if (!decl->type->has_shared && !type_is_shared (decl->type) && !before->type->has_shared
      && !type_is_shared (before->type))
    return;
  if (decl->kind == before->kind && types_match (decl->type, before->type))
    return;
  error_at (location_of (decl), "conflicting types for '%s'; have %s", name_of (decl),
            text_without_name (decl));
  if (before->name_token != NO_TOKEN)
    note_at (before->name_token, "previous declaration of '%s' with type %s", name_of (decl),
             text_without_name (before));
}
