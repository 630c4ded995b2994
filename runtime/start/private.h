/* The calling thread's copy of the program's private data: what upc-privatize
   leaves for run time. Each thread calls this once at its start and end. */

#ifndef UPCR_PRIVATE_H
#define UPCR_PRIVATE_H

/* Stores the pointers to private data in the thread's copy, and what the resolvers of
   indirect functions say. Before it, a pointer initialised with the address of a static is
   null, and such a function cannot be called. */
void upcr_private_fix (void);

/* Runs the constructors in the order of a linker, as libc would. */
void upcr_private_construct (int argc, char **argv, char **envp);

/* Runs the destructors, the last one first. */
void upcr_private_destruct (void);

/* The first two. */
void upcr_private_begin (int argc, char **argv, char **envp);

#endif
