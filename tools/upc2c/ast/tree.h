/* The syntax tree, with a type at every expression.

   Each node says which tokens it covers (first to last, both included). A node
   whose `translate` is false is plain C: copy its tokens as they are. Where it is
   true, something in it is not, and all nodes on the way there have it too.

   What follows a shared type is written out in the tree; plain C is left alone:

   - EXPR_LOAD stands over each shared lvalue whose value is read. A shared lvalue
     without it is stored to (EXPR_ASSIGN, EXPR_COMPOUND, EXPR_STEP), its address is
     taken, a member of it is selected, or it is a whole array or the operand of an
     operator that does not evaluate it (sizeof, typeof).
   - EXPR_DECAY stands over a shared array that becomes a pointer-to-shared.
   - EXPR_CONVERT stands where the value changes its type without a cast and either
     type is a pointer-to-shared: null pointer constant → pointer-to-shared, generic
     ↔ typed, in assignments, arguments, initialisers, return, ?:, comparisons, and
     pointer-to-shared → int where a condition is asked (if, while, for, do, !, &&,
     ||, ?:). The conversions of C have no node.

   So EXPR_LOAD, EXPR_DECAY and EXPR_CONVERT never occur in plain C. */

#ifndef UPC2C_TREE_H
#define UPC2C_TREE_H

#include "tools/upc2c/ast/types.h"

struct expr;
struct stmt;
struct decl;
struct declaration;

enum expr_kind
{
  /* Primary expressions. */
  EXPR_UNKNOWN, /* an undeclared name */
  EXPR_NAME,    /* decl */
  EXPR_INTEGER, /* value; also character constants */
  EXPR_FLOAT,   /* a floating or imaginary constant */
  EXPR_STRING,  /* all neighbouring literals; the type is an array */
  EXPR_THREADS, /* under static THREADS constant, value */
  EXPR_MYTHREAD,
  EXPR_MAX_BLOCK, /* UPC_MAX_BLOCK_SIZE, value */
  EXPR_PAREN,     /* ( a ) */
  EXPR_STATEMENT, /* ({ … }): body, a STMT_BLOCK */
  EXPR_GENERIC,   /* _Generic (a, arms): list holds the arms' expressions; names[i]
                     is the type name of arm i, NULL for default; b the chosen one */
  EXPR_LABEL,     /* &&label */

  /* Postfix. */
  EXPR_CALL,    /* a (list) */
  EXPR_INDEX,   /* a[b]; index_swapped if b is the pointer */
  EXPR_DOT,     /* a.member */
  EXPR_ARROW,   /* a->member */
  EXPR_STEP,    /* a++, a--, ++a, --a: op TOKEN_INCREMENT or _DECREMENT, is_prefix */
  EXPR_LITERAL, /* (type_name) { … }: init */

  /* Unary. */
  EXPR_UNARY,   /* op a: + - ~ !, KEY_REAL, KEY_IMAG, KEY_EXTENSION. Half of a shared
                     complex number is a shared lvalue. */
  EXPR_ADDRESS, /* & a */
  EXPR_DEREF,   /* * a */
  EXPR_CAST,    /* (type_name) a */
  EXPR_SIZEOF,  /* op KEY_SIZEOF, KEY_ALIGNOF, KEY_UPC_…SIZEOF of a or type_name;
                     is_constant: value. Else of a variable-length array, or a shared
                     array under dynamic THREADS: value * THREADS if times_threads */

  /* Binary. */
  EXPR_BINARY,    /* a op b: arithmetic, shifts, comparisons, bit operations */
  EXPR_LOGICAL,   /* a && b, a || b: op TOKEN_AND_AND, TOKEN_OR_OR */
  EXPR_CONDITION, /* a ? b : c; b NULL: a ?: c */
  EXPR_ASSIGN,    /* a = b */
  EXPR_COMPOUND,  /* a op= b: op is the operator without '=' ('+', TOKEN_SHIFT_LEFT …) */
  EXPR_COMMA,     /* a, b */

