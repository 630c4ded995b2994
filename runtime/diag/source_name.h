/* Source files, by the names that the compiler was given, as in its own messages. */

#ifndef UPCR_DIAG_SOURCE_NAME_H
#define UPCR_DIAG_SOURCE_NAME_H

/* FILE, by its whole path, is the one that has the program's main: what else was compiled in the same
   folder is known by it. */
void upcr_learn_folder (const char *file);

/* The end of FILE, a whole path, that the compiler was given; all of it where that is not known. */
const char *upcr_given_file (const char *file);

#endif
