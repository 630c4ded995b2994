/* Exit as a UPC thread sees it. upc-privatize makes the calls of exit, atexit,
   on_exit and __cxa_atexit in the program's objects calls of these: each thread
   has its handlers, which see its own statics, as in a process of its own. */

#ifndef UPCR_LIBC_EXIT_H
#define UPCR_LIBC_EXIT_H

/* Ends the calling UPC thread, after its handlers in reverse order and the
   destructors of its objects. The process ends when all threads have. In a thread
   that the program made itself it is the process that ends. */
_Noreturn void upcr_exit (int status);

/* Waits until the threads have ended that the calling UPC thread has made: after
   pthread_exit, as a process does then. */
void upcr_await_made_threads (void);

int upcr_atexit (void (*handler) (void));
int upcr_on_exit (void (*handler) (int, void *), void *argument);
int upcr_cxa_atexit (void (*handler) (void *), void *argument, void *dso);

#endif
