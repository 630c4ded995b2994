/* The gasp room: it finds a performance tool, notifies it of each event, and lets the program
   call it (GASP 1.4; include/gasp.h has the tool's side, include/upct/gasp.h that of code from
   upcc). Built on sync, shared and start.

   Each thread keeps a list of its open events. It raises none while it is in the tool: what the
   tool does is not the program's. */

#ifndef UPCR_GASP_GASP_H
#define UPCR_GASP_GASP_H

#include <gasp.h>
#include <upct/gasp.h>

#include <stdbool.h>
#include <stddef.h>

/* Looks for a tool. One that is not whole is a usage error. Before there are threads. */
void upcr_gasp_init (void);

/* Calls the tool's gasp_init in the calling UPC thread: from here on it raises events. */
void upcr_gasp_begin_thread (int *argc, char ***argv);

/* Do plain library functions raise their events themselves: a tool is there, and objects
   that call `g` entry points, whose compilers give some functions no such form? */
extern bool upcr_gasp_plain;

/* Defined together with `g` entry points, which refer to it: it is linked in where an
   object calls one. */
extern const char upcr_gasp_instrumented;

/* Where an event is raised. STACK is the stack pointer of what has called the entry point: what is
   open with a lower one has been left by longjmp. */
struct upcr_gasp_at
{
  struct upct_site site;
  const void *stack;
};

/* Not the frame address: on 64-bit ARM that is the lower end of an entry point's own frame, and differs
   from one entry point to the next. */
#define UPCR_CALLER_STACK __builtin_dwarf_cfa ()

/* Compilers give a place that they do not know a name, and line 0. */
#define UPCR_GASP_AT(file, line)                         \
  {                                                      \
    { (line) ? file : NULL, line, 0 }, UPCR_CALLER_STACK \
  }

/* upct_gasp_event for the runtime's own functions. */
void upcr_gasp_raise (const struct upcr_gasp_at *at, unsigned event, int type, ...);

/* The same with a list of arguments. */
void upcr_gasp_raise_list (const struct upcr_gasp_at *at, unsigned event, int type, va_list args);

/* A function or upc_forall begins; ends, the innermost one of EVENT, and of SIGNATURE unless
   that is NULL. */
void upcr_gasp_enter (const struct upcr_gasp_at *at, unsigned event, const char *signature);
void upcr_gasp_leave (const struct upcr_gasp_at *at, unsigned event, const char *signature);

/* Is the thread outside of what has raised an event already and not ended it? */
bool upcr_gasp_is_outside (void);

/* Raises EVENT at `at`, a struct upcr_gasp_at in scope. */
#define UPCR_RAISE(event, type, ...) upcr_gasp_raise (&at, event, type, ##__VA_ARGS__)

#endif
