/* Barriers, fences, exits, upc_forall and functions with their source location. */

#include "runtime/abi/watch.h"
#include "runtime/host/host.h"
#include "runtime/libc/libc.h"
#include "runtime/sync/sync.h"

UPCR_IS_INSTRUMENTED

/* The event's `named` and `expr` (GASP 1.4, 5.4.2). */
#define IS_NAMED(id) ((id) != UPCR_NO_ID)
#define EXPRESSION(id) (IS_NAMED (id) ? (id) : 0)

#define STATEMENT(name, function, event)                                                       \
  static inline void name (int id)                                                             \
  {                                                                                            \
    UPCR_EXCLUSIVE (#name);                                                                    \
                                                                                               \
    function (id);                                                                             \
  }                                                                                            \
                                                                                               \
  UPCR_LOCATED_STATEMENT (__##name##g, (int id, const char *file, int line), (id, file, line), \
                          UPCR_START (event, IS_NAMED (id), EXPRESSION (id)), name (id),       \
                          UPCR_END (event, IS_NAMED (id), EXPRESSION (id)))

STATEMENT (upc_barrier, upcr_barrier, GASP_UPC_BARRIER)
STATEMENT (upc_notify, upcr_notify, GASP_UPC_NOTIFY)
STATEMENT (upc_wait, upcr_wait, GASP_UPC_WAIT)

UPCR_LOCATED_STATEMENT (__upc_fenceg, (const char *file, int line), (file, line),
                        UPCR_START (GASP_UPC_FENCE), upcr_fence (), UPCR_END (GASP_UPC_FENCE))

_Noreturn void __upc_exitg (int status, const char *file, int line);
_Noreturn void upc_global_exitg (int status, const char *file, int line);
void __upc_forallg (int start, const char *file, int line);
void __upc_funcg (int start, const char *function, const char *file, int line);

/* Where the events of the end are. */
static void
exit_at (const char *file, int line)
{
  const struct upct_site site = { file, line, 0 };

  upct_gasp_at (&site);
}

void
__upc_exitg (int status, const char *file, int line)
{
  exit_at (file, line);
  upcr_exit (status);
}

void
upc_global_exitg (int status, const char *file, int line)
{
  exit_at (file, line);
  upcr_end_process (status);
}

/* The two that begin and end by calls of their own. */
static __attribute__ ((noinline, cold)) void
enter_or_leave (int start, unsigned event, const char *signature, const struct upcr_gasp_at *at)
{
  if (start)
    upcr_gasp_enter (at, event, signature);
  else
    upcr_gasp_leave (at, event, signature);
}

void
__upc_forallg (int start, const char *file, int line)
{
  const struct upcr_gasp_at at = UPCR_GASP_AT (file, line);

  if (__builtin_expect (upct_gasp_tool, 0))
    enter_or_leave (start, GASP_UPC_FORALL, NULL, &at);
}

void
__upc_funcg (int start, const char *function, const char *file, int line)
{
  const struct upcr_gasp_at at = UPCR_GASP_AT (file, line);

  if (__builtin_expect (upct_gasp_tool, 0))
    enter_or_leave (start, GASP_C_FUNC, function, &at);
}
