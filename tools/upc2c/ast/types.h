/* Types of C and UPC on x86-64.

   Types are shared and never change once made, but for records and enumerations
   that are completed later. Qualified variants of one type are found from each
   other: T->unqualified is the type without qualifiers. An array has no qualifiers
   of its own; they belong to its elements. Compare types with the functions below,
   never by address. */

#ifndef UPC2C_TYPES_H
#define UPC2C_TYPES_H

#include "tools/upc2c/lex/lex.h"

struct expr;
struct part;

enum type_kind
{
  TYPE_UNKNOWN, /* of an undeclared name or an unknown builtin. It is compatible with
                   everything; the compiler judges. */
  TYPE_VOID,

  TYPE_BOOL, /* first of the integer types */
  TYPE_CHAR,
  TYPE_SCHAR,
  TYPE_UCHAR,
  TYPE_SHORT,
  TYPE_USHORT,
  TYPE_INT,
  TYPE_UINT,
  TYPE_LONG,
  TYPE_ULONG,
  TYPE_LLONG,
  TYPE_ULLONG,
  TYPE_INT128,
  TYPE_UINT128,
  TYPE_ENUM, /* last of the integer types */

  TYPE_FLOAT16, /* first of the real floating types */
  TYPE_BFLOAT16,
  TYPE_FLOAT,
  TYPE_FLOAT32,
  TYPE_DOUBLE,
  TYPE_FLOAT64,
  TYPE_FLOAT32X,
  TYPE_LDOUBLE,
  TYPE_FLOAT64X,
  TYPE_FLOAT128, /* also __float128 */
  TYPE_DECIMAL32,
  TYPE_DECIMAL64,
  TYPE_DECIMAL128, /* last of the real floating types */

  TYPE_COMPLEX,  /* _Complex base */
  TYPE_VECTOR,   /* vector_size: count elements of base */
  TYPE_POINTER,  /* to base; pointer-to-shared if type_is_shared (base) */
  TYPE_ARRAY,    /* of base */
  TYPE_FUNCTION, /* returning base */
  TYPE_STRUCT,
  TYPE_UNION,
  TYPE_VA_LIST /* __builtin_va_list: an array of one struct */
};

enum
{
  QUAL_CONST = 1,
  QUAL_VOLATILE = 2,
  QUAL_RESTRICT = 4,
  QUAL_ATOMIC = 8,
  QUAL_SHARED = 16,
  QUAL_STRICT = 32,
  QUAL_RELAXED = 64,
  QUAL_LAYOUT = 128,     /* a layout qualifier was given; block says which */
  QUAL_STAR_LAYOUT = 256 /* [*], before the array's size is known; then resolved */
};

enum length_kind
{
  LENGTH_FIXED,   /* count elements */
  LENGTH_THREADS, /* count * THREADS elements, under dynamic THREADS */
  LENGTH_UNKNOWN, /* [], incomplete or a flexible member */
  LENGTH_VARIABLE /* [expr] with another value at each run, and [*] of a parameter */
};

struct type
{
  enum type_kind kind;
  uint16_t quals;      /* QUAL_… */
  bool has_shared;     /* `shared` is part of its derivation: it is no type of C. Members
                       of a record do not count. */
  uint8_t length_kind; /* TYPE_ARRAY */
  uint32_t block;      /* QUAL_SHARED: elements in a block, 0 for indefinite */
  uint32_t align;      /* bytes, from an attribute on a typedef; 0: the natural one */
  struct type *unqualified;
  struct type *base;
  uint64_t count; /* TYPE_ARRAY, TYPE_VECTOR */
  union
  {
    struct expr *length;             /* TYPE_ARRAY, of LENGTH_VARIABLE; may be NULL */
    struct record *record;           /* TYPE_STRUCT, TYPE_UNION */
    struct enumeration *enumeration; /* TYPE_ENUM */
    struct
    {
      struct decl *params; /* linked by next */
      bool is_variadic;
      bool has_prototype;
    } function;
  };
  struct decl *typedef_decl; /* the typedef that spelled it here, or NULL */
  struct type *variants;     /* of the unqualified one: the others, linked by this */
  struct type *pointer;      /* cache of pointer_to */
};

/* A struct or union; one for each definition or forward declaration. */
struct record
{
  struct type *type;
  struct name *tag;          /* NULL: anonymous */
  struct decl *typedef_decl; /* anonymous: the first typedef that names it */
  struct record *around;     /* of an anonymous member: the record it is a member of */
  const char *given_name;    /* what the generator calls it, or NULL */
  bool is_union;
  bool is_complete;
  bool is_packed;
  bool is_transparent;
  bool has_shared;                  /* a member's type has pointers-to-shared in it, at any depth of
                      members and arrays (not behind pointers) */
  bool is_local;                    /* its tag is not declared at file scope */
  bool is_hidden;                   /* an inner scope declares its tag anew */
  bool is_unsure;                   /* its layout depends on what the front end does not know */
  uint32_t align;                   /* bytes */
  uint32_t pack;                    /* #pragma pack at its definition, 0: none */
  uint64_t size;                    /* bytes */
  struct member_table *table;       /* member.c: of a large one, once it is asked */
  struct decl *members;             /* DECL_MEMBER, linked by next; unnamed ones too */
  struct declaration *declarations; /* of its body, in order */
  token_index first, last;          /* `struct` … `}`, attributes behind it included */
  token_index open, close;          /* the braces; NO_TOKEN before its definition */
  token_index tag_token;            /* NO_TOKEN: anonymous */
};

