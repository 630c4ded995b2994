/* The beginning of the run, which looks for a tool, and of each thread. */

#include "runtime/gasp/tool.h"

#include "runtime/host/host.h"

#include <pthread.h>

#pragma weak upcr_gasp_instrumented

_Bool upct_gasp_tool;
__thread int upct_accesses_left;
bool upcr_gasp_plain;

/* A process that a UPC thread forks is not the program: no events, and no wait for threads
   that are not in it. */
static void
end_in_child (void)
{
  upcr_gasp_thread.is_active = false;
}

void
upcr_gasp_init (void)
{
  if (!upcr_find_tool ())
    return;
  if (pthread_atfork (NULL, NULL, end_in_child))
    upcr_fatal ("out of memory for the performance tool");
  upct_gasp_tool = true;
  upcr_gasp_plain = &upcr_gasp_instrumented != NULL;
  upcr_gasp_watch_ends ();
}

void
upcr_gasp_begin_thread (int *argc, char ***argv)
{
  if (!upct_gasp_tool)
    return;
  upcr_open_begin ();
  upcr_gasp_thread.context = upcr_tool.init (GASP_LANG_UPC, argc, argv);
  upcr_gasp_thread.is_active = true;
}
