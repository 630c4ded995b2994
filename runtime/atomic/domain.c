/* Atomicity domains. */

#include "runtime/atomic/atomic.h"

#include "runtime/atomic/operations.h"
#include "runtime/host/host.h"
#include "runtime/sync/sync.h"

/* Written once, by thread 0 before the others know of it; the word again when it is
   freed. The rest says what the word says, for those that have it checked. */
struct domain
{
  _Alignas(64) uint64_t word;
  const struct upcr_atomic_type *type;
};

static const char *const type_names[] = {
  [UPC_CHAR] = "UPC_CHAR",     [UPC_UCHAR] = "UPC_UCHAR",   [UPC_SHORT] = "UPC_SHORT",
  [UPC_USHORT] = "UPC_USHORT", [UPC_INT] = "UPC_INT",       [UPC_UINT] = "UPC_UINT",
  [UPC_LONG] = "UPC_LONG",     [UPC_ULONG] = "UPC_ULONG",   [UPC_LLONG] = "UPC_LLONG",
  [UPC_ULLONG] = "UPC_ULLONG", [UPC_INT8] = "UPC_INT8",     [UPC_UINT8] = "UPC_UINT8",
  [UPC_INT16] = "UPC_INT16",   [UPC_UINT16] = "UPC_UINT16", [UPC_INT32] = "UPC_INT32",
  [UPC_UINT32] = "UPC_UINT32", [UPC_INT64] = "UPC_INT64",   [UPC_UINT64] = "UPC_UINT64",
  [UPC_FLOAT] = "UPC_FLOAT",   [UPC_DOUBLE] = "UPC_DOUBLE", [UPC_LDOUBLE] = "UPC_LDOUBLE",
  [UPC_PTS] = "UPC_PTS",
};

static const char *const op_names[] = {
  "UPC_ADD", "UPC_MULT", "UPC_AND", "UPC_OR",    "UPC_XOR", "UPC_LOGAND", "UPC_LOGOR", "UPC_MIN",
  "UPC_MAX", "UPC_GET",  "UPC_SET", "UPC_CSWAP", "UPC_SUB", "UPC_INC",    "UPC_DEC",
};

static unsigned
op_number (upc_op_t op)
{
  return __builtin_ctzl (op);
}

static _Noreturn void
refuse_type (upc_type_t type)
{
  if (type > 0 && type < (int) (sizeof type_names / sizeof *type_names))
    upcr_fatal ("upc_all_atomicdomain_alloc: %s has no atomic operations", type_names[type]);
  upcr_fatal ("upc_all_atomicdomain_alloc: %d is no type", type);
}

static void
check_ops (upc_type_t type, upc_op_t ops, upc_op_t there_are)
{
  upc_op_t wrong = ops & ~there_are;

  if (wrong == 0)
    return;
  if (op_number (wrong) < UPCR_ATOMIC_OPERATIONS)
    upcr_fatal ("upc_all_atomicdomain_alloc: %s has no atomic %s", type_names[type],
                op_names[op_number (wrong)]);
  upcr_fatal ("upc_all_atomicdomain_alloc: %#lx is no atomic operation", wrong & -wrong);
}

static uint64_t
word_of (const struct upcr_atomic_type *type, upc_op_t ops)
{
  return __UPC_DOMAIN_WORD (type->type, ops) | (upcr_is_checked ? __UPC_DOMAIN_CHECKED : 0);
}

upcr_pts
upcr_all_domain_alloc (upc_type_t type, upc_op_t ops)
{
  const char *what = "upc_all_atomicdomain_alloc";
  struct upcr_broadcast mine = { what, { (size_t) type, ops }, upcr_pts_null () };
  const struct upcr_atomic_type *its_type = upcr_atomic_type_of (type);
  const struct upcr_broadcast *first;

  if (!its_type)
    refuse_type (type);
  check_ops (type, ops, its_type->ops);
  if (MYTHREAD == 0)
    {
      mine.result = upcr_local_alloc_aligned (sizeof (struct domain), sizeof (struct domain),
                                              "upc_all_atomicdomain_alloc");
      if (!upcr_pts_is_null (mine.result))
        *(struct domain *) upcr_pts_address (mine.result)
            = (struct domain){ word_of (its_type, ops), its_type };
    }
  first = upcr_broadcast_from_0 (&mine);
  if (first->arguments[0] != (size_t) type || first->arguments[1] != ops)
    upcr_fatal ("%s (%s, %#lx), but thread 0 calls %s (%s, %#lx)", what, type_names[type], ops,
                what, type_names[first->arguments[0]], first->arguments[1]);
  return first->result;
}