struct enumeration
{
  struct type *type;
  struct type *underlying; /* int, unsigned int, long or unsigned long */
  struct name *tag;
  struct decl *enumerators; /* DECL_ENUMERATOR, linked by next */
  struct part *parts;       /* the expressions of their values, in order */
  bool is_complete;
  bool is_fixed;  /* the underlying type is given (C23) */
  bool is_hidden; /* as a record's */
  token_index first, last;
};

/* A number of bytes or elements: value, or value * THREADS. */
struct size
{
  uint64_t value;
  bool times_threads;
  bool is_known; /* false: incomplete, of variable length, or of unknown type */
};

/* layout.c: sizes and alignments in bytes. */

/* The elements a block may have: 2^20 - 1, or 2^32 - 1 with struct pointers. */
uint64_t max_block_size (void);

struct size type_size (const struct type *type);
uint32_t type_align (const struct type *type);
bool type_is_complete (const struct type *type);

/* The ultimate element type: T itself, or the elements' for an array. */
struct type *ultimate_type (const struct type *type);
/* How many ultimate elements an object of TYPE has; 1 if it is no array. */
struct size ultimate_count (const struct type *type);

/* upc_localsizeof, upc_blocksizeof (elements), upc_elemsizeof. */
uint64_t type_local_size (const struct type *type);
uint64_t type_block_size (const struct type *type);
uint64_t type_element_size (const struct type *type);

/* types.c */
void start_types (void);
struct type *new_type (enum type_kind kind, struct type *base);
/* The plain copy of TYPE that NAMER spells. */
struct type *named_by (struct type *type, struct decl *namer);
struct type *with_align (struct type *type, uint32_t align);
bool type_is_shared (const struct type *type);       /* its ultimate element is shared */
bool type_involves_shared (const struct type *type); /* … or one that it is derived from */
bool type_is_strict (const struct type *type);       /* … is strict-qualified */
bool type_is_relaxed (const struct type *type);      /* … is relaxed-qualified */
bool type_is_pts (const struct type *type);          /* is a pointer-to-shared */
bool type_is_generic_pts (const struct type *type);  /* is a shared void * */
bool type_is_integer (const struct type *type);
bool type_is_real_float (const struct type *type);
bool type_is_arithmetic (const struct type *type);
bool type_is_scalar (const struct type *type);
bool type_is_unsigned (const struct type *type);
bool type_is_record (const struct type *type);
/* Whether values of TYPE hold pointers-to-shared: is one, or an array or record of them. */
bool type_holds_pts (const struct type *type);

/* Compatible as in C, 6.2.7, and block sizes are part of it (UPC, 6.5.1.1).
   types_match_unqualified looks past the qualifiers of the top. */
bool types_match (const struct type *a, const struct type *b);
bool types_match_unqualified (const struct type *a, const struct type *b);
/* Both are integer types of one rank: compilers are quiet about pointers to them. */
bool types_differ_in_sign (const struct type *a, const struct type *b);

/* TYPE as people write it, in quotes, for messages: 'shared [4] int *'. In the arena. */
const char *type_text (const struct type *type);
/* The declaration of NAME with TYPE: shared [4] int a[16*THREADS]. */
const char *declared_text (const struct type *type, const char *name);
/* An array's: [16*THREADS]. */
const char *length_text (const struct type *type);
/* FUNCTION, a definition, with its type: "int main(int argc, char **argv)". */
const char *signature_text (const struct decl *function);
/* What C calls a type that has one name; NULL for the others. */
const char *basic_type_name (enum type_kind kind);

extern struct type *const type_unknown;
extern struct type *const type_void;
/* The arithmetic type of KIND, TYPE_BOOL to TYPE_DECIMAL128 without TYPE_ENUM. */
struct type *type_basic (enum type_kind kind);
struct type *type_int (void);
struct type *type_size_t (void);
struct type *type_ptrdiff_t (void);

struct type *pointer_to (struct type *base);
struct type *array_of (struct type *base, uint64_t count);
struct type *array_of_kind (struct type *base, enum length_kind kind, uint64_t count,
                            struct expr *length);
struct type *vector_of (struct type *base, uint64_t count);
struct type *complex_of (struct type *base);
struct type *function_returning (struct type *base, struct decl *params, bool is_variadic,
                                 bool has_prototype);
/* TYPE with exactly QUALS and BLOCK; of an array, its ultimate elements. */
struct type *with_quals (struct type *type, unsigned quals, uint32_t block);
/* TYPE and QUALS added, without a change of the layout. */
struct type *add_quals (struct type *type, unsigned quals);
/* TYPE without `shared`, its layout and reference qualifiers. */
struct type *without_shared (struct type *type);
/* TYPE without any qualifier at the top. */
struct type *unqualified (struct type *type);
/* The qualifiers of the ultimate element, and its block. */
unsigned quals_of (const struct type *type);
uint32_t block_of (const struct type *type);

/* What a value of it becomes in arithmetic, C 6.3.1.1 and 6.3.1.8. */
struct type *promoted (struct type *type);
struct type *common_type (struct type *a, struct type *b);

/* record_layout.c: gives every member its offset, and RECORD its size and alignment. ALIGN comes
   from an attribute, 0 for none. */
void lay_out_record (struct record *record, uint32_t align);

/* member.c */

/* The member of RECORD, or of anonymous records in it, that is called NAME; or NULL.
   OFFSET: where it is in RECORD. */
struct decl *find_member (struct record *record, struct name *name, uint64_t *offset);
/* OWN: RECORD's own member that is or has it. */
struct decl *find_own_member (struct record *record, struct name *name, struct decl **own,
                              uint64_t *offset);

#endif
