/* Common to all wrappers: NAME replaces the function of the same name, which it calls as REAL
   (NAME). */

#ifndef UPCR_RACE_WRAP_H
#define UPCR_RACE_WRAP_H

#include "runtime/race/race.h"

#define WRAP(name) __wrap_##name
#define REAL(name) __real_##name

#define DECLARE(type, name, parameters) \
  type REAL (name) parameters;          \
  type WRAP (name) parameters

/* An address within the call. */
#define HERE ((const char *) __builtin_return_address (0) - 1)

/* What the program does within STATEMENT, in functions that it has passed, and what the library does
   there on its own account, is not told. */
#define WITHIN(statement)                    \
  do                                         \
    {                                        \
      bool was_inside = upcr_race_is_inside; \
                                             \
      upcr_race_is_inside = true;            \
      statement;                             \
      upcr_race_is_inside = was_inside;      \
    }                                        \
  while (0)

/* STATEMENT is what orders threads. */
#define ORDERED(statement)   \
  do                         \
    {                        \
      __upc_race_release (); \
      WITHIN (statement);    \
      __upc_race_acquire (); \
    }                        \
  while (0)

/* A function that is no more than that. */

#define STATEMENT(name, parameters, arguments) \
  DECLARE (void, name, parameters);            \
  void WRAP (name) parameters                  \
  {                                            \
    ORDERED (REAL (name) arguments);           \
  }

#define FUNCTION(type, name, parameters, arguments) \
  DECLARE (type, name, parameters);                 \
  type WRAP (name) parameters                       \
  {                                                 \
    type result;                                    \
                                                    \
    ORDERED (result = REAL (name) arguments);       \
    return result;                                  \
  }

#endif
