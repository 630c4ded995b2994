/* gasp_init: a thread begins to record. */

#include "tools/trace/recorder/processes.h"
#include "tools/trace/recorder/recorder.h"

#include <errno.h>
#include <sys/mman.h>

/* Each thread's own, as all statics of a program. */
static gasp_context_t own_context;

static gasp_context_t
make_context (void)
{
  gasp_context_t context = mmap (NULL, sizeof *context, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (context == MAP_FAILED)
    return NULL;
  madvise (context, sizeof *context, MADV_WIPEONFORK);
  context->on = 1;
  context->thread = upcall_mythread ();
  return context;
}

gasp_context_t
gasp_init (gasp_lang_t srclanguage, int *argc, char ***argv)
{
  int error = errno;

  (void) srclanguage, (void) argc, (void) argv;
  if (own_context)
    return own_context;
  own_context = make_context ();
  if (own_context && begin_run () && open_file (own_context))
    {
      own_context->has_file = own_context->is_recording = true;
      begin_own_traffic (own_context);
      calibrate (own_context);
    }
  compare_clocks_at_begin ();
  if (own_context && own_context->has_file)
    begin_time (own_context);
  /* There is no memory, and no event of this thread will come: nobody is to wait for it. */
  if (!own_context)
    leaves_last (NULL);
  /* A program begins with 0. */
  errno = error;
  return own_context;
}
