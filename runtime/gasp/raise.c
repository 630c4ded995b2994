/* Raises an event: updates the list of open events, and notifies the tool. */

#include "runtime/gasp/tool.h"

#include "runtime/host/host.h"

#include <string.h>

#pragma weak upct_gasp_only

static inline bool
is_wanted (unsigned event)
{
  return event >= GASP_UPC_USEREVT_START || !upct_gasp_only || upct_gasp_only[event];
}

/* User events are the program's own to pair. */
static inline bool
is_followed (unsigned event)
{
  return event < GASP_UPC_USEREVT_START;
}

static void
begin (const struct upcr_gasp_at *at, unsigned event, va_list args)
{
  struct upcr_open *entry = upcr_open_push (at, event);
  unsigned words = upcr_event_words (event);
  va_list list;

  /* An int's word has any bits above it: whoever takes the int from a call does not look
     at them (upcr_open_close). */
  va_copy (list, args);
  for (unsigned i = 0; i < words; i++)
    entry->words[i] = va_arg (list, unsigned long);
  va_end (list);
}

/* Takes off the innermost entry of EVENT, closing what is left open in it. An end without a
   beginning, as where measuring began late, is the tool's to see. */
static void
finish (unsigned event)
{
  size_t i = upcr_gasp_thread.count;

  while (i > 0 && upcr_gasp_thread.open[i - 1].event != event)
    i--;
  if (i == 0)
    return;
  upcr_open_close_to (i, true);
  upcr_gasp_thread.count--;
}

/* Behind those of GASP_UPC_ALLOC come the two whose product they have (events.def). */
static void
notify_by_words (const struct upct_site *site, unsigned event, int type, va_list args)
{
  unsigned long words[UPCR_EVENT_WORDS] = { 0 };
  unsigned count = type == GASP_START ? upcr_event_words (event) : upcr_event_end_words (event);

  if (event == GASP_UPC_ALLOC)
    count += 2;
  for (unsigned i = 0; i < count; i++)
    words[i] = va_arg (args, unsigned long);
  upcr_tell (site, event, type, words);
}

static void
notify (const struct upct_site *site, unsigned event, int type, va_list args)
{
  gasp_context_t context;

  if (upcr_tool.is_of_1_3 && is_followed (event))
    {
      notify_by_words (site, event, type, args);
      return;
    }
  context = upcr_tool_enter ();
  upcr_tool.notify_list (context, event, type, site->file, site->line, site->column, args);
  upcr_tool_leave ();
}

static inline bool
is_to_raise (unsigned event)
{
  return upcr_gasp_thread.is_active && is_wanted (event);
}

void
upcr_gasp_raise_list (const struct upcr_gasp_at *at, unsigned event, int type, va_list args)
{
  if (!is_to_raise (event))
    return;
  upcr_open_unwind (at->stack);
  if (type == GASP_START && is_followed (event))
    begin (at, event, args);
  else if (type == GASP_END && is_followed (event))
    finish (event);
  notify (&at->site, event, type, args);
}

void
upcr_gasp_raise (const struct upcr_gasp_at *at, unsigned event, int type, ...)
{
  va_list args;

  va_start (args, type);
  upcr_gasp_raise_list (at, event, type, args);
  va_end (args);
}

/* What upct/gasp.h says of a null site. */
#define AT(site)                                                       \
  {                                                                    \
    site ? *site : (struct upct_site){ NULL, 0, 0 }, UPCR_CALLER_STACK \
  }

void
upct_gasp_event (const struct upct_site *site, unsigned event, int type, ...)
{
  const struct upcr_gasp_at at = AT (site);
  va_list args;

  va_start (args, type);
  upcr_gasp_raise_list (&at, event, type, args);
  va_end (args);
}

__thread int upct_iterations_left;
int (*upct_sampler) (gasp_context_t context);

/* Threads that are none of UPC's and code that the tool calls are not in a state to be told. */
void
upct_gasp_sampled (void)
{
  upct_iterations_left = upct_sampler && upcr_gasp_thread.is_active
                             ? upct_sampler (upcr_gasp_thread.context)
                             : 0;
}

void
upct_gasp_at (const struct upct_site *site)
{
  upcr_gasp_thread.exit_site = site ? *site : (struct upct_site){ NULL, 0, 0 };
}

bool
upcr_gasp_is_outside (void)
{
  const struct upcr_gasp_thread *self = &upcr_gasp_thread;

  return self->is_active
         && (self->count == 0 || upcr_event_has_code (self->open[self->count - 1].event));
}

/* Functions and upc_forall. */

/* A frame whose event was not raised. */
#define NOT_OPEN (-1ul)

static void
enter (struct upct_gasp_frame *frame, const struct upcr_gasp_at *at, unsigned event,
       const char *signature)
{
  frame->depth = NOT_OPEN;
  if (!is_to_raise (event))
    return;
  upcr_open_unwind (at->stack);
  frame->depth = upcr_gasp_thread.count;
  /* The list is followed by the event of the same name, so it counts the entry. */
  upcr_gasp_raise (at, event, GASP_START, signature);
}

void
upct_gasp_enter (struct upct_gasp_frame *frame, const struct upct_site *site, const char *signature)
{
  const struct upcr_gasp_at at = AT (site);

  enter (frame, &at, GASP_C_FUNC, signature);
}

void
upct_gasp_enter_forall (struct upct_gasp_frame *frame, const struct upct_site *site)
{
  const struct upcr_gasp_at at = AT (site);

  enter (frame, &at, GASP_UPC_FORALL, NULL);
}

/* An entry that the frame has no more was closed already. */
static bool
is_open (const struct upct_gasp_frame *frame)
{
  return upcr_gasp_thread.is_active && frame->depth < upcr_gasp_thread.count;
}

void
upct_gasp_unwind (struct upct_gasp_frame *frame)
{
  if (is_open (frame))
    upcr_open_close_to (frame->depth + 1, true);
}

void
upct_gasp_leave (struct upct_gasp_frame *frame, const struct upct_site *site)
{
  if (!is_open (frame))
    return;
  upcr_open_close_to (frame->depth + 1, true);
  upcr_open_close (site, false);
}

void
upcr_gasp_enter (const struct upcr_gasp_at *at, unsigned event, const char *signature)
{
  upcr_gasp_raise (at, event, GASP_START, signature);
}

static bool
is_of (const struct upcr_open *entry, unsigned event, const char *signature)
{
  return entry->event == event
         && (!signature || strcmp ((const char *) entry->words[0], signature) == 0);
}

void
upcr_gasp_leave (const struct upcr_gasp_at *at, unsigned event, const char *signature)
{
  const struct upcr_gasp_thread *self = &upcr_gasp_thread;
  size_t i = self->count;

  if (!is_to_raise (event))
    return;
  while (i > 0 && !is_of (&self->open[i - 1], event, signature))
    i--;
  if (i == 0)
    return;
  upcr_open_close_to (i, true);
  upcr_open_close (&at->site, false);
}
