/* Declarations that only instrument/ uses. */

#ifndef UPC2C_INSTRUMENT_INTERNAL_H
#define UPC2C_INSTRUMENT_INTERNAL_H

#include "tools/upc2c/events/events.h"
#include "tools/upc2c/instrument/instrument.h"

/* event.c: events and the source locations of their constructs. */

/* Declares NAME as a variable for E's value. */
const char *declare_value_of (struct expr *e, const char *name);
/* A number for the names of one construct's variables. */
int new_number (void);
/* Declares __upc_siteNUMBER, the location of token WHERE. */
void put_site (int number, token_index where);
/* `__upc_watching ()`, or where ADDRESS tells the affinity of an access, whether that
   is one that is told of. */
const char *watching (void);
const char *watching_at (const char *address);
/* The same of one get or put, of which some only may be told. */
const char *watching_access_at (const char *address);
/* The call that raises EVENT. ARGUMENTS: ", 1, &x" or "". */
const char *event_call (int site, unsigned event, int type, const char *arguments);
/* `if (watching) event;` */
void put_event (int site, unsigned event, int type, const char *arguments);

/* call.c */
bool gen_watched_call (struct expr *e, void (*copy_call) (struct expr *));

/* access.c: loads and stores of shared lvalues. */
bool gen_watched_load (struct expr *lvalue);
bool gen_watched_assign (struct expr *e);
bool gen_watched_update (struct expr *e);
bool gen_vector_store (struct expr *e);

/* address.c: where they are. */

struct access
{
  struct expr *l;       /* the lvalue, without parentheses */
  struct expr *element; /* what it lies in, or itself */
  int number;           /* in the names of its variables */
  bool gets, puts;      /* events that are raised */
  const char *pointer;  /* the pointer-to-shared to it; of a bit-field, to its unit */
  const char *address;  /* its address; of a bit-field that of its record */
  const char *lvalue;
  struct access *outer;
};

/* Fills in A for an access to LVALUE that reads, writes or does both; false where no event
   is raised. */
bool begin_access (struct access *a, struct expr *lvalue, bool gets, bool puts);
/* Declares the address of the access and its parts. */
void put_address (struct access *a);
/* Its variable WHAT. */
const char *name_of (const struct access *a, const char *what);
/* Whether E, an operand that is stored to, is an element of a shared vector. */
bool is_shared_vector_element (struct expr *e);
bool put_known_lvalue (struct expr *l);
void watch_accesses (bool on);
bool is_watching_accesses (void);

/* frame.c: functions, upc_forall, statements. */
const char *function_frame (const struct decl *function);
int set_function_frame (int number);
/* The number of the function's frame, 0: it has none. */
int function_frame_number (void);
bool gen_watched_barrier (struct stmt *s, const char *name);
const char *open_watched_forall (struct stmt *s);

#endif
