/* What a run was asked for: see the table in options.c. */

#ifndef UPCR_OPTIONS_H
#define UPCR_OPTIONS_H

/* Fills upcr_options from the compiled-in thread count STATIC_THREADS (0: none),
   the leading switches of ARGV, the environment and the machine, and takes the
   switches out of ARGV. Ends the run with status 2 on a bad value. */
void upcr_options_read (int static_threads, int *argc, char **argv);

#endif
