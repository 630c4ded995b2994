/* Everything that is known by its name. */

#ifndef PRIVATIZE_DATA_NAMES_H
#define PRIVATIZE_DATA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

bool is_per_thread_symbol (const char *name);
/* Whether libupc.a, or an archive that it stands on, means something of its own by NAME. The
   table is sorted, and made when libupc.a is: runtime_names.py. */
bool is_runtime_name (const char *name);
/* How the recorder of traces, which becomes a part of the program, calls what is libc's. */
#define LIBC_PREFIX "libc."

/* Whether NAME is malloc or one of the functions that are replaced together with it. */
bool is_allocator (const char *name);
extern const char *const runtime_names[];
extern const size_t runtime_name_count;
bool makes_notifiers (const char *name);
bool makes_threads (const char *name);
bool is_process_section (const char *name);
/* The runtime's name for a function or variable of libc or of a compiler's library, or NULL. */
const char *runtime_name (const char *name);
bool is_libc_name (const char *name);

#endif
