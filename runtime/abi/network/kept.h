/* Memory that a thread has used for batches of loops, and keeps for its next ones: new memory is cleared by the system, page
   by page. */

#ifndef UPCR_KEPT_H
#define UPCR_KEPT_H

#include <stddef.h>

/* BYTES or more; NULL: there is no memory. ROOM, if it is not NULL, is set to how many. */
void *upcr_kept_take (size_t bytes, size_t *room);
/* MEMORY of ROOM bytes is not needed now. MEMORY may be NULL. */
void upcr_kept_give (void *memory, size_t room);

#endif
