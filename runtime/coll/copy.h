/* Inside the room: moving bytes. */

#ifndef UPCR_COLL_COPY_H
#define UPCR_COLL_COPY_H

#include <stddef.h>

/* The two may be the same, but must not overlap otherwise. */
void upcr_copy (void *dst, const void *src, size_t bytes);
void upcr_swap (void *a, void *b, size_t bytes);

#endif
