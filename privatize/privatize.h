/* The phases of upc-privatize, in the order in which main runs them. */

#ifndef PRIVATIZE_PRIVATIZE_H
#define PRIVATIZE_PRIVATIZE_H

#include "privatize/object.h"

/* Of the object at PATH, IMAGE of SIZE bytes, which is used on. */
void load_object (struct object *object, unsigned char *image, size_t size);
void classify_sections (struct object *object);
void rename_symbols (struct object *object);
void find_private_symbols (struct object *object);
void mark_private_symbols (struct object *object);
void spread_private (struct object *object);
void rewrite_text (struct object *object);
void describe_thunks (struct object *object);
void name_thunks (struct object *object);
void copy_unwind_pointers (struct object *object);
void rewrite_indirect_functions (struct object *object);
void rewrite_data (struct object *object);
void collect_constructors (struct object *object);
void rewrite_debug_info (struct object *object);
/* With KNOWS_THREADS those of shared libraries are known to the runtime. */
void plan_zone (struct object *objects, size_t count, bool knows_threads);
void make_thread_local (struct object *object);
/* Returns false, with errno, when FD cannot be written. */
bool write_object (struct object *object, int fd);
/* The same in memory that the caller frees. */
unsigned char *object_image (struct object *object, size_t *size);

/* load.c, write.c: files. */
bool is_bitcode (const unsigned char *image, size_t size);
unsigned char *read_file (const char *path, size_t *bytes);
int open_temporary (const char *path, char **temporary);
int close_temporary (int fd);

/* locations.c: of rewrite_debug_info. */
void rewrite_indexed_locations (struct object *object);

/* zone.c: of make_thread_local. */
void move_zeros (struct object *object);

/* names.c: everything that is known by its name. */
bool is_per_thread_symbol (const char *name);
bool is_common_word (const char *name);
bool makes_notifiers (const char *name);
bool makes_threads (const char *name);
bool is_process_section (const char *name);
const char *runtime_name (const char *name);
bool is_libc_name (const char *name);
bool starts_with (const char *text, const char *prefix);

#endif
