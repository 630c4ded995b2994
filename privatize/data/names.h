/* Everything that is known by its name. */

#ifndef PRIVATIZE_DATA_NAMES_H
#define PRIVATIZE_DATA_NAMES_H

#include <stdbool.h>

bool is_per_thread_symbol (const char *name);
bool is_common_word (const char *name);
bool makes_notifiers (const char *name);
bool makes_threads (const char *name);
bool is_process_section (const char *name);
/* The runtime's name for a function or variable of libc or of a compiler's library, or NULL. */
const char *runtime_name (const char *name);
bool is_libc_name (const char *name);

#endif
