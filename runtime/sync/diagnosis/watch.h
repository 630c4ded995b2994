/* When the deadlock detector looks, and when a report is made. */

#ifndef UPCR_SYNC_WATCH_H
#define UPCR_SYNC_WATCH_H

/* LOOK is called again and again while threads wait, by one thread at a time. */
void upcr_watch_begin (void (*look) (void));

#endif