  /* Builtins with a grammar of their own. */
  EXPR_VA_ARG,           /* __builtin_va_arg (a, type_name) */
  EXPR_OFFSETOF,         /* __builtin_offsetof (type_name, designator…): list holds the
                     expressions in brackets; value if is_constant */
  EXPR_TYPES_COMPATIBLE, /* of names[0] and names[1]; value */
  EXPR_CHOOSE,           /* __builtin_choose_expr (list of 3); a is the chosen one */
  EXPR_BUILTIN_TYPES,    /* other builtins that take types: names and list in order */

  /* Implicit: they cover the tokens of their operand a. */
  EXPR_LOAD,
  EXPR_DECAY,
  EXPR_CONVERT
};

struct type_name;
struct initializer;
struct access_plan;
struct hoisted;
struct lanes;
struct loop;
struct sampled;

struct expr
{
  uint8_t kind;
  bool translate : 1;
  bool is_lvalue : 1;
  bool is_constant : 1;   /* an integer constant expression; value holds it */
  bool is_strict : 1;     /* a shared access here is strict: by its type, or else by
                             the pragma in effect. Set at every shared lvalue. */
  bool is_prefix : 1;     /* EXPR_STEP */
  bool index_swapped : 1; /* EXPR_INDEX */
  bool times_threads : 1; /* EXPR_SIZEOF */
  bool is_bit_field : 1;  /* an lvalue that is a bit-field: member tells which */
  bool is_discarded : 1;  /* the generator's own: nobody wants the value */
  bool is_awaited : 1;    /* the generator's own: a loop waits for another value here */
  bool is_checked : 1;    /* the generator's own: a loop checks its index, or what it points to */
  bool is_raced : 1;      /* the generator's own: a loop tells the race detector of it */
  bool is_reduction : 1;  /* the generator's own: a loop may do it in another order */
  bool is_warned_of : 1;  /* the generator's own: its index is out of bounds */
  uint8_t private_access : 2; /* the generator's own, of a private lvalue: write/race_private.c */
  uint16_t op;                /* a token kind */
  token_index first, last;
  token_index token;      /* where messages point: the operator, the name */
  struct type *type;      /* never NULL */
  struct expr *a, *b, *c; /* in the order of their tokens, but for EXPR_GENERIC and
                             EXPR_CHOOSE, where they are also in the list */
  int64_t value;          /* is_constant, EXPR_SIZEOF: the bits of the value, extended from the
                    type as its sign says */
  union
  {
    struct decl *decl;           /* EXPR_NAME */
    struct decl *member;         /* EXPR_DOT, EXPR_ARROW: a member of the record itself
                                    or of an anonymous one in it; see member_offset */
    struct stmt *body;           /* EXPR_STATEMENT */
    struct type_name *type_name; /* EXPR_CAST, EXPR_SIZEOF, EXPR_LITERAL, EXPR_VA_ARG,
                                    EXPR_OFFSETOF; NULL for sizeof a */
    struct type_name **names;    /* EXPR_GENERIC, EXPR_TYPES_COMPATIBLE … */
  };
  union
  {
    struct expr_list *list;   /* EXPR_CALL, EXPR_GENERIC, EXPR_OFFSETOF, … */
    struct initializer *init; /* EXPR_LITERAL */
    uint64_t member_offset;   /* EXPR_DOT, EXPR_ARROW: bytes from the start of the
                                 record at the left, through anonymous records */
    struct access_plan *plan; /* EXPR_INDEX, EXPR_NAME: plan/plan.h; or NULL */
  };
};

struct expr_list
{
  uint32_t count;
  struct expr *item[];
};

/* A part of specifiers or a declarator that holds expressions or declarations: parts are
   linked in the order of their tokens and do not overlap. */
