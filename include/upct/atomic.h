/* upct/atomic.h: inline atomic operations, for UPC source that upcc compiles. The type is that
   of the target's expression, and the operation is a constant. All other calls, and wrong ones,
   go to the library's function, together with the type.

   MULT, MIN and MAX, and arithmetic on floating types, are loops in the library. */

#ifndef _UPCT_ATOMIC_H
#define _UPCT_ATOMIC_H
#pragma GCC system_header

/* upc_atomic_relaxed and upc_atomic_strict of a target whose type is known: an error where the
   domain is for another. */
extern void upct_atomic_relaxed (upc_type_t __type, upc_atomicdomain_t *__domain, void *__fetch,
                                 upc_op_t __op, shared void *__target, const void *__operand1,
                                 const void *__operand2);
extern void upct_atomic_strict (upc_type_t __type, upc_atomicdomain_t *__domain, void *__fetch,
                                upc_op_t __op, shared void *__target, const void *__operand1,
                                const void *__operand2);

enum
{
  __upc_order_relaxed = __ATOMIC_RELAXED,
  __upc_order_strict = __ATOMIC_SEQ_CST
};

/* Is DOMAIN, of which a word is at WORD, one of TYPE that allows OP, and is everything there that OP needs? */
#define __UPC_ATOMIC_HAS(type, word)                                                      \
  ((*(word) & (~0UL << __UPC_DOMAIN_TYPE_SHIFT | __op)) == __UPC_DOMAIN_WORD (type, __op) \
   && !__operand1 == (__op == UPC_GET || __op == UPC_INC || __op == UPC_DEC)              \
   && !__operand2 == (__op != UPC_CSWAP))

/* In a program of several processes the target has to be near, and the library has what orders stores on their
   way. Each thread has a domain in its own partition, too. */
#if defined _UPCT_NETWORK_H
#define __UPC_ATOMIC_MAY(type, order)                             \
  (order == __upc_order_relaxed && __word && __upc_is_near (__at) \
   && __UPC_ATOMIC_HAS (type, (const unsigned long *) __upc_own_piece (__word)))
#elif defined __UPC_NETWORK__
#define __UPC_ATOMIC_MAY(type, order) (__word = 0, (void) __at, (void) __value, (void) __old, 0)
#else
#define __UPC_ATOMIC_MAY(type, order) (__word && __at && __UPC_ATOMIC_HAS (type, __word))
#endif

#define __UPC_ATOMIC_FUNCTION(how, order, name, ctype, type, operations)                         \
  __UPC_INLINE void __upc_atomic_##how##_##name (upc_atomicdomain_t *__domain, void *__fetch,    \
                                                 upc_op_t __op, shared void *__target,           \
                                                 const void *__operand1, const void *__operand2) \
  {                                                                                              \
    const unsigned long *__word = (const unsigned long *) __domain;                              \
    ctype *__at = (ctype *) __target;                                                            \
    const ctype *__value = (const ctype *) __operand1;                                           \
    ctype __old;                                                                                 \
                                                                                                 \
    if (__builtin_constant_p (__op) && __UPC_ATOMIC_MAY (type, order))                           \
      switch (__op)                                                                              \
        {                                                                                        \
        case UPC_GET:                                                                            \
          if (!__fetch)                                                                          \
            break;                                                                               \
          if (order == __upc_order_strict)                                                       \
            __upc_strict_fence ();                                                               \
          __atomic_load (__at, (ctype *) __fetch, order);                                        \
          return;                                                                                \
        case UPC_SET:                                                                            \
          __old = *__value;                                                                      \
          if (__fetch)                                                                           \
            __atomic_exchange (__at, &__old, (ctype *) __fetch, order);                          \
          else                                                                                   \
            __atomic_store (__at, &__old, order);                                                \
          __UPC_ATOMIC_END (order)                                                               \
          operations (order, ctype)                                                              \
        }                                                                                        \
    upct_atomic_##how (type, __domain, __fetch, __op, __target, __operand1, __operand2);         \
  }

#define __UPC_ATOMIC_END(order)    \
  if (order == __upc_order_strict) \
    __upc_strict_end ();           \
  return;

/* An operation whose old value nobody wants is a shorter instruction. */
#define __UPC_ATOMIC_CASE(order, ctype, op, builtin, value) \
  case op:                                                  \
    if (__fetch)                                            \
      *(ctype *) __fetch = builtin (__at, value, order);    \
    else                                                    \
      (void) builtin (__at, value, order);                  \
    __UPC_ATOMIC_END (order)

