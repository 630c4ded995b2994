/* upct/atomic_object.h: accesses to shared _Atomic objects in programs of several processes. Part of
   upct/network.h. As C's, they order all others of their thread. Words in memory that is near are accessed by the
   processor, which has one order for all processes of the node. Everything else is done by the process that has the
   object (runtime/atomic/network/object.c). */

#ifndef _UPCT_ATOMIC_OBJECT_H
#define _UPCT_ATOMIC_OBJECT_H

enum
{
  __UPC_OBJECT_load,
  __UPC_OBJECT_store,
  __UPC_OBJECT_cswap, /* stores DESIRED if EXPECTED is there */
  __UPC_OBJECT_add,   /* … and what follows: integers, by DESIRED */
  __UPC_OBJECT_sub,
  __UPC_OBJECT_and,
  __UPC_OBJECT_or,
  __UPC_OBJECT_xor,

  __UPC_OBJECT_BYTES = 4096 /* that an object has at most */
};

/* An object of BYTES. *OLD becomes what was there; it is NULL for a store. */
extern void __upc_object_at (int __operation, void *__object, unsigned long __bytes, void *__old,
                             const void *__desired, const void *__expected);

/* Whether the processor accesses it at once. */
static __inline__ __attribute__ ((__unused__)) int
__upc_is_word (const volatile void *__object, unsigned long __bytes)
{
  return __bytes <= sizeof (unsigned long) && (__bytes & (__bytes - 1)) == 0
         && ((unsigned long) __object & (__bytes - 1)) == 0;
}

#define __UPC_OPERATE(bits, type)                                                   \
  typedef type __attribute__ ((__may_alias__)) __upc_word_##bits;                   \
                                                                                    \
  static __inline__ __attribute__ ((__unused__)) void __upc_operate_##bits (        \
      int __operation, volatile void *__object, void *__old, const void *__desired, \
      const void *__expected)                                                       \
  {                                                                                 \
    volatile __upc_word_##bits *__at = (volatile __upc_word_##bits *) __object;     \
    const __upc_word_##bits *__value = (const __upc_word_##bits *) __desired;       \
    __upc_word_##bits __was = 0;                                                    \
                                                                                    \
    switch (__operation)                                                            \
      {                                                                             \
      case __UPC_OBJECT_load:                                                       \
        __was = __atomic_load_n (__at, __ATOMIC_SEQ_CST);                           \
        break;                                                                      \
      case __UPC_OBJECT_store:                                                      \
        __atomic_store_n (__at, *__value, __ATOMIC_SEQ_CST);                        \
        return;                                                                     \
      case __UPC_OBJECT_cswap:                                                      \
        __was = *(const __upc_word_##bits *) __expected;                            \
        __atomic_compare_exchange_n (__at, &__was, *__value, 0, __ATOMIC_SEQ_CST,   \
                                     __ATOMIC_SEQ_CST);                             \
        break;                                                                      \
      case __UPC_OBJECT_add:                                                        \
        __was = __atomic_fetch_add (__at, *__value, __ATOMIC_SEQ_CST);              \
        break;                                                                      \
      case __UPC_OBJECT_sub:                                                        \
        __was = __atomic_fetch_sub (__at, *__value, __ATOMIC_SEQ_CST);              \
        break;                                                                      \
      case __UPC_OBJECT_and:                                                        \
        __was = __atomic_fetch_and (__at, *__value, __ATOMIC_SEQ_CST);              \
        break;                                                                      \
      case __UPC_OBJECT_or:                                                         \
        __was = __atomic_fetch_or (__at, *__value, __ATOMIC_SEQ_CST);               \
        break;                                                                      \
      default:                                                                      \
        __was = __atomic_fetch_xor (__at, *__value, __ATOMIC_SEQ_CST);              \
      }                                                                             \
    *(__upc_word_##bits *) __old = __was;                                           \
  }

__UPC_OPERATE (8, unsigned char)
__UPC_OPERATE (16, unsigned short)
__UPC_OPERATE (32, unsigned int)
__UPC_OPERATE (64, unsigned long)
#undef __UPC_OPERATE

/* The object is a word. */
static __inline__ __attribute__ ((__unused__)) void
__upc_operate_word (int __operation, volatile void *__object, unsigned long __bytes, void *__old,
                    const void *__desired, const void *__expected)
{
  switch (__bytes)
    {
    case 1:
      __upc_operate_8 (__operation, __object, __old, __desired, __expected);
      break;
    case 2:
      __upc_operate_16 (__operation, __object, __old, __desired, __expected);
      break;
    case 4:
      __upc_operate_32 (__operation, __object, __old, __desired, __expected);
      break;
    default:
      __upc_operate_64 (__operation, __object, __old, __desired, __expected);
    }
}

#ifdef _UPCT_ACCESS_H
__UPC_INLINE void
__upc_atomic_object (int __operation, volatile void *__object, unsigned long __bytes, void *__old,
                     const void *__desired, const void *__expected)
{
  __upc_flush ();
  if (__upc_is_near (__object) && __upc_is_word (__object, __bytes))
    __upc_operate_word (__operation, __object, __bytes, __old, __desired, __expected);
  else
    __upc_object_at (__operation, (void *) __object, __bytes, __old, __desired, __expected);
  if (__operation == __UPC_OBJECT_load)
    __upc_saw (__old, __bytes <= sizeof (unsigned long) ? __bytes : 0);
}

/* Stores DESIRED if EXPECTED is there, which is what is there otherwise; OLD is a variable as they are. */
__UPC_INLINE int
__upc_object_swaps (volatile void *__object, void *__old, const void *__desired, void *__expected,
                    unsigned long __bytes)
{
  __upc_atomic_object (__UPC_OBJECT_cswap, __object, __bytes, __old, __desired, __expected);
  if (__builtin_memcmp (__old, __expected, __bytes) == 0)
    return 1;
  __builtin_memcpy (__expected, __old, __bytes);
  return 0;
}
#endif

#endif
