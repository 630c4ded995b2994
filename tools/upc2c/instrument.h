/* What a performance tool is told of the program (GASP 1.4): the C around a construct
   that raises its events, as include/upct/gasp.h has it. Nothing of it is written without
   a switch for it.

   instrument.c         which constructs, at which places; events and places in C
   instrument_call.c    calls of library functions, pupc
   instrument_place.c   shared lvalues: where they are
   instrument_access.c  loads and stores of them
   instrument_frame.c   functions, upc_forall, statements  */

#ifndef UPC2C_INSTRUMENT_H
#define UPC2C_INSTRUMENT_H

#include "tools/upc2c/gen.h"

/* instrument.c */

/* Whether any event is raised at all. */
bool is_instrumenting (void);
/* Whether EVENT is to be raised for the construct whose token WHERE is. */
bool is_watched (unsigned event, token_index where);
/* The code that is written belongs to a system header, or no longer; returns what was so
   before. */
bool set_system_code (bool is_system);
/* Declares NAME as a variable for E's value. */
const char *declare_value_of (struct expr *e, const char *name);
/* A number for the names of one construct's variables. */
int new_number (void);
/* Declares __upc_siteNUMBER, the place of token WHERE. */
void put_site (int number, token_index where);
/* `__upc_watching ()`, or where ADDRESS tells the affinity of an access, whether that
   is one that is told of. */
const char *watching (void);
const char *watching_at (const char *address);
/* The call that raises EVENT. ARGUMENTS: ", 1, &x" or "". */
const char *event_call (int site, unsigned event, int type, const char *arguments);
/* `if (watching) event;` */
void put_event (int site, unsigned event, int type, const char *arguments);

/* instrument_call.c */

/* Writes call E if its events are raised here, or taken away; else false. COPY writes it as
   it is. */
bool gen_watched_call (struct expr *e, void (*copy) (struct expr *));

/* instrument_access.c: false where no event is raised, and nothing is written. */

bool gen_watched_load (struct expr *lvalue);
bool gen_watched_assign (struct expr *e);
/* EXPR_COMPOUND and EXPR_STEP. */
bool gen_watched_update (struct expr *e);
/* The same where an element of a shared vector is changed, which is no shared lvalue. */
bool gen_vector_store (struct expr *e);

/* instrument_place.c */

/* In the lvalue that is being written L is known by a name: writes it, and is true. */
bool put_known_lvalue (struct expr *l);
/* Operands of asm want lvalues: no events from here on, or again. */
void watch_accesses (bool on);
bool is_watching_accesses (void);

/* instrument_frame.c */

/* What stands first in the body of FUNCTION; NULL: nothing. The frame is that of the
   function until the next call, which says what was before. */
const char *function_frame (const struct decl *function);
int set_function_frame (int number);
/* The number of the function's frame, 0: it has none. */
int function_frame_number (void);
/* Writes S, upc_barrier or its kin, or is false. */
bool gen_watched_barrier (struct stmt *s, const char *name);
/* Opens a block around upc_forall S with its events, and returns what closes it; or NULL. */
const char *open_watched_forall (struct stmt *s);
/* Whether the clauses of S that are evaluated in each iteration raise events. */
bool has_watched_clauses (struct stmt *s);

#endif
