/* libgcc's unwinder, linked into libupc.a under names of the runtime. The program's own
   unwinder, for exceptions, is a shared library, which each program would have to load at its
   start. */

#ifndef UPCR_UNWINDER_H
#define UPCR_UNWINDER_H

#include <unwind.h>

__typeof__ (_Unwind_Backtrace) upcr_unwind_backtrace;
__typeof__ (_Unwind_GetIPInfo) upcr_unwind_get_ip_info;

#endif
