/* What the abi room offers to files above it: a run from its start to its end, of a program
   (main.c) or of a shared library (runtime/link/upc-library.c). */

#ifndef UPCR_ABI_H
#define UPCR_ABI_H

#include <stdbool.h>

/* Brings up the rooms, in their order, before there are UPC threads. Takes the switches of the run
   out of ARGV. */
void upcr_run_begin (int *argc, char **argv);

/* What each UPC thread runs before the program's own code. */
void upcr_run_begin_thread (int *argc, char ***argv, char **envp);

/* What is said once all UPC threads have ended. False: it is an error. */
bool upcr_run_end (void);

#endif
