/* Functions for the case without a tool: for programs that call the functions of GASP by name,
   or are linked with -u gasp_init so that a tool is taken out of an archive. They are weak, so
   that any tool's functions take precedence; nothing else refers to this file. */

#include "runtime/gasp/tool.h"

static gasp_context_t
init (gasp_lang_t language, int *argc, char ***argv)
{
  (void) language, (void) argc, (void) argv;
  return NULL;
}

static void
notify (gasp_context_t context, unsigned event, gasp_evttype_t type, const char *file, int line,
        int column, ...)
{
  (void) context, (void) event, (void) type, (void) file, (void) line, (void) column;
}

static void
notify_list (gasp_context_t context, unsigned event, gasp_evttype_t type, const char *file,
             int line, int column, va_list args)
{
  (void) context, (void) event, (void) type, (void) file, (void) line, (void) column, (void) args;
}

static int
control (gasp_context_t context, int on)
{
  (void) context, (void) on;
  return 1;
}

static unsigned
create_event (gasp_context_t context, const char *name, const char *description)
{
  (void) context, (void) name, (void) description;
  return GASP_UPC_USEREVT_START;
}

const struct upcr_tool upcr_no_tool = { init, notify, notify_list, control, create_event, false };

#define STANDS_FOR(name) __attribute__ ((weak, alias (#name)))

__typeof__ (init) gasp_init STANDS_FOR (init);
__typeof__ (notify) gasp_event_notify STANDS_FOR (notify);
__typeof__ (notify_list) gasp_event_notifyVA STANDS_FOR (notify_list);
__typeof__ (control) gasp_control STANDS_FOR (control);
__typeof__ (create_event) gasp_create_event STANDS_FOR (create_event);
