/* Files as a whole. */

#ifndef PRIVATIZE_FILES_H
#define PRIVATIZE_FILES_H

#include <stddef.h>

/* The bytes of the file in memory that the caller frees; ends the program if it cannot. */
unsigned char *read_file (const char *path, size_t *bytes);
/* A file beside PATH, to be renamed when it is whole; -1 with errno. */
int open_temporary (const char *path, char **temporary);
/* Returns -1 with errno when not all was written. */
int close_temporary (int fd);

#endif
