/* LeakSanitizer, if that is linked in. What MPI's libraries keep is no leak of the program's. */

#ifndef UPCR_NET_LEAKS_H
#define UPCR_NET_LEAKS_H

#include <stdbool.h>

/* What the calling thread allocates between these is no leak. */
void upcr_leaks_ignore (void);
void upcr_leaks_heed (void);

/* Reports the leaks of this process, before the engine ends. There is no report later. */
bool upcr_has_leaks (void);

#endif
