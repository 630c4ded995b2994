/* An instrumented access, as instrument_place.c and instrument_access.c have it. */

#ifndef UPC2C_INSTRUMENT_ACCESS_H
#define UPC2C_INSTRUMENT_ACCESS_H

#include "tools/upc2c/instrument.h"

struct access
{
  struct expr *l;       /* the lvalue, without parentheses */
  struct expr *element; /* what it lies in, or itself */
  int number;           /* in the names of its variables */
  bool gets, puts;      /* events that are raised */
  const char *pointer;  /* the pointer-to-shared to it; of a bit-field, to its unit */
  const char *place;    /* its address; of a bit-field that of its record */
  const char *lvalue;
  struct access *outer;
};

/* Fills in A for an access to LVALUE that reads, writes or does both; false where no event
   is raised. */
bool begin_access (struct access *a, struct expr *lvalue, bool gets, bool puts);
/* Declares the place of the access and its parts. */
void put_place (struct access *a);
/* Its variable WHAT. */
const char *name_of (const struct access *a, const char *what);
/* Whether E, an operand that is stored to, is an element of a shared vector. */
bool is_shared_vector_element (struct expr *e);

#endif