enum part_kind
{
  PART_EXPR,      /* an array length, an operand of typeof, an alignment, a bit-field
                     width, an attribute's argument that was an expression */
  PART_TYPE_NAME, /* in typeof, _Atomic (…), _Alignas */
  PART_RECORD,    /* struct or union, from the keyword on; a body if open != NO_TOKEN
                     and is_definition */
  PART_ENUM,
  PART_PARAMS /* a function's parameters: from '(' to ')' */
};

struct part
{
  enum part_kind kind;
  bool is_definition; /* PART_RECORD, PART_ENUM: the body is here */
  bool translate;
  token_index first, last;
  union
  {
    struct expr *expr;
    struct type_name *type_name;
    struct record *record;
    struct enumeration *enumeration;
    struct decl *params; /* linked by next; NULL for () and (void) */
  };
  struct part *next;
};

enum storage
{
  STORAGE_NONE,
  STORAGE_TYPEDEF,
  STORAGE_EXTERN,
  STORAGE_STATIC,
  STORAGE_AUTO,
  STORAGE_REGISTER
};

/* Declaration specifiers: `static shared [4] const int`. */
struct specifiers
{
  token_index first, last; /* first > last: there are none (old C) */
  struct type *type;       /* with its qualifiers */
  enum storage storage;
  bool is_thread_local;
  bool is_inline;
  bool is_constexpr;
  bool is_extension;         /* begins with __extension__ */
  bool translate;            /* UPC's qualifiers, or a part that needs it, or a typedef of a
                        type that has_shared */
  token_index storage_token; /* NO_TOKEN: none */
  token_index shared_token;  /* `shared` in these specifiers, or NO_TOKEN */
  token_index layout_first, layout_last; /* its [ … ], or NO_TOKEN */
  struct part *parts;
};

enum decl_kind
{
  DECL_VARIABLE,
  DECL_FUNCTION,
  DECL_TYPEDEF,
  DECL_PARAMETER,
  DECL_MEMBER,
  DECL_ENUMERATOR,
  DECL_BUILTIN /* a function the compiler knows without a declaration */
};

struct decl
{
  enum decl_kind kind;
  struct name *name;          /* NULL: abstract */
  struct type *type;          /* of a parameter: after its adjustment to a pointer */
  struct type *declared_type; /* of a parameter: as written; else same as type */
  enum storage storage;
  bool translate; /* its declarator or specifiers or initialiser */
  bool is_thread_local;
  bool is_inline;
  bool is_definition; /* a function with a body, an object that is not just extern */
  bool is_implicit;   /* a function called without a declaration */
  bool was_void;      /* main, which returns int now */
  bool is_old_style;  /* a parameter declared in a K&R list; a function with one */
  bool is_bit_field;
  bool is_packed;           /* a member with the attribute */
  bool is_pure;             /* a function with the attribute pure or const */
  bool is_told;             /* the generator's own: it, or a declaration before, says what is in the
                               structure that a shared object is in C */
  bool is_kept;             /* the generator's own: a function whose static objects others name */
  bool has_static_duration; /* file scope, static, extern */
  bool is_hidden;           /* an inner scope declares its name anew */
  bool is_global;           /* declared at file scope, or extern */
  bool is_internal;         /* static, or declared so before */
  bool is_repeated;         /* another declaration of what is global says as much */
  bool is_apart;      /* the generator's own: no other name leads to what this pointer leads to */
  bool is_in_indexes; /* the generator's own: indexes have its value, so C may name it nowhere */
  bool has_address_taken;             /* the generator's own: & of it or of a part, in the function
                               that was looked through last or before */
  uint32_t times_named, times_called; /* a function: how often expressions have its name, and how
                                         many of these call it */
  uint32_t align;                     /* bytes, from _Alignas and aligned, 0: none */
  uint32_t scope_depth;               /* 0: file */
  token_index first, last;            /* the declarator, with attributes and asm behind it; of a
                              parameter, with its specifiers */
  token_index name_token;             /* NO_TOKEN: abstract */
  token_index declarator_first, declarator_last; /* the declarator alone; first > last:
                                                    empty */
  token_index suffix_first;        /* asm and attributes between declarator and initialiser:
                               from here to last; NO_TOKEN: none */
  struct specifiers *specifiers;   /* NULL: enumerators, builtins */
  struct part *parts;              /* of the declarator */
  struct initializer *init;        /* NULL: none */
  struct declaration *declaration; /* it stands in; NULL for parameters */
  struct decl *previous;           /* the declaration before of the same thing, or NULL */
  struct decl *next;               /* declarator of the same declaration, parameter, member,
                            enumerator */
  struct decl *next_global;        /* of the unit's globals */
  union
  {
    struct /* DECL_MEMBER */
    {
      struct decl *next_member; /* record->members is linked by this, across
                                   declarations */
      struct record *parent;
      uint64_t offset;     /* bytes; of a bit-field, of the unit of its type that
                               holds it: (bit position in record) / (8 * size) * size */
      uint32_t bit_offset; /* bits from the low end of that unit. A packed bit-field
                               may reach past its end */
      uint32_t bit_width;
      struct expr *width;
    };
    struct /* DECL_FUNCTION */
    {
      struct stmt *body;              /* NULL: a declaration */
      struct declaration *old_params; /* the K&R list, linked by next */
      struct decl *params;            /* of a definition */
      bool is_changed;                /* for the plan: a body that is written again stays so */
    };
    int64_t value; /* DECL_ENUMERATOR */
  };
  struct decl *shadowed; /* scope.c: what its name meant outside */
  /* The generator's own: the bytes of a record that functions access by this pointer; first = end:
     none. */
  uint64_t look_first, look_end;
  void *generator; /* the generator's own; NULL at first */
};

