/* Crash reports: the thread, the signal, the address, a backtrace. */

#ifndef UPCR_CRASH_H
#define UPCR_CRASH_H

/* Installs the handlers, where nobody else (a sanitizer) has. Called once by the
   initial thread, before the others exist. DESCRIBE may name an address that
   faulted: it writes a text to BUFFER and returns true. */
typedef int upcr_describe_address (const void *address, char *buffer, unsigned long bytes);
void upcr_crash_init (upcr_describe_address *describe);

/* Gives the calling thread a stack for its handlers, so that an overflow of its
   own stack is told too. */
void upcr_crash_begin_thread (int index);

#endif
