/* The return types of builtin functions of gcc and clang. A builtin without an entry here has an
   unknown type, which only matters if it is combined with a pointer-to-shared. */

#include "tools/upc2c/sema/sema.h"

#include <string.h>

enum result
{
  RESULT_KIND,    /* the basic type of the entry */
  RESULT_POINTER, /* void * */
  RESULT_FIRST,   /* the type of the first argument */
  RESULT_POINTEE  /* what the first argument points to */
};

static const struct
{
  const char *name;
  enum result result;
  enum type_kind kind;
} entries[] = {
  { "__builtin_abort", RESULT_KIND, TYPE_VOID },
  { "__builtin_abs", RESULT_KIND, TYPE_INT },
  { "__builtin_add_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_sub_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_mul_overflow", RESULT_KIND, TYPE_BOOL },
  { "__builtin_alloca", RESULT_POINTER, 0 },
  { "__builtin_alloca_with_align", RESULT_POINTER, 0 },
  { "__builtin_assume_aligned", RESULT_POINTER, 0 },
  { "__builtin_bswap16", RESULT_KIND, TYPE_USHORT },
  { "__builtin_bswap32", RESULT_KIND, TYPE_UINT },
  { "__builtin_bswap64", RESULT_KIND, TYPE_ULONG },
  { "__builtin_bswap128", RESULT_KIND, TYPE_UINT128 },
  { "__builtin_calloc", RESULT_POINTER, 0 },
  { "__builtin_clz", RESULT_KIND, TYPE_INT },
  { "__builtin_clzl", RESULT_KIND, TYPE_INT },
  { "__builtin_clzll", RESULT_KIND, TYPE_INT },
  { "__builtin_constant_p", RESULT_KIND, TYPE_INT },
  { "__builtin_ctz", RESULT_KIND, TYPE_INT },
  { "__builtin_ctzl", RESULT_KIND, TYPE_INT },
  { "__builtin_ctzll", RESULT_KIND, TYPE_INT },
  { "__builtin_expect", RESULT_KIND, TYPE_LONG },
  { "__builtin_expect_with_probability", RESULT_KIND, TYPE_LONG },
  { "__builtin_fabs", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_fabsf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_fabsl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_ffs", RESULT_KIND, TYPE_INT },
  { "__builtin_ffsl", RESULT_KIND, TYPE_INT },
  { "__builtin_ffsll", RESULT_KIND, TYPE_INT },
  { "__builtin_frame_address", RESULT_POINTER, 0 },
  { "__builtin_free", RESULT_KIND, TYPE_VOID },
  { "__builtin_huge_val", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_huge_valf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_huge_vall", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_inf", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_inff", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_infl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_isfinite", RESULT_KIND, TYPE_INT },
  { "__builtin_isgreater", RESULT_KIND, TYPE_INT },
  { "__builtin_isgreaterequal", RESULT_KIND, TYPE_INT },
  { "__builtin_isinf", RESULT_KIND, TYPE_INT },
  { "__builtin_isinf_sign", RESULT_KIND, TYPE_INT },
  { "__builtin_isless", RESULT_KIND, TYPE_INT },
  { "__builtin_islessequal", RESULT_KIND, TYPE_INT },
  { "__builtin_islessgreater", RESULT_KIND, TYPE_INT },
  { "__builtin_isnan", RESULT_KIND, TYPE_INT },
  { "__builtin_isnormal", RESULT_KIND, TYPE_INT },
  { "__builtin_isunordered", RESULT_KIND, TYPE_INT },
  { "__builtin_fpclassify", RESULT_KIND, TYPE_INT },
  { "__builtin_signbit", RESULT_KIND, TYPE_INT },
  { "__builtin_signbitf", RESULT_KIND, TYPE_INT },
  { "__builtin_signbitl", RESULT_KIND, TYPE_INT },
  { "__builtin_malloc", RESULT_POINTER, 0 },
  { "__builtin_memchr", RESULT_POINTER, 0 },
  { "__builtin_memcmp", RESULT_KIND, TYPE_INT },
  { "__builtin_memcpy", RESULT_POINTER, 0 },
  { "__builtin_memmove", RESULT_POINTER, 0 },
  { "__builtin_mempcpy", RESULT_POINTER, 0 },
  { "__builtin_memset", RESULT_POINTER, 0 },
  { "__builtin_nan", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_nanf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_nanl", RESULT_KIND, TYPE_LDOUBLE },
  { "__builtin_object_size", RESULT_KIND, TYPE_ULONG },
  { "__builtin_dynamic_object_size", RESULT_KIND, TYPE_ULONG },
  { "__builtin_parity", RESULT_KIND, TYPE_INT },
  { "__builtin_parityl", RESULT_KIND, TYPE_INT },
  { "__builtin_parityll", RESULT_KIND, TYPE_INT },
  { "__builtin_popcount", RESULT_KIND, TYPE_INT },
  { "__builtin_popcountl", RESULT_KIND, TYPE_INT },
  { "__builtin_popcountll", RESULT_KIND, TYPE_INT },
  { "__builtin_prefetch", RESULT_KIND, TYPE_VOID },
  { "__builtin_printf", RESULT_KIND, TYPE_INT },
  { "__builtin_realloc", RESULT_POINTER, 0 },
  { "__builtin_return_address", RESULT_POINTER, 0 },
  { "__builtin_sprintf", RESULT_KIND, TYPE_INT },
  { "__builtin_sqrt", RESULT_KIND, TYPE_DOUBLE },
  { "__builtin_sqrtf", RESULT_KIND, TYPE_FLOAT },
  { "__builtin_strcmp", RESULT_KIND, TYPE_INT },
  { "__builtin_strlen", RESULT_KIND, TYPE_ULONG },
  { "__builtin_strncmp", RESULT_KIND, TYPE_INT },
  { "__builtin_trap", RESULT_KIND, TYPE_VOID },
  { "__builtin_unreachable", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_copy", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_end", RESULT_KIND, TYPE_VOID },
  { "__builtin_va_start", RESULT_KIND, TYPE_VOID },
  { "__builtin_shuffle", RESULT_FIRST, 0 },
  { "__sync_fetch_and_", RESULT_POINTEE, 0 },
  { "__sync_bool_", RESULT_KIND, TYPE_BOOL },
  { "__sync_val_", RESULT_POINTEE, 0 },
  { "__sync_add_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_sub_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_or_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_and_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_xor_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_nand_and_fetch", RESULT_POINTEE, 0 },
  { "__sync_lock_test_and_set", RESULT_POINTEE, 0 },
  { "__sync_lock_release", RESULT_KIND, TYPE_VOID },
  { "__sync_synchronize", RESULT_KIND, TYPE_VOID },
  { "__atomic_compare_exchange", RESULT_KIND, TYPE_BOOL },
  { "__atomic_test_and_set", RESULT_KIND, TYPE_BOOL },
  { "__atomic_is_lock_free", RESULT_KIND, TYPE_BOOL },
  { "__atomic_always_lock_free", RESULT_KIND, TYPE_BOOL },
  { "__atomic_store", RESULT_KIND, TYPE_VOID },
  { "__atomic_clear", RESULT_KIND, TYPE_VOID },
  { "__atomic_thread_fence", RESULT_KIND, TYPE_VOID },
  { "__atomic_signal_fence", RESULT_KIND, TYPE_VOID },
  { "__atomic_load_n", RESULT_POINTEE, 0 },
  { "__atomic_exchange_n", RESULT_POINTEE, 0 },
  { "__atomic_load", RESULT_KIND, TYPE_VOID },
  { "__atomic_exchange", RESULT_KIND, TYPE_VOID },
  { "__atomic_fetch_", RESULT_POINTEE, 0 },
  { "__atomic_add_fetch", RESULT_POINTEE, 0 },
  { "__atomic_sub_fetch", RESULT_POINTEE, 0 },
  { "__atomic_and_fetch", RESULT_POINTEE, 0 },
  { "__atomic_or_fetch", RESULT_POINTEE, 0 },
  { "__atomic_xor_fetch", RESULT_POINTEE, 0 },
  { "__atomic_nand_fetch", RESULT_POINTEE, 0 },
};

/* __sync_ and __atomic_ come in families: their entries are prefixes. */
static bool
is_entry_of (const char *entry, const struct name *name)
{
  size_t length = strlen (entry);

  if (strncmp (entry, "__builtin_", 10) == 0)
    return length == name->length && memcmp (entry, name->text, length) == 0;
  return name->length >= length && memcmp (entry, name->text, length) == 0;
}

/* The entry, from 1; kept in the name so that it is looked for once. */
static uint16_t
entry_of (struct name *name)
{
  if (!name->builtin)
    {
      name->builtin = UINT16_MAX;
      for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (is_entry_of (entries[i].name, name))
          {
            name->builtin = i + 1;
            break;
          }
    }
  return name->builtin;
}

/* What a call of NAME returns, which is not declared. Of __builtin_foo without a entry,
   that is what foo returns. */
struct type *
builtin_result (struct name *name, struct expr **args, uint32_t count, bool *is_builtin)
{
  uint16_t entry = entry_of (name);
  struct type *first = count ? value_type (args[0]) : type_unknown;

  *is_builtin = entry != UINT16_MAX;
  if (!*is_builtin)
    {
      struct name *plain = strncmp (name->text, "__builtin_", 10) == 0
                               ? intern (name->text + 10, name->length - 10)
                               : name;

      return plain->decl && plain->decl->kind == DECL_FUNCTION
                 ? unqualified (plain->decl->type->base)
                 : NULL;
    }
  switch (entries[entry - 1].result)
    {
    case RESULT_KIND:
      return type_basic (entries[entry - 1].kind);
    case RESULT_POINTER:
      return pointer_to (type_void);
    case RESULT_FIRST:
      return first;
    default:
      return first->kind == TYPE_POINTER ? unqualified (first->base) : type_unknown;
    }
}
