/* Barriers, fences and the exits: statements that compilers turn into calls. */

#include "runtime/abi/watch.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/shared/shared.h"
#include "runtime/sync/sync.h"

#define STATEMENT(name, function)                 \
  void __##name (int id);                         \
  void __##name (int id)                          \
  {                                               \
    UPCR_EXCLUSIVE (#name);                       \
                                                  \
    if (id != UPCR_NO_ID || upcr_options.check)   \
      upcr_caller = __builtin_return_address (0); \
    function (id);                                \
  }

static inline void
check_arrival (const char *what)
{
  if (__builtin_expect (upcr_refuses_suspicious (), 0))
    upcr_refuse_transfers (what);
}

static inline void
barrier (int id)
{
  check_arrival ("upc_barrier");
  upcr_barrier (id);
}

static inline void
notify (int id)
{
  check_arrival ("upc_notify");
  upcr_notify (id);
}

STATEMENT (upc_barrier, barrier)
STATEMENT (upc_notify, notify)
STATEMENT (upc_wait, upcr_wait)

/* Objects of GNU and Clang UPC call it when they are instrumented too. */
UPCR_WATCHED_STATEMENT (__upc_fence, (void), (), UPCR_START (GASP_UPC_FENCE), upcr_fence (),
                        UPCR_END (GASP_UPC_FENCE))

void upc_poll (void);

void
upc_poll (void)
{
  upcr_poll ();
}

_Noreturn void __upc_exit (int status);
_Noreturn void upc_global_exit (int status);
_Noreturn void __upc_fatal (const char *format, ...);

void
__upc_exit (int status)
{
  upcr_exit (status);
}

void
upc_global_exit (int status)
{
  upcr_end_process (status);
}

void
__upc_fatal (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  upcr_fatal_list (format, args);
}
