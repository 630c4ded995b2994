/* What compilers recorded about a program: section upc_pgm_info. */

#ifndef UPCR_PGMINFO_H
#define UPCR_PGMINFO_H

#include <stddef.h>

/* The THREADS that objects were compiled for, or 0 when all take any. Ends the
   run when two objects disagree, naming both. */
int upcr_static_threads (void);

/* The same of a section's contents, for tests. */
int upcr_static_threads_of (const char *info, size_t bytes);

#endif
