/* Where the calling thread is, for people. */

#ifndef UPCR_BACKTRACE_H
#define UPCR_BACKTRACE_H

/* Prints the calls that led here on stderr, a line each, without those of the
   report itself: function and source line where addr2line finds them, else the
   file and offset. */
void upcr_backtrace_print (void);

#endif
