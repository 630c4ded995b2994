/* Assembly includes this file, too. See runtime/arch/arch.h. */

#define UPCR_PAGE_BYTES 4096
