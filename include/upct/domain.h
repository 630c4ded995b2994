/* upct/domain.h: atomicity domains as the runtime and inlined code see them. C and
   UPC; includes nothing but upc_types.h. */

#ifndef _UPCT_DOMAIN_H
#define _UPCT_DOMAIN_H

#include <upc_types.h>

/* Operations on single objects, beside those of upc_types.h. */
#define UPC_GET (1UL << 9)
#define UPC_SET (1UL << 10)
#define UPC_CSWAP (1UL << 11)
#define UPC_SUB (1UL << 12)
#define UPC_INC (1UL << 13)
#define UPC_DEC (1UL << 14)

/* The first word of a domain: the operations that it allows in the low half, the
   type above, and a mark that tells a domain from other memory. Types that are one
   in C have one number here: UPC_INT32 is UPC_INT, UPC_INT64 is UPC_LONG. With a
   checked heap a bit beside the type makes inlined code leave all operations to the
   library, which checks their targets. */
#define __UPC_DOMAIN_TYPE_SHIFT 32
#define __UPC_DOMAIN_TYPES 0x7f
#define __UPC_DOMAIN_CHECKED (1UL << 39)
#define __UPC_DOMAIN_MARK_SHIFT 40
#define __UPC_DOMAIN_LIVE 0xd0a14eUL
#define __UPC_DOMAIN_FREED 0xf2eed0UL
#define __UPC_DOMAIN_WORD(type, ops)            \
  (__UPC_DOMAIN_LIVE << __UPC_DOMAIN_MARK_SHIFT \
   | (unsigned long) (type) << __UPC_DOMAIN_TYPE_SHIFT | (ops))

#endif
