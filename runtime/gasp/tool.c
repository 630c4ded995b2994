/* The tool, found by the names of its functions.

   References to its functions are weak, so that a program without a tool links, and nothing is
   taken out of an archive for them. The linker does not see a shared library that is loaded
   beside the program, mostly by LD_PRELOAD; so the dynamic linker is asked for it. */

#include "runtime/gasp/tool.h"

#include "runtime/host/host.h"

#include <dlfcn.h>

#pragma weak gasp_init
#pragma weak gasp_event_notify
#pragma weak gasp_event_notifyVA
#pragma weak gasp_control
#pragma weak gasp_create_event
#pragma weak upcr_no_tool
/* In what was compiled with GASP_COMPAT_1_3 (gasp.h). */
#pragma weak upct_gasp_is_of_1_3
extern const char upct_gasp_is_of_1_3;
/* Not in a program linked with -static. */
#pragma weak dlsym

struct upcr_tool upcr_tool;
__thread struct upcr_gasp_thread upcr_gasp_thread;

/* The function LINKED or, unless it is one, that of the same name in a library. NONE is
   what stands in for it. */
static void *
find (void *linked, void *none, const char *name)
{
  if (linked && linked != none)
    return linked;
  return dlsym ? dlsym (RTLD_NEXT, name) : NULL;
}

#define FIND(field, name) \
  find ((void *) name, &upcr_no_tool ? (void *) upcr_no_tool.field : NULL, #name)

static void
refuse_incomplete (void)
{
  const struct
  {
    const void *function;
    const char *name, *section;
  } parts[] = {
    { (void *) upcr_tool.init, "gasp_init", "3.2" },
    { (void *) upcr_tool.notify, "gasp_event_notify", "3.2" },
    { (void *) upcr_tool.notify_list, "gasp_event_notifyVA", "3.2" },
    { (void *) upcr_tool.control, "gasp_control", "3.3" },
    { (void *) upcr_tool.create_event, "gasp_create_event", "3.4" },
  };

  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!parts[i].function)
      upcr_usage_error ("the performance tool does not define %s (GASP 1.4, %s)", parts[i].name,
                        parts[i].section);
}

bool
upcr_find_tool (void)
{
  upcr_tool.init = FIND (init, gasp_init);
  upcr_tool.notify = FIND (notify, gasp_event_notify);
  upcr_tool.notify_list = FIND (notify_list, gasp_event_notifyVA);
  upcr_tool.control = FIND (control, gasp_control);
  upcr_tool.create_event = FIND (create_event, gasp_create_event);
  if (!upcr_tool.init && !upcr_tool.notify && !upcr_tool.notify_list && !upcr_tool.control
      && !upcr_tool.create_event)
    return false;
  refuse_incomplete ();
  upcr_tool.is_of_1_3 = find ((void *) &upct_gasp_is_of_1_3, NULL, "upct_gasp_is_of_1_3") != NULL;
  return true;
}
