/* upc_atomic.h: atomic memory operations (UPC 1.3, optional library, 7.6). For UPC source; C has
   no shared types.

   An atomicity domain names one type and a set of operations. Between two barriers, objects
   that are accessed through a domain are accessed through that domain only.

       types                                                   operations
       UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG, UPC_INT32,      all below
       UPC_UINT32, UPC_INT64, UPC_UINT64
       UPC_FLOAT, UPC_DOUBLE                                   all but AND, OR, XOR
       UPC_PTS (a pointer-to-shared)                           GET, SET, CSWAP

   An error that the runtime detects ends the run with a message that names the function and
   the source line, and exit status 1. Where upcc sees the type of the target, as in &x of a
   shared int x, it is compared with the type of the domain: another size, or floating point
   instead of integer, is an error; with UPC_CHECK=1 in the environment, so is signed instead
   of unsigned. */

#ifndef _UPC_ATOMIC_H
#define _UPC_ATOMIC_H

#ifndef __UPC__
#error upc_atomic.h is for UPC source: C has no shared types
#endif

#include <upc_types.h>
#include <upct/domain.h>

#ifndef __UPC_ATOMIC__
#define __UPC_ATOMIC__ 1
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* An atomicity domain. (7.6.3.1) */
struct upc_atomicdomain_struct;
typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;

/* What to optimise a domain for; ignored by this implementation. (7.6.3.2) */
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2
/* As the specification spells it. */
#define UPC_ATMOIC_HINT_THROUGHPUT UPC_ATOMIC_HINT_THROUGHPUT

/* Creates a domain for TYPE and for the operations or-ed together in OPS; null if there is not
   enough memory. Collective, with single-valued arguments: all threads get the same domain. It
   is an error if TYPE does not have one of OPS. (7.6.4.1) */
extern upc_atomicdomain_t *upc_all_atomicdomain_alloc (upc_type_t __type, upc_op_t __ops,
                                                       upc_atomichint_t __hints);

/* Destroys DOMAIN after all threads have entered. Does nothing if DOMAIN is null. Collective,
   with a single-valued argument. (7.6.4.2) */
extern void upc_all_atomicdomain_free (upc_atomicdomain_t *__domain);

/* Does OP on *TARGET atomically. If FETCH_PTR is not null, stores there the value of *TARGET
   before OP. The access to *TARGET is strict or relaxed, as the name says. Not collective.

       UPC_GET                          no change; fetch_ptr must not be null
       UPC_SET                          *target = *operand1
       UPC_CSWAP                        if (*target == *operand1) *target = *operand2
       UPC_ADD, SUB, MULT, AND, OR, XOR  *target op= *operand1; integers wrap around
       UPC_MIN, UPC_MAX                 the smaller, the larger of *target and *operand1; of
                                        operands that do not compare (NaN), *operand1
       UPC_INC, UPC_DEC                 *target += 1, *target -= 1

   An operand that OP does not use must be null. It is an error if DOMAIN does not allow OP.
   (7.6.4.3) */
extern void upc_atomic_strict (upc_atomicdomain_t *__domain, void *restrict __fetch_ptr,
                               upc_op_t __op, shared void *restrict __target,
                               const void *restrict __operand1, const void *restrict __operand2);
extern void upc_atomic_relaxed (upc_atomicdomain_t *__domain, void *restrict __fetch_ptr,
                                upc_op_t __op, shared void *restrict __target,
                                const void *restrict __operand1, const void *restrict __operand2);

/* Returns 1 if each of OPS on an object of TYPE at ADDR is one hardware instruction or one
   compare-and-swap without a loop, else 0. ADDR counts by its alignment; which thread has the
   object makes no difference. Not collective. (7.6.4.4) */
extern int upc_atomic_isfast (upc_type_t __type, upc_op_t __ops, shared void *__addr);

#ifdef __cplusplus
}
#endif

#ifdef _UPCT_ACCESS_H
/* The type of DOMAIN, for GASP events. Each thread reads it in its own partition. */
__UPC_INLINE upc_type_t
__upc_domain_type (upc_atomicdomain_t *__domain)
{
  const unsigned long *__word = (const unsigned long *) __domain;

#ifdef __UPC_NETWORK__
  if (__word)
    __word = (const unsigned long *) __upc_own_piece (__word);
#endif
  return __word ? *__word >> __UPC_DOMAIN_TYPE_SHIFT & __UPC_DOMAIN_TYPES : 0;
}
#endif

/* In code that upcc compiles without --profile and -fupc-check=race, operations that are constants
   are inline. */
#if defined _UPCT_ACCESS_H && !defined __UPC_PUPC_INST__ && !defined __UPC_RACE__
#include <upct/atomic.h>
#endif

#endif
