/* UPCR_PAGE_BYTES: the largest page that a kernel may have, and a multiple of all others.
   Assembly includes this file, too. */

#ifndef UPCR_PAGE_H
#define UPCR_PAGE_H

#if defined __x86_64__
#include "runtime/arch/x86_64/page.h"
#elif defined __aarch64__
#include "runtime/arch/aarch64/page.h"
#endif

#endif
