/* upc_atomic.h: atomic memory operations (UPC 1.3, optional library, 7.6).

   A domain names one type and the operations that its users will do. While they do,
   between two barriers, nothing else accesses those objects.

       types                                                   operations
       UPC_INT, UPC_UINT, UPC_LONG, UPC_ULONG, UPC_INT32,      all below
       UPC_UINT32, UPC_INT64, UPC_UINT64
       UPC_FLOAT, UPC_DOUBLE                                   all but AND, OR, XOR
       UPC_PTS (a pointer-to-shared)                           GET, SET, CSWAP

   Wrong use ends the run with one line that names the function and what is wrong, and
   exit status 1. The type of a target is compared with the domain's where upcc sees it, as in
   &x of a shared int x: another size, or floating point for integer, is an error; with
   UPC_CHECK=1 in the environment signed for unsigned is one too. */

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

struct upc_atomicdomain_struct;
typedef shared struct upc_atomicdomain_struct upc_atomicdomain_t;

/* What to favour in a domain; it makes no difference here. */
typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2
/* As the specification spells it. */
#define UPC_ATMOIC_HINT_THROUGHPUT UPC_ATOMIC_HINT_THROUGHPUT

/* A new domain for TYPE and the operations or-ed together in OPS; null where there is
   no memory. Collective, with the same arguments on all threads. (7.6.4.1) */
extern upc_atomicdomain_t *upc_all_atomicdomain_alloc (upc_type_t __type, upc_op_t __ops,
                                                       upc_atomichint_t __hints);

/* Ends a domain once all threads have entered; null is nothing. Collective, with the
   same argument on all threads. (7.6.4.2) */
extern void upc_all_atomicdomain_free (upc_atomicdomain_t *__domain);

/* One operation on *TARGET, and what it was before into *FETCH_PTR unless that is null:

       UPC_GET                          nothing; fetch_ptr must be there
       UPC_SET                          = *operand1
       UPC_CSWAP                        == *operand1 ? = *operand2 : nothing
       UPC_ADD, SUB, MULT, AND, OR, XOR  op= *operand1; integers wrap around
       UPC_MIN, UPC_MAX                 = the smaller, the larger of it and *operand1, which
                                        is taken where neither is, as with a NaN
       UPC_INC, UPC_DEC                 += 1, -= 1

   An operand that the operation does not have must be null. Strict and relaxed are
   the accesses to *TARGET. (7.6.4.3) */
extern void upc_atomic_strict (upc_atomicdomain_t *__domain, void *restrict __fetch_ptr,
                               upc_op_t __op, shared void *restrict __target,
                               const void *restrict __operand1, const void *restrict __operand2);
extern void upc_atomic_relaxed (upc_atomicdomain_t *__domain, void *restrict __fetch_ptr,
                                upc_op_t __op, shared void *restrict __target,
                                const void *restrict __operand1, const void *restrict __operand2);

/* 1: each of OPS on an object of TYPE at ADDR is one hardware instruction, or a
   compare-and-swap that does not repeat; 0: not. Any thread is as near as any other.
   (7.6.4.4) */
extern int upc_atomic_isfast (upc_type_t __type, upc_op_t __ops, shared void *__addr);

#ifdef _UPCT_ACCESS_H
/* The type of DOMAIN, for a performance tool. */
__UPC_INLINE upc_type_t
__upc_domain_type (upc_atomicdomain_t *__domain)
{
  const unsigned long *__word = (const unsigned long *) __domain;

  return __word ? *__word >> __UPC_DOMAIN_TYPE_SHIFT & 0xff : 0;
}
#endif

/* With the access code of upcc in front and no tool: in line where the operation is a constant,
   and with optimisation. */
#if defined _UPCT_ACCESS_H && !defined __UPC_PUPC_INST__
#include <upct/atomic.h>
#endif

#endif
