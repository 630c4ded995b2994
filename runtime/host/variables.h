/* The table of the variables of a run (variables.def). With it the runtime reads the environment
   and the program's switches, and -fupc-help prints it. upcrun takes its switches from it, and
   prints it for the manual. So it calls nothing else of the runtime. */

#ifndef UPCR_HOST_VARIABLES_H
#define UPCR_HOST_VARIABLES_H

#include "runtime/host/host.h"

enum upcr_variable_type
{
  UPCR_NUMBER,
  UPCR_BYTES,  /* a size, as size.h has it */
  UPCR_CHOICE, /* one of `choices`; its index is stored */
  UPCR_YES,    /* yes or no, as Berkeley UPC has them: a bool */
  UPCR_TEXT    /* anything; whoever needs it reads it from the environment */
};

struct upcr_variable
{
  const char *name;     /* in the environment */
  const char *joined;   /* the program's switch with its value in the same word, or NULL */
  const char *separate; /* the program's switch with its value in the next word, or NULL */
  const char *upcrun;   /* upcrun's switch, or NULL */
  const char *argument; /* the value in help; NULL: the choices */
  enum upcr_variable_type type;
  size_t field, bytes; /* offset and size in struct upcr_options */
  size_t least, most;  /* of UPCR_NUMBER and UPCR_BYTES */
  struct
  {
    const char *name, *help;
  } choices[5];       /* in the order of their enumeration, behind the last an empty one */
  const char *preset; /* the default, for help, or NULL */
  const char *help;   /* a phrase; NULL: for tests, neither in help nor in the manual */
  const char *man;    /* sentences that the manual has besides, or NULL */
};

extern const struct upcr_variable upcr_variables[];
extern const int upcr_variable_count;

/* Reads TEXT as a value of the variable. False where it is none. */
bool upcr_variable_parse (const struct upcr_variable *variable, const char *text, size_t *value);

/* The next two write to TEXT, of this size. */
enum
{
  UPCR_VARIABLE_TEXT_BYTES = 128
};

/* What upcr_variable_parse accepts: "a number from 1 to 1024", "none or core". */
void upcr_variable_expected (const struct upcr_variable *variable, char *text);

/* How help shows a value: "N", "none|core". */
void upcr_variable_argument (const struct upcr_variable *variable, char *text);

#endif
