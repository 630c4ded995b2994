/* The parts of upcrun. */

#ifndef UPCRUN_H
#define UPCRUN_H

#include "runtime/host/variables.h"

#include <stdio.h>

enum format
{
  HELP,
  ROFF,
  MARKDOWN
};

/* upcrun's own switches: for --help, or entries of upcrun(1). */
void print_switches (FILE *out, enum format format);

/* All variables: entries of upct(7), or a table. */
void print_variables (FILE *out, enum format format);

#endif
