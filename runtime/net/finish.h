/* The end of all processes. */

#ifndef UPCR_NET_FINISH_H
#define UPCR_NET_FINISH_H

#include <stdatomic.h>
#include <stdbool.h>

/* Around each call of the engine. Once the gate is closed no other thread comes back from the first: what
   the process still has to do with the others is for the thread that closed it alone. */
void upcr_gate_enter (void);
void upcr_gate_leave (void);

/* The status that another process ends with, plus 1; 0: none does. */
extern _Atomic int upcr_net_ending;

/* Tells the others that all end with STATUS. */
void upcr_net_send_end (int status);

/* From here on upcr_end_process is the end of all. */
void upcr_net_hook_end (void);

/* Ends this process where another one said so. */
void upcr_net_follow_end (void);

#endif