#define __UPC_ATOMIC_INTEGER(order, ctype)                                           \
  __UPC_ATOMIC_CASE (order, ctype, UPC_ADD, __atomic_fetch_add, *__value)            \
  __UPC_ATOMIC_CASE (order, ctype, UPC_SUB, __atomic_fetch_sub, *__value)            \
  __UPC_ATOMIC_CASE (order, ctype, UPC_INC, __atomic_fetch_add, 1)                   \
  __UPC_ATOMIC_CASE (order, ctype, UPC_DEC, __atomic_fetch_sub, 1)                   \
  __UPC_ATOMIC_CASE (order, ctype, UPC_AND, __atomic_fetch_and, *__value)            \
  __UPC_ATOMIC_CASE (order, ctype, UPC_OR, __atomic_fetch_or, *__value)              \
  __UPC_ATOMIC_CASE (order, ctype, UPC_XOR, __atomic_fetch_xor, *__value)            \
  case UPC_CSWAP:                                                                    \
    __old = *__value;                                                                \
    __atomic_compare_exchange (__at, &__old, (ctype *) __operand2, 0, order, order); \
    if (__fetch)                                                                     \
      *(ctype *) __fetch = __old;                                                    \
    __UPC_ATOMIC_END (order)

#define __UPC_ATOMIC_FLOATING(order, ctype)

#define __UPC_ATOMIC_BOTH(name, ctype, type, operations)                              \
  __UPC_ATOMIC_FUNCTION (relaxed, __upc_order_relaxed, name, ctype, type, operations) \
  __UPC_ATOMIC_FUNCTION (strict, __upc_order_strict, name, ctype, type, operations)

__UPC_ATOMIC_BOTH (int, int, UPC_INT, __UPC_ATOMIC_INTEGER)
__UPC_ATOMIC_BOTH (uint, unsigned int, UPC_UINT, __UPC_ATOMIC_INTEGER)
__UPC_ATOMIC_BOTH (long, long, UPC_LONG, __UPC_ATOMIC_INTEGER)
__UPC_ATOMIC_BOTH (ulong, unsigned long, UPC_ULONG, __UPC_ATOMIC_INTEGER)
__UPC_ATOMIC_BOTH (float, float, UPC_FLOAT, __UPC_ATOMIC_FLOATING)
__UPC_ATOMIC_BOTH (double, double, UPC_DOUBLE, __UPC_ATOMIC_FLOATING)

/* No domain is for these. */
#define __UPC_ATOMIC_NONE(how, name, type)                                                       \
  __UPC_INLINE void __upc_atomic_##how##_##name (upc_atomicdomain_t *__domain, void *__fetch,    \
                                                 upc_op_t __op, shared void *__target,           \
                                                 const void *__operand1, const void *__operand2) \
  {                                                                                              \
    upct_atomic_##how (type, __domain, __fetch, __op, __target, __operand1, __operand2);         \
  }

#define __UPC_ATOMIC_NEITHER(name, type)  \
  __UPC_ATOMIC_NONE (relaxed, name, type) \
  __UPC_ATOMIC_NONE (strict, name, type)

__UPC_ATOMIC_NEITHER (char, UPC_CHAR)
__UPC_ATOMIC_NEITHER (short, UPC_SHORT)
__UPC_ATOMIC_NEITHER (ldouble, UPC_LDOUBLE)

#define __UPC_ATOMIC_ARM(how, name, ...)                                                    \
  shared __VA_ARGS__ * : __upc_atomic_##how##_##name,                                       \
                         strict shared __VA_ARGS__ * : __upc_atomic_##how##_##name,         \
                                                       shared[] __VA_ARGS__                 \
                                                           * : __upc_atomic_##how##_##name, \
                                                               strict shared[] __VA_ARGS__  \
                                                                   * : __upc_atomic_##how##_##name

/* Pointers of other types, such as shared void *, and of other block sizes have the library's
   function. */
#define __UPC_ATOMIC_SELECT(how, target)                                                           \
  _Generic((target), __UPC_ATOMIC_ARM (how, int, int), __UPC_ATOMIC_ARM (how, uint, unsigned int), \
           __UPC_ATOMIC_ARM (how, long, long), __UPC_ATOMIC_ARM (how, ulong, unsigned long),       \
           __UPC_ATOMIC_ARM (how, float, float), __UPC_ATOMIC_ARM (how, double, double),           \
           __UPC_ATOMIC_ARM (how, char, char), __UPC_ATOMIC_ARM (how, char, signed char),          \
           __UPC_ATOMIC_ARM (how, char, unsigned char), __UPC_ATOMIC_ARM (how, short, short),      \
           __UPC_ATOMIC_ARM (how, short, unsigned short),                                          \
           __UPC_ATOMIC_ARM (how, ldouble, long double), default                                   \
           : upc_atomic_##how)

#define upc_atomic_relaxed(domain, fetch, op, target, operand1, operand2) \
  __UPC_ATOMIC_SELECT (relaxed, target) (domain, fetch, op, target, operand1, operand2)
#define upc_atomic_strict(domain, fetch, op, target, operand1, operand2) \
  __UPC_ATOMIC_SELECT (strict, target) (domain, fetch, op, target, operand1, operand2)

#endif
