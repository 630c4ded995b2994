/* Inside the room: the tool's functions, and the data of each thread. */

#ifndef UPCR_GASP_TOOL_H
#define UPCR_GASP_TOOL_H

#include "runtime/gasp/gasp.h"

#include <stddef.h>

/* The functions of GASP 1.4, 3.2 to 3.4; all set or, with no tool, none. */
struct upcr_tool
{
  gasp_context_t (*init) (gasp_lang_t, int *, char ***);
  void (*notify) (gasp_context_t, unsigned, gasp_evttype_t, const char *, int, int, ...);
  void (*notify_list) (gasp_context_t, unsigned, gasp_evttype_t, const char *, int, int, va_list);
  int (*control) (gasp_context_t, int);
  unsigned (*create_event) (gasp_context_t, const char *, const char *);
  bool is_of_1_3; /* compiled with GASP_COMPAT_1_3 */
};

extern struct upcr_tool upcr_tool;

/* Fills upcr_tool. False: there is no tool. One that is not whole is a usage error. */
bool upcr_find_tool (void);

/* The functions that stand in for a tool's where a program refers to them by name and
   there is no tool. */
extern const struct upcr_tool upcr_no_tool;

/* The most words that an event of the catalogue has, with those behind GASP_UPC_ALLOC's own. */
enum
{
  UPCR_EVENT_WORDS = 10
};

/* Changes the WORDS of an event, and its type, to what a tool of 1.3-pre2 is told; false: nothing. */
bool upcr_translate_to_1_3 (unsigned event, int *type, unsigned long *words);

/* An event that has begun and not ended. */
struct upcr_open
{
  struct upct_site site;
  const void *stack;
  unsigned event;
  unsigned long words[8]; /* its arguments, as many as it has */
};

/* Of each thread, and used by it alone. */
struct upcr_gasp_thread
{
  bool is_active; /* between gasp_init and the end, and not in the tool */
  gasp_context_t context;
  struct upct_site exit_site;
  struct upcr_open *open; /* mapped memory; the innermost event is the last */
  size_t count, capacity;
  const char *stack; /* its own; 0 bytes: not asked for yet */
  size_t stack_bytes;
};

extern __thread struct upcr_gasp_thread upcr_gasp_thread;

/* The thread is in the tool from enter to leave. */
static inline gasp_context_t
upcr_tool_enter (void)
{
  upcr_gasp_thread.is_active = false;
  return upcr_gasp_thread.context;
}

static inline void
upcr_tool_leave (void)
{
  upcr_gasp_thread.is_active = true;
}

/* The list of open events. */

/* An empty list for the calling thread. */
void upcr_open_begin (void);

/* Makes an entry, the innermost; its words are the caller's to set. */
struct upcr_open *upcr_open_push (const struct upcr_gasp_at *at, unsigned event);

/* Removes the innermost entry and reports its end to the tool, at SITE or, where that is
   NULL, where it began. IS_LEFT: by longjmp, so that what its arguments point to is gone. */
void upcr_open_close (const struct upct_site *site, bool is_left);

/* Closes entries until COUNT are left. */
void upcr_open_close_to (size_t count, bool is_left);

/* Closes what longjmp has left, STACK being the caller's frame. */
void upcr_open_unwind (const void *stack);

/* How many words an event of the list has for arguments when it begins, and when it ends. */
unsigned upcr_event_words (unsigned event);
unsigned upcr_event_end_words (unsigned event);

/* Tells the tool of an event of the catalogue with its WORDS, UPCR_EVENT_WORDS of them, which are
   this function's to change. */
void upcr_tell (const struct upct_site *site, unsigned event, int type, unsigned long *words);

/* Is it one that has code of the program inside: a function or upc_forall? */
static inline bool
upcr_event_has_code (unsigned event)
{
  return event == GASP_C_FUNC || event == GASP_UPC_FORALL;
}

/* From here on the two ends have their events (GASP 1.4, 5.4.1): that of the calling thread,
   together with the others; that of the process, whatever the others do. */
void upcr_gasp_watch_ends (void);

/* Once in each process, by the last of its threads to end its main: returns when the others have called it. */
void upcr_gasp_meet_processes (void);

#endif