static const struct domain *
domain_at (upcr_pts domain)
{
  return (const struct domain *) upcr_pts_address (domain);
}

size_t
upcr_atomic_bytes (upcr_pts domain)
{
  if (upcr_pts_is_null (domain)
      || domain_at (domain)->word >> __UPC_DOMAIN_MARK_SHIFT != __UPC_DOMAIN_LIVE)
    return 0;
  return domain_at (domain)->type->bytes;
}

/* Ends the run unless DOMAIN, which is not null, is one. */
static void
check_live (upcr_pts domain, const char *what)
{
  uint64_t mark = domain_at (domain)->word >> __UPC_DOMAIN_MARK_SHIFT;

  if (mark == __UPC_DOMAIN_FREED)
    {
      char freeing[UPCR_TEXT_BYTES];

      upcr_end_once ();
      upcr_freeing_text_anywhere (domain_at (domain), freeing, sizeof freeing);
      upcr_fatal ("%s: the atomicity domain was freed%s", what, freeing);
    }
  if (mark != __UPC_DOMAIN_LIVE)
    upcr_fatal ("%s: not an atomicity domain", what);
}

void
upcr_all_domain_free (upcr_pts domain)
{
  const char *what = "upc_all_atomicdomain_free";

  if (!upcr_agree_to_free (domain, what) || upcr_pts_is_null (domain))
    return;
  check_live (domain, what);
  *(uint64_t *) upcr_pts_address (domain) = __UPC_DOMAIN_FREED << __UPC_DOMAIN_MARK_SHIFT;
  upcr_library_free (domain, what);
}

/* As C names the types that a target may have. */
static const char *const target_names[] = {
  [UPC_CHAR] = "char",
  [UPC_SHORT] = "short",
  [UPC_INT] = "int",
  [UPC_UINT] = "unsigned int",
  [UPC_LONG] = "long",
  [UPC_ULONG] = "unsigned long",
  [UPC_FLOAT] = "float",
  [UPC_DOUBLE] = "double",
  [UPC_LDOUBLE] = "long double",
  [UPC_PTS] = "a pointer-to-shared",
};

/* C lets an object be reached as signed and as unsigned. */
static bool
are_alike (const struct upcr_atomic_type *a, const struct upcr_atomic_type *b)
{
  return b && a->bytes == b->bytes && a->ops == b->ops;
}

/* What is no domain is for the operation itself to refuse. */
void
upcr_check_target_type (const char *what, upcr_pts domain, upc_type_t type)
{
  const struct upcr_atomic_type *its_type;

  if (upcr_pts_is_null (domain)
      || domain_at (domain)->word >> __UPC_DOMAIN_MARK_SHIFT != __UPC_DOMAIN_LIVE)
    return;
  its_type = domain_at (domain)->type;
  if (its_type->type != type
      && (upcr_refuses_suspicious () || !are_alike (its_type, upcr_atomic_type_of (type))))
    upcr_fatal ("%s: the target is of type %s, but the domain for %s", what, target_names[type],
                target_names[its_type->type]);
}

static bool
has_operand1 (upc_op_t op)
{
  return !(op & (UPC_GET | UPC_INC | UPC_DEC));
}

/* The operands that OP shall have and no others, and where to put what it gets. */
static inline bool
is_complete (upc_op_t op, const void *fetch, const void *operand1, const void *operand2)
{
  return (operand1 != NULL) == has_operand1 (op) && (operand2 != NULL) == (op == UPC_CSWAP)
         && (fetch || op != UPC_GET);
}

