/* pupc.h: what a UPC program tells a performance tool (GASP 1.4, 5.2 and 5.3). For UPC, C and C++.

   No function is collective. Without a tool a call has only the effects described here. What a
   tool does in a call is up to the tool; a program must not depend on it. */

#ifndef _PUPC_H
#define _PUPC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Switches measurement of the calling thread off (ON is 0) or on. Returns the ON of the
   previous call, nonzero in the first call. Calls the tool's gasp_control. (5.2) */
extern int pupc_control (int on);

/* Returns a number for a new user event, from GASP_UPC_USEREVT_START to GASP_UPC_USEREVT_END.
   NAME is shown by the tool. DESC is null or a printf format for the arguments of the event.
   Each thread creates its own events; in one program all threads should create the same events
   in the same order. Calls the tool's gasp_create_event. (5.3) */
extern unsigned int pupc_create_event (const char *name, const char *desc);

/* The event EVTTAG, a result of pupc_create_event, begins, ends, or happens now. The other
   arguments are those of the event's format. They have C types; pointers-to-shared are not
   allowed. Call the tool's gasp_event_notify. (5.3) */
extern void pupc_event_start (unsigned int evttag, ...);
extern void pupc_event_end (unsigned int evttag, ...);
extern void pupc_event_atomic (unsigned int evttag, ...);

#ifdef __cplusplus
}
#endif

#endif
