/* All names that upc-privatize knows. */

#ifndef PRIVATIZE_DATA_NAMES_H
#define PRIVATIZE_DATA_NAMES_H

#include <stdbool.h>
#include <stddef.h>

bool is_runtime_variable (const char *name);
/* Whether libupc.a, or an archive that it stands on, means something of its own by NAME. The
   table is sorted, and made when libupc.a is: runtime_names.py. */
bool is_runtime_name (const char *name);
/* How the recorder of traces, which becomes a part of the program, calls what is libc's. */
#define LIBC_PREFIX "libc."

/* Whether NAME is malloc or one of the functions that are replaced together with it. */
bool is_allocator (const char *name);
extern const char *const runtime_names[];
extern const size_t runtime_name_count;
bool is_process_section (const char *name);
/* Of this tool, for the runtime; about private data. */
bool is_table (const char *name);
/* The runtime's name for a function or variable of libc or of a compiler's library, or NULL. */
const char *runtime_name (const char *name);
bool is_libc_name (const char *name);

#endif