enum declaration_kind
{
  DECLARATION_OBJECTS,  /* specifiers, decls: objects, functions, typedefs, tags */
  DECLARATION_FUNCTION, /* a definition: decls is the one */
  DECLARATION_ASM,
  DECLARATION_ASSERT, /* _Static_assert (expr, …) */
  DECLARATION_EMPTY   /* a stray ; */
};

struct declaration
{
  enum declaration_kind kind;
  bool translate;
  bool gave_way;           /* an extension whose name the program has declared: not written */
  token_index first, last; /* with the ; or the body */
  struct specifiers *specifiers;
  struct decl *decls; /* linked by next; NULL: `struct s { … };` */
  struct expr *expr;  /* _Static_assert */
  struct part *moved; /* at file scope: as in struct stmt */
  struct declaration *next;
};

/* A type name, as in casts: specifiers and an abstract declarator. */
struct type_name
{
  token_index first, last;
  bool translate;
  struct type *type;
  struct specifiers *specifiers;
  struct decl *declarator; /* name NULL; parts, declarator_first and so on */
};

/* Initialisers. Every brace pair and every value has one; braces are resolved
   against the type, with designators and elided braces, into leaves: only where the
   object's type is shared or holds pointers-to-shared, else leaves is NULL. */
struct initializer
{
  token_index first, last;
  bool translate;
  bool is_elided;           /* braces around what holds its object are left out */
  struct type *type;        /* of what it initialises, unknown lengths settled */
  struct expr *expr;        /* a value, conversions included; NULL: a brace pair */
  struct init_item *items;  /* of a brace pair */
  struct init_leaf *leaves; /* of the outermost one, in source order */
};

/* [index], [index ... end], or .name, which old code writes name: */
struct designator
{
  struct name *name;
  struct expr *index, *end; /* NULL: none */
  struct designator *next;
};

struct init_item
{
  token_index first, last; /* designators included */
  struct designator *designators;
  struct initializer *value;
  struct init_item *next;
};

