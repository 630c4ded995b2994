/* The vector types of 64-bit ARM that compilers name without a header, and those that gcc has from
   the pragma in its arm_neon.h on (ACLE). */

#include "tools/upc2c/parse/internal.h"

#include <stdio.h>
#include <string.h>

enum
{
  VECTOR_BYTES = 8,
  LONG_VECTOR_BYTES = 16
};

static const struct element
{
  const char *name; /* in names of types */
  unsigned bits;
  enum type_kind kind;
} elements[] = {
  { "Int", 8, TYPE_SCHAR },    { "Int", 16, TYPE_SHORT },    { "Int", 32, TYPE_INT },
  { "Int", 64, TYPE_LONG },    { "Uint", 8, TYPE_UCHAR },    { "Uint", 16, TYPE_USHORT },
  { "Uint", 32, TYPE_UINT },   { "Uint", 64, TYPE_ULONG },   { "Poly", 8, TYPE_UCHAR },
  { "Poly", 16, TYPE_USHORT }, { "Poly", 64, TYPE_ULONG },   { "Float", 16, TYPE_FLOAT16 },
  { "Float", 32, TYPE_FLOAT }, { "Float", 64, TYPE_DOUBLE }, { "Bfloat", 16, TYPE_BFLOAT16 },
  { "Mfloat", 8, TYPE_UCHAR },
};

static const struct
{
  const char *name;
  enum type_kind kind;
} scalars[] = {
  { "__Poly8_t", TYPE_UCHAR },
  { "__Poly16_t", TYPE_USHORT },
  { "__Poly64_t", TYPE_ULONG },
  { "__Poly128_t", TYPE_UINT128 },
  { "__builtin_aarch64_simd_qi", TYPE_SCHAR },
  { "__builtin_aarch64_simd_hi", TYPE_SHORT },
  { "__builtin_aarch64_simd_si", TYPE_INT },
  { "__builtin_aarch64_simd_di", TYPE_LONG },
  { "__builtin_aarch64_simd_uqi", TYPE_UCHAR },
  { "__builtin_aarch64_simd_uhi", TYPE_USHORT },
  { "__builtin_aarch64_simd_usi", TYPE_UINT },
  { "__builtin_aarch64_simd_udi", TYPE_ULONG },
  { "__builtin_aarch64_simd_poly8", TYPE_UCHAR },
  { "__builtin_aarch64_simd_poly16", TYPE_USHORT },
  { "__builtin_aarch64_simd_poly64", TYPE_ULONG },
  { "__builtin_aarch64_simd_poly128", TYPE_UINT128 },
  { "__builtin_aarch64_simd_hf", TYPE_FLOAT16 },
  { "__builtin_aarch64_simd_bf", TYPE_BFLOAT16 },
  { "__builtin_aarch64_simd_sf", TYPE_FLOAT },
  { "__builtin_aarch64_simd_df", TYPE_DOUBLE },
};

/* Those of SVE, whose size the processor says. */
static const char *const scalable[] = {
  "__SVInt8_t",    "__SVInt16_t",    "__SVInt32_t",  "__SVInt64_t",   "__SVUint8_t",
  "__SVUint16_t",  "__SVUint32_t",   "__SVUint64_t", "__SVFloat16_t", "__SVFloat32_t",
  "__SVFloat64_t", "__SVBfloat16_t", "__SVBool_t",
};

/* struct { VECTOR val[COUNT]; } */
static struct type *
tuple_of (struct type *vector, unsigned count)
{
  struct record *record = new_record (TYPE_STRUCT, NULL);
  struct decl *member = NEW (struct decl);

  member->kind = DECL_MEMBER;
  member->name = intern ("val", strlen ("val"));
  member->type = array_of (vector, count);
  member->name_token = member->suffix_first = NO_TOKEN;
  record->members = member;
  lay_out_record (record, 0);
  return record->type;
}

/* int8x8x2_t and so on. */
static void
declare_tuples (const struct element *e, unsigned lanes, struct type *vector)
{
  for (unsigned count = 2; count <= 4; count++)
    {
      char *name = arena_format ("%s%ux%ux%u_t", e->name, e->bits, lanes, count);

      name[0] += 'a' - 'A';
      declare_type (name, tuple_of (vector, count));
    }
}

void
declare_vector_types (void)
{
  bool has_tuples = strstr (unit.text, "#pragma GCC aarch64 \"arm_neon.h\"");

  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    for (unsigned bytes = VECTOR_BYTES; bytes <= LONG_VECTOR_BYTES; bytes += VECTOR_BYTES)
      {
        const struct element *e = &elements[i];
        unsigned lanes = bytes * 8 / e->bits;
        struct type *vector = vector_of (type_basic (e->kind), lanes);

        declare_type (arena_format ("__%s%ux%u_t", e->name, e->bits, lanes), vector);
        if (has_tuples)
          declare_tuples (e, lanes, vector);
      }
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
    declare_type (scalars[i].name, type_basic (scalars[i].kind));
  for (size_t i = 0; i < sizeof scalable / sizeof *scalable; i++)
    declare_type (scalable[i], new_type (TYPE_UNKNOWN, NULL));
}