static __attribute__ ((cold)) void
check_operand (const char *what, upc_op_t op, int number, bool is_wanted, const void *operand)
{
  if (is_wanted && !operand)
    upcr_fatal ("%s: %s without operand%d", what, op_names[op_number (op)], number);
  if (!is_wanted && operand)
    upcr_fatal ("%s: %s has no operand%d, which must be null", what, op_names[op_number (op)],
                number);
}

/* Says what is wrong. */
static _Noreturn __attribute__ ((cold, noinline)) void
refuse (const char *what, upcr_pts domain, upc_op_t op, upcr_pts target, const void *operand1,
        const void *operand2)
{
  if (upcr_pts_is_null (domain))
    upcr_fatal ("%s: a null pointer to an atomicity domain", what);
  check_live (domain, what);
  if (op == 0 || (op & (op - 1)) || op_number (op) >= UPCR_ATOMIC_OPERATIONS)
    upcr_fatal ("%s: %#lx is not one atomic operation", what, op);
  if (!(domain_at (domain)->word & op))
    upcr_fatal ("%s: the domain was allocated without %s", what, op_names[op_number (op)]);
  if (upcr_pts_is_null (target))
    upcr_fatal ("%s: the target is a null pointer", what);
  check_operand (what, op, 1, has_operand1 (op), operand1);
  check_operand (what, op, 2, op == UPC_CSWAP, operand2);
  upcr_fatal ("%s: UPC_GET without fetch_ptr", what);
}

static _Noreturn __attribute__ ((cold, noinline)) void
refuse_alignment (const char *what, const struct domain *domain, upcr_pts target)
{
  char text[UPCR_TEXT_BYTES];

  upcr_end_once ();
  upcr_access_text (upcr_pts_thread (target), upcr_pts_offset (target), 0, text, sizeof text);
  upcr_fatal ("%s: the target is not aligned for %s: %s", what, type_names[domain->type->type],
              text);
}

/* That processors do such an operation, or that it is atomic there, is nothing to rely on. */
static inline void
check_alignment (const char *what, const struct domain *domain, upcr_pts target)
{
  size_t bytes = domain->type->bytes, most = sizeof (uint64_t);

  if (__builtin_expect (upcr_is_checked, 0)
      && upcr_pts_offset (target) % (bytes < most ? bytes : most) != 0)
    refuse_alignment (what, domain, target);
}

/* By the calling thread, where all memory is its process's (network/domain.c). */
#ifndef OPERATE
#define OPERATE(order) \
  d->type->order[op_number (op)](upcr_pts_address (target), fetch, operand1, operand2)
#endif

#define OPERATION(order)                                                                       \
  void upcr_atomic_##order (upcr_pts domain, void *fetch, upc_op_t op, upcr_pts target,        \
                            const void *operand1, const void *operand2)                        \
  {                                                                                            \
    const struct domain *d = domain_at (domain);                                               \
                                                                                               \
    if (__builtin_expect (upcr_pts_is_null (domain) || upcr_pts_is_null (target)               \
                              || d->word >> __UPC_DOMAIN_MARK_SHIFT != __UPC_DOMAIN_LIVE       \
                              || (op & (uint32_t) d->word) != op || op == 0 || (op & (op - 1)) \
                              || !is_complete (op, fetch, operand1, operand2),                 \
                          0))                                                                  \
      refuse ("upc_atomic_" #order, domain, op, target, operand1, operand2);                   \
    upcr_check_range (target, d->type->bytes, "upc_atomic_" #order);                           \
    check_alignment ("upc_atomic_" #order, d, target);                                         \
    OPERATE (order);                                                                           \
  }

OPERATION (relaxed)
OPERATION (strict)

bool
upcr_atomic_is_fast (upc_type_t type, upc_op_t ops, const void *address)
{
  const struct upcr_atomic_type *its_type = upcr_atomic_type_of (type);

  return its_type && (ops & ~its_type->fast_ops) == 0 && (uintptr_t) address % its_type->bytes == 0;
}