/* One value of one subobject, or of a range of elements of one array: later leaves win. */
struct init_leaf
{
  struct type *type;   /* of the subobject, not an array but for string literals */
  struct decl *member; /* the bit-field, or NULL */
  uint64_t element;    /* which ultimate element of the outermost object */
  uint64_t offset;     /* bytes within that element: 0 unless it is a record */
  uint64_t count;      /* 1, or the length of [first ... last] */
  uint64_t stride;     /* between those: in elements if stride_is_elements, else bytes */
  bool stride_is_elements;
  struct expr *expr;
  struct init_leaf *next;
};

enum stmt_kind
{
  STMT_BLOCK,         /* { items }, linked by next */
  STMT_EXPR,          /* expr ; */
  STMT_EMPTY,         /* ; and attributes: __attribute__ ((fallthrough)); */
  STMT_DECLARATION,   /* declaration, in a block */
  STMT_IF,            /* expr, then, otherwise */
  STMT_SWITCH,        /* expr, then */
  STMT_WHILE,         /* expr, then */
  STMT_DO,            /* then, expr */
  STMT_FOR,           /* init_expr or declaration; expr; step; then */
  STMT_FORALL,        /* the same; affinity */
  STMT_GOTO,          /* name */
  STMT_GOTO_COMPUTED, /* goto * expr */
  STMT_CONTINUE,
  STMT_BREAK,
  STMT_RETURN,      /* expr or NULL */
  STMT_LABEL,       /* name : then */
  STMT_CASE,        /* case expr: then, case expr ... step: then */
  STMT_DEFAULT,     /* default: then */
  STMT_ASM,         /* operands in list; op: how many of them are outputs */
  STMT_LOCAL_LABEL, /* __label__ a, b; */
  STMT_BARRIER,     /* upc_barrier, op: KEY_UPC_BARRIER, _NOTIFY, _WAIT, _FENCE; expr or
                       NULL */
};

enum affinity_kind
{
  AFFINITY_NONE,
  AFFINITY_CONTINUE,
  AFFINITY_INTEGER,
  AFFINITY_POINTER
};

struct stmt
{
  enum stmt_kind kind;
  bool translate;
  bool is_strict; /* #pragma upc strict is in effect at its start */
  uint16_t op;
  uint8_t affinity_kind;
  bool gives_value; /* the generator's own: that of a statement expression */
  bool is_while;    /* the planner's own: a for that the program has as a while, … */
  bool is_do;       /* … or as a do, … */
  bool is_step;     /* … and what was its step, in its body */
  bool is_seldom;   /* the planner's own: an assignment, for which the C compiler is to jump */
  token_index first, last;
  struct expr *expr;
  struct expr *step;
  struct expr *affinity;
  union
  {
    struct stmt *then;
    struct stmt *items;
  };
  struct stmt *otherwise;
  union
  {
    struct expr *init_expr; /* STMT_FOR, STMT_FORALL without a declaration */
    struct expr_list *list; /* STMT_ASM: operands' expressions */
    struct name *name;
  };
  struct declaration *declaration; /* STMT_DECLARATION, STMT_FOR, STMT_FORALL */
  struct loop *plan;               /* STMT_FOR, STMT_FORALL: plan/plan.h */
  struct sampled
      *sampled;          /* the planner's own: a loop of which some iterations only raise events */
  struct loop *whole;    /* the planner's own: the loop of whose iterations this one does some */
  struct stmt *all_near; /* the planner's own: what is done instead where all partitions are near */
  struct hoisted *hoisted; /* the planner's own: pointers that a loop has the values of */
  struct lanes *lanes;     /* the planner's own: a loop over these around a statement */
  struct expr *fixed;      /* the planner's own: a block that is one iteration of a loop, and the
                                      name of its counter, a constant here */
  /* In a block: types that are defined in what C does not spell, as in a cast to a
     pointer-to-shared. They are defined before it. */
  struct part *moved;
  struct stmt *next; /* in a block */
};

#endif
