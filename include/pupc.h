/* pupc.h: what a UPC program tells a performance tool (GASP 1.4, 5.2 and 5.3); C code of
   the program may call it too.

   Without a tool they do nothing but what is said here. A program may not depend on what
   else happens in them. */

#ifndef _PUPC_H
#define _PUPC_H

#ifdef __cplusplus
extern "C" {
#endif

/* ON 0: the tool measures nothing of the calling thread until the next call with another
   ON. Returns the ON of the call before, nonzero in the first. The tool's gasp_control. */
extern int pupc_control (int on);

/* A number for a user event, from GASP_UPC_USEREVT_START to _END. NAME is what the tool
   calls it; DESC is null or a format as printf's for the arguments of the event. Each
   thread makes its own; in one program all threads do well to make the same in the same
   order. The tool's gasp_create_event. */
extern unsigned int pupc_create_event (const char *name, const char *desc);

/* The event EVTTAG, which pupc_create_event has returned, begins, ends, or happens at this
   moment. What follows is for the format of the event and of C types: no pointers-to-shared.
   The tool's gasp_event_notify. */
extern void pupc_event_start (unsigned int evttag, ...);
extern void pupc_event_end (unsigned int evttag, ...);
extern void pupc_event_atomic (unsigned int evttag, ...);

#ifdef __cplusplus
}
#endif

#endif
