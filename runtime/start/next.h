/* libc's functions that make threads and wait for them, where upc-threads.o has taken
   their names (runtime/upc-threads.c). */

#ifndef UPCR_NEXT_H
#define UPCR_NEXT_H

/* The function NAME that a program without upc-threads.o would have: a sanitizer's, or
   libc's. Defined by upc-threads.o. */
void *upcr_next_function (const char *name) __attribute__ ((weak));

/* The same, whether that is linked in or not. */
#define UPCR_NEXT(function) \
  (upcr_next_function ? (__typeof (function) *) upcr_next_function (#function) : function)

#endif
