/* upct/atomic_at.h: an atomic operation on memory of any process, in programs of several processes. */

#ifndef _UPCT_ATOMIC_AT_H
#define _UPCT_ATOMIC_AT_H

enum
{
  __UPC_AT_get,
  __UPC_AT_set,
  __UPC_AT_cswap,
  __UPC_AT_add,
  __UPC_AT_and,
  __UPC_AT_or,
  __UPC_AT_xor
};

/* AT is the address of BYTES of an integer or floating type, 4 or 8, in private memory or where shared memory
   lies in all processes. *OLD, unless OLD is null, becomes what was there. */
extern void __upc_atomic_at (void *__at, unsigned long __bytes, int __is_floating, int __operation,
                             void *__old, const void *__operand1, const void *__operand2,
                             int __is_strict);

#endif
